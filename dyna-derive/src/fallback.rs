//! A stub for an entity or a table with errors, so that its users do not add theirs.

use crate::attr::{EntityAttr, ProjectionAttr, TableRef, crate_path};
use crate::error::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput};

/// Nothing: the errors of these derives are all that is said of them.
pub(crate) fn nothing(_: &DeriveInput) -> TokenStream {
    TokenStream::new()
}

/// `impl DynaEntity` with nothing in it.
pub(crate) fn entity(input: &DeriveInput) -> TokenStream {
    if !matches!(input.data, Data::Struct(_)) || !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let mut errors = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut errors);
    errors.discard();
    let krate = crate_path(attr.krate.get());
    let ident = &input.ident;
    let table = match attr.table.get() {
        Some(TableRef::Of(path)) => path.to_token_stream(),
        Some(TableRef::Own(_)) => ident.to_token_stream(),
        None => quote!(()),
    };
    quote! {
        #[automatically_derived]
        impl #krate::__private::Entity for #ident {
            const ONLY_BY_DERIVE: #krate::__private::Derived = #krate::__private::Derived;
            type Table = #table;
            type Setters = #krate::__private::NoSetters;
            const META: &'static #krate::__private::EntityMeta = &#krate::__private::EntityMeta::BROKEN;
            fn write_keys(&self, _: &mut #krate::__private::KeyWriter) {}
        }
        #[automatically_derived]
        impl #krate::__private::Replaceable for #ident {
            const ONLY_BY_DERIVE: #krate::__private::Derived = #krate::__private::Derived;
        }
        #[automatically_derived]
        impl #krate::__private::BatchWritable for #ident {
            const ONLY_BY_DERIVE: #krate::__private::Derived = #krate::__private::Derived;
        }
    }
}

/// `impl DynaProjection` with nothing in it, of whatever it says it is of.
pub(crate) fn projection(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let attr = ProjectionAttr::parse(&input.attrs, &mut errors);
    errors.discard();
    let Some(of) = attr.of.get().filter(|_| input.generics.params.is_empty()) else {
        return TokenStream::new();
    };
    let krate = crate_path(attr.krate.get());
    let (rt, ident) = (quote!(#krate::__private), &input.ident);
    quote! {
        #[automatically_derived]
        impl #rt::DynaProjection for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            const SELECTION: &'static #rt::ProjectionMeta =
                &#rt::ProjectionMeta { name: "", fields: &[], reads_unknown: false };
        }
        #[automatically_derived]
        impl #rt::View<#of> for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            fn read(item: #rt::FoundItem<'_, '_>) -> #rt::Result<Self> {
                #rt::project::<#of, Self>(item)
            }
        }
    }
}

/// `impl Schema` with nothing in it, and every index; and `impl DynaTable` for a table that lists entities.
pub(crate) fn table(input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let mut errors = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut errors);
    errors.discard();
    let krate = crate_path(attr.krate.get());
    let rt = quote!(#krate::__private);
    let entities: Vec<_> = match &input.data {
        Data::Enum(data) => data
            .variants
            .iter()
            .filter_map(|variant| variant.fields.iter().next())
            .map(|field| field.ty.to_token_stream())
            .collect(),
        _ => vec![ident.to_token_stream()],
    };
    quote! {
        #[automatically_derived]
        impl #rt::Schema for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            type Pk = #rt::S;
            type Sk = #rt::S;
            const SCHEMA: &'static #rt::TableSchema = &#rt::TableSchema::BROKEN;
        }
        #[automatically_derived]
        impl<N> #rt::HasIndex<N> for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            type Pk = #rt::S;
            type Sk = #rt::S;
            type Reads = #rt::Strong;
            type Yields = #rt::Whole;
            const INDEX: &'static #rt::IndexSchema = &#rt::TableSchema::BROKEN.key;
        }
        #[automatically_derived]
        impl #rt::DynaTable for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
            type Schema = Self;
            const ENTITIES: &'static [&'static #rt::EntityMeta] = &[];
            fn read(item: #rt::FoundItem<'_, '_>) -> #rt::Result<Self> {
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
                const FOREIGN: #rt::Foreign = #rt::Foreign::of(&[], 0);
            }
        )*
    }
}
