//! Tokens that several expansions need.

use proc_macro2::{Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// Longest name that `Name` can spell.
pub(crate) const LONGEST_NAME: usize = 32;

/// The place of `span` for errors, with names resolved where the derive is: a struct may come out of another macro.
pub(crate) fn located(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// The same tokens, all at one place.
pub(crate) fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut tree| {
        if let TokenTree::Group(group) = &tree {
            let inner = moved_group(group, span);
            tree = TokenTree::Group(inner);
        }
        tree.set_span(tree.span().located_at(span));
        tree
    });
    moved.collect()
}

fn moved_group(group: &Group, span: Span) -> Group {
    Group::new(group.delimiter(), moved(group.stream(), span))
}

/// A name as a type: `Name<'g', 's', 'i', '1'>`.
pub(crate) fn name(rt: &TokenStream, name: &str, span: Span) -> TokenStream {
    let chars = name.chars().take(LONGEST_NAME).map(|c| {
        let mut literal = Literal::character(c);
        literal.set_span(span);
        literal
    });
    let span = located(span);
    quote_spanned!(span=> #rt::Name<#(#chars),*>)
}

/// `Some(value)` or `None`, without the prelude.
pub(crate) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// A delimiter, as the runtime has it.
pub(crate) fn delimiter(text: &str) -> TokenStream {
    let byte = text.bytes().next().unwrap_or(b'#');
    Literal::byte_character(byte).into_token_stream()
}
