//! Everything that `#[derive(DynaTable)]` generates.

use super::entities::{conversions, registry};
use super::index::constants;
use super::schema::schema;
use crate::model::{Declaration, Entities, Table};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub(crate) fn table(table: &Table) -> TokenStream {
    let (krate, ident) = (&table.krate, &table.ident);
    let (declared_on, schema, constants) = match &table.declaration {
        Declaration::At(path) => (path.to_token_stream(), None, None),
        Declaration::Here(declared) => (
            ident.to_token_stream(),
            Some(schema(table, declared)),
            constants(table, declared),
        ),
    };
    let registry = registry(table, &declared_on);
    let functions = match table.entities {
        Entities::None => None,
        Entities::Itself => Some(functions(table, None)),
        Entities::Variants { .. } => Some(functions(table, Some(scan(table, &declared_on)))),
    };
    let conversions = conversions(table);
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #schema
            #registry
            #constants
        };
        #functions
        #conversions
    }
}

/// The functions that open a table that lists entities.
fn functions(table: &Table, scan: Option<TokenStream>) -> TokenStream {
    let (krate, ident, vis) = (&table.krate, &table.ident, &table.vis);
    let embedded = table.embedded.then(|| {
        quote! {
            /// Creates the table in a new in-process engine and opens it.
            #vis async fn embedded() -> ::core::result::Result<#krate::Table<Self>, #krate::Error> {
                #krate::Table::embedded().await
            }
        }
    });
    let simulated = table.simulated.then(|| {
        quote! {
            /// Opens the table in a new simulation: an in-process engine behind a network with seeded faults.
            #vis async fn simulated(seed: u64) -> ::core::result::Result<#krate::simulate::Simulation<Self>, #krate::Error> {
                #krate::simulate::Simulation::new(seed, ::core::default::Default::default()).await
            }
        }
    });
    let change = may_have_stream(table).then(|| change(table));
    quote! {
        // A program rarely uses all of these; a table may be called `Open`.
        #[allow(dead_code, clippy::self_named_constructors)]
        #[automatically_derived]
        impl #ident {
            /// Opens the table with your own client. Sends no request.
            #vis fn open(client: #krate::__private::Client) -> #krate::Table<Self> {
                #krate::Table::open(client)
            }
            #embedded
            #simulated
            #scan
            #change
        }
    }
}

/// Whether the table declares a stream, or is declared elsewhere. Others keep the name `change` for themselves.
fn may_have_stream(table: &Table) -> bool {
    match &table.declaration {
        Declaration::At(_) => true,
        Declaration::Here(declared) => declared.stream.is_some(),
    }
}

/// `change`. The bound on its argument is what asks for a stream.
fn change(table: &Table) -> TokenStream {
    let (krate, vis) = (&table.krate, &table.vis);
    quote! {
        /// Reads a record of the table's stream.
        #vis fn change(record: impl #krate::__private::RecordOf<Self>) -> ::core::result::Result<#krate::Change<Self>, #krate::Error> {
            #krate::__private::RecordOf::read(record)
        }
    }
}

/// `scan` of an enum.
fn scan(table: &Table, schema: &TokenStream) -> TokenStream {
    let (krate, vis) = (&table.krate, &table.vis);
    quote! {
        /// Scans the whole table.
        #vis fn scan() -> #krate::Scan<Self, #krate::schema::Primary<#schema>> {
            #krate::Scan::table()
        }
    }
}
