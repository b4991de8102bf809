//! Tokens that several expansions need.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

/// Longest name that `Name` can spell.
pub(crate) const LONGEST_NAME: usize = 32;

/// A name as a type: `Name<'g', 's', 'i', '1'>`.
pub(crate) fn name(rt: &TokenStream, name: &str, span: Span) -> TokenStream {
    let chars = name.chars().take(LONGEST_NAME).map(|c| {
        let mut literal = Literal::character(c);
        literal.set_span(span);
        literal
    });
    quote_spanned!(span=> #rt::Name<#(#chars),*>)
}

/// `Some(value)` or `None`, without the prelude.
pub(crate) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
