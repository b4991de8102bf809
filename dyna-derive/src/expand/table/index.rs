//! The indexes of a table: as const data, as types, and as values for scans.

use super::key::{key_schema, kind_type};
use crate::model::{IndexProjection, Schema, Scope, Table, TableIndex};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// `impl HasIndex`
pub(super) fn index(table: &Table, index: &TableIndex) -> TokenStream {
    let TableIndex { ident, key, .. } = index;
    let (pk, sk) = (kind_type(&key.pk), kind_type(&key.sk));
    let reads = match key.scope {
        Scope::Local | Scope::Table => quote!(Strong),
        Scope::Global => quote!(Eventual),
    };
    let yields = match key.projection {
        IndexProjection::All => quote!(AllAttributes),
        IndexProjection::KeysOnly | IndexProjection::Include(_) => quote!(SomeAttributes),
    };
    let (marker, schema) = (marker(index), key_schema(key));
    // Under the name of the index, so that an error about a name that is not there points at those that are.
    let span = tokens::located(ident.span());
    let table = &table.ident;
    let table = tokens::moved(quote!(#table), span);
    let body = quote! {
        const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
        type Pk = #pk;
        type Sk = #sk;
        type Consistency = __rt::#reads;
        type Coverage = __rt::#yields;
        const INDEX: &'static __rt::IndexSchema = &#schema;
    };
    quote_spanned! {span=>
        #[automatically_derived]
        impl __rt::HasIndex<#marker> for #table {
            #body
        }
    }
}

/// The name of an index as a type.
pub(super) fn marker(index: &TableIndex) -> TokenStream {
    tokens::name(&quote!(__rt), &index.ident.to_string(), index.ident.span())
}

/// One constant per index: `Discord::GSI1`.
pub(super) fn constants(table: &Table, schema: &Schema) -> Option<TokenStream> {
    let (ident, vis) = (&table.ident, &table.vis);
    let constants = schema.indexes.iter().filter_map(|index| {
        let (constant, marker) = (index.constant.as_ref()?, marker(index));
        let doc = format!("The index `{}`.", index.key.name);
        Some(quote! {
            #[doc = #doc]
            #vis const #constant: __rt::Secondary<Self, #marker> = __rt::Secondary::INDEX;
        })
    });
    let constants: Vec<_> = constants.collect();
    (!constants.is_empty()).then(|| {
        quote! {
            // A program rarely uses all of these.
            #[allow(dead_code)]
            #[automatically_derived]
            impl #ident {
                #(#constants)*
            }
        }
    })
}
