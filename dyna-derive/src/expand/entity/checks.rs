//! The proofs of an entity.

use crate::model::{Entity, Role, When};
use crate::template::Format;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The proofs of each template, with the span of its literal, and of the entity.
pub(super) fn checks(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let indexes = entity.indexes.iter();
    let indexes = indexes.map(|index| (&index.key, index.inherits_pk));
    let keys = std::iter::once((&entity.key, false)).chain(indexes);
    let templates = keys.enumerate().flat_map(|(space, (key, inherits_pk))| {
        // What is inherited is proved where it stands.
        let own = key
            .templates()
            .filter(move |(_, role, _)| !inherits_pk || *role == Role::Sort);
        own.map(move |(template, role, at)| {
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
            let key = match space.checked_sub(1).map(number) {
                None => quote_spanned!(span=> __rt::KeyRef::PrimaryKey),
                Some(n) => quote_spanned!(span=> __rt::KeyRef::Index(#n)),
            };
            let at = number(at);
            // Numbers without zeros in front need not sort.
            let parts = template.parts().enumerate();
            let plain = parts.filter(|(_, part)| part.format == Some(Format::Plain));
            let plain: Vec<_> = plain.map(|(n, _)| number(n)).collect();
            if role == Role::Sort && !plain.is_empty() {
                return quote_spanned! {span=>
                    const _: () = __rt::check_sort_plain(<#ident as __rt::Entity>::META, #key, #at, &[#(#plain),*]);
                };
            }
            quote_spanned! {span=>
                const _: () = __rt::#check(<#ident as __rt::Entity>::META, #key, #at);
            }
        })
    });
    let sharing = entity.shares_key_with.iter().map(|other| {
        let span = tokens::located(other.span());
        let table = tokens::moved(entity.table.to_token_stream(), other.span());
        quote_spanned! {span=>
            const _: bool = <<#other as __rt::Entity>::Table as __rt::SameTable<#table>>::IS_SAME;
        }
    });
    let inherited = entity.indexes.iter().enumerate();
    let inherited = inherited.filter(|(_, index)| index.inherits_pk);
    let inherited = inherited.map(|(n, index)| {
        let span = tokens::located(index.name.span());
        let n = Literal::usize_unsuffixed(n);
        quote_spanned!(span=> const _: () = __rt::check_local(<#ident as __rt::Entity>::META, #n);)
    });
    let decided = entity.indexes.iter().enumerate();
    let decided = decided.filter_map(|(n, index)| {
        let span = match index.when.as_ref()? {
            When::Field(field) => field.span,
            When::Function { path, .. } => path.span(),
        };
        let others = entity.indexes.iter().enumerate();
        let alike = others.filter(|(_, other)| index.is_decided_like(other));
        let alike = alike.map(|(n, _)| Literal::usize_unsuffixed(n));
        let (span, n) = (tokens::located(span), Literal::usize_unsuffixed(n));
        Some(quote_spanned!(span=> const _: () = __rt::check_when(<#ident as __rt::Entity>::META, #n, &[#(#alike),*]);))
    });
    let index_only = entity
        .fields
        .iter()
        .filter(|field| entity.is_index_only(field));
    let index_only = index_only.flat_map(|field| {
        let slots = entity.index_slots(field);
        slots.map(|(n, ..)| {
            let (name, n) = (field.ident.unraw().to_string(), Literal::usize_unsuffixed(n));
            let span = tokens::located(field.ident.span());
            quote_spanned!(span=> const _: () = __rt::check_index_only(<#ident as __rt::Entity>::META, #n, #name);)
        })
    });
    let span = tokens::located(ident.span());
    let check = if entity.delimiter.is_inherited {
        quote_spanned!(span=> check_entity)
    } else {
        quote_spanned!(span=> check_delimited_entity)
    };
    quote_spanned! {span=>
        #(#templates)*
        #(#sharing)*
        #(#inherited)*
        #(#decided)*
        #(#index_only)*
        const _: () = __rt::#check(<#ident as __rt::Entity>::META);
    }
}
