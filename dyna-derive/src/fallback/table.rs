//! A table with errors.

use crate::attr::{EntityAttr, TableAttr, TableRef, crate_path};
use crate::check::is_own_table;
use crate::error::Errors;
use crate::model::const_name;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DataEnum, DeriveInput, Fields, Ident, Path};

/// `impl Schema` with nothing in it, and every index; `impl DynaTable`; and the functions of a table.
pub(crate) fn table(input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let attr = options(input);
    let krate = crate_path(attr.krate.get());
    let rt = quote!(#krate::__private);
    let entities = entities(input);
    let functions = functions(input, &attr, &krate);
    quote! {
        #[automatically_derived]
        impl #rt::Schema for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            type Pk = #rt::S;
            type Sk = #rt::S;
            type Stream = #rt::NewAndOldImages;
            const SCHEMA: &'static #rt::TableSchema = &#rt::TableSchema::BROKEN;
        }
        #[automatically_derived]
        impl<N> #rt::HasIndex<N> for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            type Pk = #rt::S;
            type Sk = #rt::S;
            type Consistency = #rt::Strong;
            type Coverage = #rt::AllAttributes;
            const INDEX: &'static #rt::IndexSchema = &#rt::TableSchema::BROKEN.key;
        }
        #[automatically_derived]
        impl #rt::DynaTable for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            type Schema = Self;
            const ENTITIES: &'static [&'static #rt::EntityMeta] = &[];
            fn read(item: #rt::ItemSource<'_, '_>) -> #rt::Result<Self> {
                ::core::result::Result::Err(#rt::Error::UnknownItem { table: "", key: ::core::option::Option::None })
            }
            fn to_item(&self) -> #rt::Result<#rt::Item> {
                ::core::result::Result::Err(#rt::Error::UnknownItem { table: "", key: ::core::option::Option::None })
            }
        }
        #(
            #[automatically_derived]
            impl #rt::HasEntity<#entities> for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
                const OVERLAP: #rt::Overlap = #rt::Overlap::of(&[], 0);
            }
        )*
        #functions
    }
}

/// The options of the table, wherever they are.
fn options(input: &DeriveInput) -> TableAttr {
    let mut reported = Errors::default();
    let is_entity = match &input.data {
        Data::Struct(data) => matches!(data.fields, Fields::Named(_)),
        Data::Enum(_) => is_own_table(input),
        Data::Union(_) => false,
    };
    let attr = if is_entity {
        let attr = EntityAttr::parse(&input.attrs, &mut reported);
        let own = match attr.table.into_inner() {
            Some(TableRef::Own(own)) => *own,
            Some(TableRef::Of(_)) | None => TableAttr::default(),
        };
        TableAttr {
            krate: attr.krate,
            ..own
        }
    } else {
        TableAttr::parse(&input.attrs, &mut reported)
    };
    reported.discard();
    attr
}

/// The variants that are entities.
fn lists(input: &DeriveInput) -> Option<&DataEnum> {
    match &input.data {
        Data::Enum(data) if !is_own_table(input) => Some(data),
        _ => None,
    }
}

/// The entities that are listed, each once.
fn entities(input: &DeriveInput) -> Vec<TokenStream> {
    let Some(data) = lists(input) else {
        return vec![input.ident.to_token_stream()];
    };
    // The enum lists itself: it is read from its table as a whole.
    let mut entities = vec![input.ident.to_token_stream()];
    for field in data
        .variants
        .iter()
        .filter_map(|variant| variant.fields.iter().next())
    {
        let entity = field.ty.to_token_stream();
        if entities
            .iter()
            .all(|other| other.to_string() != entity.to_string())
        {
            entities.push(entity);
        }
    }
    entities
}

/// The functions that open it and scan it, and the constants of its indexes.
fn functions(input: &DeriveInput, attr: &TableAttr, krate: &Path) -> TokenStream {
    let (ident, vis) = (&input.ident, &input.vis);
    let embedded = cfg!(feature = "embedded").then(|| {
        quote! {
            #vis async fn embedded() -> ::core::result::Result<#krate::Table<Self>, #krate::Error> {
                ::core::unreachable!()
            }
        }
    });
    let simulated = cfg!(feature = "simulate").then(|| {
        quote! {
            #vis async fn simulated(seed: u64) -> ::core::result::Result<#krate::simulate::Simulation<Self>, #krate::Error> {
                ::core::unreachable!()
            }
        }
    });
    let scan = lists(input).is_some().then(|| {
        quote! {
            #vis fn scan() -> #krate::Scan<Self, #krate::schema::Primary<Self>> {
                ::core::unreachable!()
            }
        }
    });
    let has_stream = attr.stream.get().is_some() || attr.schema.get().is_some();
    let change = has_stream.then(|| {
        quote! {
            #vis fn change<R>(record: R) -> ::core::result::Result<#krate::Change<Self>, #krate::Error> {
                ::core::unreachable!()
            }
        }
    });
    let rt = quote!(#krate::__private);
    let constants = constants(input, attr).into_iter().map(|(constant, index)| {
        let marker = tokens::name(&rt, &index.to_string(), index.span());
        quote!(#vis const #constant: #rt::Secondary<Self, #marker> = #rt::Secondary::INDEX;)
    });
    quote! {
        #[allow(dead_code, unused_variables, clippy::self_named_constructors)]
        #[automatically_derived]
        impl #ident {
            #vis fn open(client: #rt::Client) -> #krate::Table<Self> {
                ::core::unreachable!()
            }
            #embedded
            #simulated
            #scan
            #change
            #(#constants)*
        }
    }
}

/// The constants of indexes, each name once and none of a field.
fn constants<'a>(input: &DeriveInput, attr: &'a TableAttr) -> Vec<(Ident, &'a Ident)> {
    let mut taken: Vec<Ident> = match &input.data {
        Data::Struct(data) => {
            let fields = data.fields.iter().filter_map(|field| field.ident.as_ref());
            fields.map(const_name).collect()
        }
        Data::Enum(data) => {
            let fields = data.variants.iter().flat_map(|variant| &variant.fields);
            let fields = fields.filter_map(|field| field.ident.as_ref());
            fields.map(const_name).collect()
        }
        Data::Union(_) => Vec::new(),
    };
    let mut constants = Vec::new();
    for index in &attr.indexes {
        let constant = const_name(&index.ident);
        if !taken.contains(&constant) {
            taken.push(constant.clone());
            constants.push((constant, &index.ident));
        }
    }
    constants
}
