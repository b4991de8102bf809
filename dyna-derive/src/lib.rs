//! The derive macros of [`dyna-runtime`], which re-exports them: depend on that crate, not on this one.
//!
//! [`dyna-runtime`]: https://docs.rs/dyna-runtime

mod attr;
mod check;
mod docs;
mod error;
mod expand;
mod fallback;
mod model;
mod reserved;
mod template;
#[cfg(test)]
mod tests;
mod tokens;

use error::Errors;
use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct an entity of a table. See the documentation of `dyna_runtime`.
#[proc_macro_derive(DynaEntity, attributes(dyna))]
pub fn derive_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    entity(&input).into()
}

/// Makes an enum of entities a table. See the documentation of `dyna_runtime`.
#[proc_macro_derive(DynaTable, attributes(dyna))]
pub fn derive_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    table(&input).into()
}

/// Lets a newtype or an enum without fields stand in a key. See the documentation of `dyna_runtime`.
#[proc_macro_derive(KeyPart, attributes(dyna))]
pub fn derive_key_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    key_part(&input).into()
}

/// Lets templates and conditions reach the fields of a nested struct. See the documentation of `dyna_runtime`.
#[proc_macro_derive(DynaFields, attributes(dyna))]
pub fn derive_fields(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    nested(&input).into()
}

/// Lets reads yield some fields of an entity. See the documentation of `dyna_runtime`.
#[proc_macro_derive(DynaProjection, attributes(dyna))]
pub fn derive_projection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    projection(&input).into()
}

/// Lets one query read several entities of a partition. See the documentation of `dyna_runtime`.
#[proc_macro_derive(DynaCollection, attributes(dyna))]
pub fn derive_collection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    collection(&input).into()
}

fn entity(input: &DeriveInput) -> TokenStream {
    run(input, check::entity, expand::entity, fallback::entity)
}

fn table(input: &DeriveInput) -> TokenStream {
    run(input, check::table, expand::table, fallback::table)
}

fn key_part(input: &DeriveInput) -> TokenStream {
    run(input, check::key_part, expand::key_part, fallback::nothing)
}

fn nested(input: &DeriveInput) -> TokenStream {
    run(input, check::nested, expand::nested, fallback::nothing)
}

fn projection(input: &DeriveInput) -> TokenStream {
    run(
        input,
        check::projection,
        expand::projection,
        fallback::projection,
    )
}

fn collection(input: &DeriveInput) -> TokenStream {
    run(
        input,
        check::collection,
        expand::collection,
        fallback::nothing,
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
