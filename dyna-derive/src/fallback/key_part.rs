//! A type with errors that stands in keys.

use crate::attr::{KeyPartAttr, crate_path};
use crate::error::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

/// `impl KeyPart` of any text.
pub(crate) fn key_part(input: &DeriveInput) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let mut reported = Errors::default();
    let krate = crate_path(KeyPartAttr::parse(&input.attrs, &mut reported).krate.get());
    reported.discard();
    let ident = &input.ident;
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::KeyPart for #ident {
                const SHAPE: __rt::Shape = __rt::Shape::Text;
                fn encode(&self, _: &mut __rt::KeyBuf) {}
                fn decode(_: &str) -> ::core::option::Option<Self> {
                    ::core::option::Option::None
                }
            }
        };
    }
}
