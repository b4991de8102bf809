//! A stub for an entity or a table with errors, so that its users do not add theirs.

use crate::attr::{EntityAttr, TableRef};
use crate::check::krate;
use crate::error::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput};

/// `impl DynaEntity` with nothing in it.
pub(crate) fn entity(input: &DeriveInput) -> TokenStream {
    if !matches!(input.data, Data::Struct(_)) || !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let attr = EntityAttr::parse(&input.attrs, &mut Errors::default());
    let krate = krate(attr.krate.get());
    let ident = &input.ident;
    let table = match attr.table.get() {
        Some(TableRef::Of(path)) => path.to_token_stream(),
        Some(TableRef::Own(_)) => ident.to_token_stream(),
        None => quote!(#krate::__private::NoTable),
    };
    quote! {
        #[automatically_derived]
        impl #krate::__private::DynaEntity for #ident {
            type Table = #table;
            const META: &'static #krate::__private::EntityMeta = &#krate::__private::EntityMeta::BROKEN;
            fn write_keys(&self, _: &mut #krate::__private::KeyWriter) {}
        }
    }
}

/// `impl Schema` with nothing in it.
pub(crate) fn table(input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let krate = krate(
        EntityAttr::parse(&input.attrs, &mut Errors::default())
            .krate
            .get(),
    );
    quote! {
        #[automatically_derived]
        impl #krate::__private::Schema for #ident {
            type Pk = #krate::__private::S;
            type Sk = #krate::__private::S;
            const SCHEMA: &'static #krate::__private::TableSchema = &#krate::__private::TableSchema::BROKEN;
        }
    }
}
