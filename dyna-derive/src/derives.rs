//! One function for each derive: tokens in, tokens out. They print the model, or all errors and a stub.

use crate::check;
use crate::error::Errors;
use crate::expand;
use crate::fallback;
use proc_macro2::TokenStream;
use syn::DeriveInput;

pub(crate) fn entity(input: &DeriveInput) -> TokenStream {
    run(input, check::entity, expand::entity, fallback::entity)
}

pub(crate) fn table(input: &DeriveInput) -> TokenStream {
    run(input, check::table, expand::table, fallback::table)
}

pub(crate) fn key_part(input: &DeriveInput) -> TokenStream {
    run(input, check::key_part, expand::key_part, fallback::key_part)
}

pub(crate) fn nested(input: &DeriveInput) -> TokenStream {
    run(input, check::nested, expand::nested, fallback::nested)
}

pub(crate) fn projection(input: &DeriveInput) -> TokenStream {
    run(
        input,
        check::projection,
        expand::projection,
        fallback::projection,
    )
}

pub(crate) fn collection(input: &DeriveInput) -> TokenStream {
    run(
        input,
        check::collection,
        expand::collection,
        fallback::collection,
    )
}

/// The expansion, or all errors and a stub.
fn run<M>(
    input: &DeriveInput,
    check: fn(&DeriveInput) -> Result<M, Errors>,
    expand: fn(&M) -> TokenStream,
    stub: fn(&DeriveInput) -> TokenStream,
) -> TokenStream {
    match check(input) {
        Ok(model) => expand(&model),
        Err(errors) => {
            let mut tokens = errors.into_tokens();
            tokens.extend(stub(input));
            tokens
        }
    }
}
