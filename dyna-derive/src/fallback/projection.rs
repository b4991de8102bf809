//! A projection with errors.

use crate::attr::{ProjectionAttr, crate_path};
use crate::error::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

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
            fn read(item: #rt::ItemSource<'_, '_>) -> #rt::Result<Self> {
                #rt::project::<#of, Self>(item)
            }
        }
        #[automatically_derived]
        impl<__K> #rt::CoveredBy<__K> for #ident {
            const ONLY_BY_DERIVE: #rt::Derived = #rt::Derived;
        }
    }
}
