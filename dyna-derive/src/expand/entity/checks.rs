//! What is proved when the entity is compiled.

use crate::model::{Entity, Role};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;

/// The proofs of each template, with the span of its literal, and of the entity.
pub(super) fn checks(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let keys = std::iter::once(&entity.key).chain(entity.indexes.iter().map(|index| &index.key));
    let templates = keys.enumerate().flat_map(|(space, key)| {
        key.templates().map(move |(template, role, at)| {
            // Every token has the span of the literal: rustc points at what they have in common.
            let span = tokens::located(template.literal.span());
            let check = match role {
                Role::Partition => quote_spanned!(span=> check_partition),
                Role::Sort => quote_spanned!(span=> check_sort),
            };
            let number = |n| {
                let mut literal = Literal::usize_unsuffixed(n);
                literal.set_span(span);
                literal
            };
            let (space, at) = (number(space), number(at));
            quote_spanned! {span=>
                const _: () = __rt::#check(<#ident as __rt::Entity>::META, #space, #at);
            }
        })
    });
    let span = tokens::located(ident.span());
    quote_spanned! {span=>
        #(#templates)*
        const _: () = __rt::check_entity(<#ident as __rt::Entity>::META);
    }
}
