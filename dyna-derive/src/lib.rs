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
    registry(&input).into()
}

/// Lets a newtype or an enum without fields stand in a key. See the documentation of `dyna_runtime`.
#[proc_macro_derive(KeyPart, attributes(dyna))]
pub fn derive_key_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    word(&input).into()
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
    view(&input).into()
}

/// Lets one query read several entities of a partition. See the documentation of `dyna_runtime`.
#[proc_macro_derive(DynaCollection, attributes(dyna))]
pub fn derive_collection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    members(&input).into()
}

fn entity(input: &DeriveInput) -> TokenStream {
    or_errors(
        check::entity(input).map(|entity| expand::entity(&entity)),
        || fallback::entity(input),
    )
}

fn registry(input: &DeriveInput) -> TokenStream {
    or_errors(
        check::table(input).map(|table| expand::table(&table)),
        || fallback::table(input),
    )
}

fn word(input: &DeriveInput) -> TokenStream {
    or_errors(
        check::key_part(input).map(|part| expand::key_part(&part)),
        TokenStream::new,
    )
}

fn nested(input: &DeriveInput) -> TokenStream {
    or_errors(
        check::nested(input).map(|nested| expand::nested(&nested)),
        TokenStream::new,
    )
}

fn view(input: &DeriveInput) -> TokenStream {
    or_errors(
        check::projection(input).map(|projection| expand::projection(&projection)),
        || fallback::projection(input),
    )
}

fn members(input: &DeriveInput) -> TokenStream {
    or_errors(
        check::collection(input).map(|collection| expand::collection(&collection)),
        TokenStream::new,
    )
}

/// The expansion, or all errors and a stub.
fn or_errors(
    expansion: Result<TokenStream, Errors>,
    stub: impl Fn() -> TokenStream,
) -> TokenStream {
    expansion.unwrap_or_else(|errors| {
        let mut tokens = errors.into_tokens();
        tokens.extend(stub());
        tokens
    })
}
