//! A nested struct with errors: its constants, and its fields for templates.

use super::entity::constant;
use crate::check::{self, signatures};
use crate::expand;
use crate::model::Signatures;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

/// `impl DynaFields` without stored fields, and the constants.
pub(crate) fn nested(input: &DeriveInput) -> TokenStream {
    let (Some(signatures), Some(nested)) = (signatures(input), check::reachable_fields(input))
    else {
        return TokenStream::new();
    };
    let Signatures { ident, krate, .. } = &signatures;
    let fields = expand::nested(&nested);
    let constants = signatures.constants.iter().map(constant);
    quote! {
        #fields
        const _: () = {
            use #krate::__private as __rt;
            #[allow(dead_code)]
            #[automatically_derived]
            impl #ident {
                #(#constants)*
            }
        };
    }
}
