//! Templates as const data. `__rt` must be in scope.

use super::chain;
use super::parts;
use crate::model::{Entity, Index, Key, ManagedRole, Part, Piece, Role, Template};
use crate::template::{Format, LayoutItem};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// `<Discord as HasIndex<Name<'g', 's', 'i', '1'>>>`, all of it under the name that the user gave.
pub(super) fn has_index(entity: &Entity, index: &Index) -> TokenStream {
    let span = index.name.span();
    let table = tokens::moved(entity.table.to_token_stream(), span);
    let name = tokens::name(&quote!(__rt), &index.name.to_string(), span);
    let span = tokens::located(span);
    quote_spanned!(span=> <#table as __rt::HasIndex<#name>>)
}

/// `Secondary<Discord, Name<'g', 's', 'i', '1'>>`, all of it under the name that the user gave.
pub(super) fn secondary(entity: &Entity, index: &Index) -> TokenStream {
    let table = &entity.table;
    let name = tokens::name(&quote!(__rt), &index.name.to_string(), index.name.span());
    let span = tokens::located(index.name.span());
    quote_spanned!(span=> __rt::Secondary<#table, #name>)
}

/// `KeyTemplates { .. }` of the primary key or of an index.
pub(super) fn templates(entity: &Entity, key: &Key, index: Option<&Index>) -> TokenStream {
    let all = |templates: &[Template], role| {
        let templates = templates.iter().enumerate().map(|(n, one)| {
            let kind = kind(entity, one, index, role, n);
            let native = native(entity, one, index, role, n);
            template(one, &kind, native.as_ref(), index)
        });
        quote!(&[#(#templates),*])
    };
    let pk = all(&key.pk, Role::Partition);
    let sk = all(&key.sk, Role::Sort);
    quote!(__rt::KeyTemplates { pk: #pk, sk: #sk })
}

/// Whether an item may not be in an index. The types tell it where no function decides.
pub(super) fn is_sparse(entity: &Entity, index: &Index) -> TokenStream {
    if index.may_leave_out() {
        return quote!(true);
    }
    let own = index.key.templates();
    let own = own.filter(|(_, role, _)| !index.inherits_pk || *role == Role::Sort);
    let options = own.flat_map(|(template, role, at)| {
        let kind = kind(entity, template, Some(index), role, at);
        let parts = template.parts();
        let parts = parts.filter(|part| !part.or_empty && !part.takes_value());
        parts.map(move |part| {
            let ty = parts::ty(part);
            let span = tokens::located(ty.span());
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::IS_OPTION)
        })
    });
    let options: Vec<_> = options.collect();
    match options.as_slice() {
        [] => quote!(false),
        // Not `||`: behind a branch, rustc gives no reference in the const the lifetime `'static`.
        options => quote!(#(#options)|*),
    }
}

/// The type of the key attribute that a template is written to. Only a template that is one field can be anything but text.
pub(super) fn kind(
    entity: &Entity,
    template: &Template,
    index: Option<&Index>,
    role: Role,
    n: usize,
) -> TokenStream {
    if template.lone().is_none() {
        return quote!(__rt::S);
    }
    let Some(index) = index else {
        return table_kind(entity, role);
    };
    let span = tokens::located(index.name.span());
    let (index, role) = (has_index(entity, index), half(role));
    let n = Literal::usize_unsuffixed(n);
    quote_spanned!(span=> <#index::#role as __rt::At<#n>>::Kind)
}

/// The type of a key attribute of the table.
pub(super) fn table_kind(entity: &Entity, role: Role) -> TokenStream {
    let (table, role) = (&entity.table, half(role));
    quote!(<#table as __rt::Schema>::#role)
}

/// The types of the half of a key.
fn half(role: Role) -> TokenStream {
    match role {
        Role::Partition => quote!(Pk),
        Role::Sort => quote!(Sk),
    }
}

/// What follows the shape of a field that may be the key attribute by itself: which attributes these are, and which other keys have.
fn native(
    entity: &Entity,
    template: &Template,
    index: Option<&Index>,
    role: Role,
    n: usize,
) -> Option<TokenStream> {
    let part = template.lone().filter(|part| part.fields.len() == 1)?;
    let field = entity.field(&part.path)?;
    let is_free = entity.has_own_table() && !entity.has(ManagedRole::Unique);
    if field.key_only || index.is_none() && !is_free {
        return None;
    }
    let table = &entity.table;
    let key = quote!(<#table as __rt::Schema>::SCHEMA.key);
    let (attribute, n) = (&field.attribute, Literal::usize_unsuffixed(n));
    let half = match role {
        Role::Partition => quote!(pk),
        Role::Sort => quote!(sk),
    };
    let attributes = match index {
        None => quote!(#key.#half),
        Some(index) => {
            let index = has_index(entity, index);
            quote!(#index::INDEX.#half)
        }
    };
    let taken = tokens::option((!is_free).then(|| quote!(&#key)));
    Some(quote!(#attribute, #attributes, #n, #taken))
}

fn template(
    template: &Template,
    kind: &TokenStream,
    native: Option<&TokenStream>,
    index: Option<&Index>,
) -> TokenStream {
    let text = template.literal.value();
    let delimiter = tokens::delimiter(&template.delimiter);
    let fields = template.fields.iter().map(|field| match field.as_slice() {
        [] => quote!(__rt::lit("")),
        [Piece::Literal(text)] => quote!(__rt::lit(#text)),
        [Piece::Part(part)] => {
            let (name, shape, layout) = quoted_part(template, part, kind, index);
            let shape = match native {
                Some(native) => quote!(__rt::native(#shape, #native)),
                None => shape,
            };
            match layout {
                None => quote!(__rt::part(#name, #shape)),
                Some(layout) => quote!({
                    const __LAYOUT: &[__rt::LayoutItem] = &[#layout];
                    __rt::date(#name, #shape, __LAYOUT)
                }),
            }
        }
        pieces => {
            let pieces = pieces.iter().map(|piece| match piece {
                Piece::Literal(text) => quote!(__rt::Seg::Lit(#text)),
                Piece::Part(part) => {
                    let (name, shape, layout) = quoted_part(template, part, kind, index);
                    match layout {
                        None => quote!(__rt::Seg::Part(__rt::Part::new(#name, #shape))),
                        Some(layout) => quote!({
                            const __LAYOUT: &[__rt::LayoutItem] = &[#layout];
                            __rt::Seg::Part(__rt::Part::new(#name, #shape).with_layout(__LAYOUT))
                        }),
                    }
                }
            });
            quote!(__rt::mixed(&[#(#pieces),*]))
        }
    });
    quote!(__rt::Template { text: #text, delimiter: #delimiter, fields: &[#(#fields),*] })
}

/// The name, the shape and the layout of a placeholder.
fn quoted_part<'p>(
    template: &Template,
    part: &'p Part,
    kind: &TokenStream,
    index: Option<&Index>,
) -> (&'p str, TokenStream, Option<TokenStream>) {
    let shape =
        chain::shape(template, part, index).unwrap_or_else(|| plain_shape(part, kind, index));
    let shape = if part.or_empty {
        let ty = parts::ty(part);
        let span = tokens::located(ty.span());
        let is_option = quote_spanned!(span=> <#ty as __rt::OptionalPart>::IS_OPTION);
        quote!(__rt::optional(#is_option, &#shape))
    } else {
        shape
    };
    let layout = match &part.format {
        Some(Format::Layout(items)) => {
            let items = items.iter().map(layout_item);
            Some(quote!(#(#items),*))
        }
        _ => None,
    };
    (&part.path, shape, layout)
}

/// The shape of a value that is written as it is, or in a format.
fn plain_shape(part: &Part, kind: &TokenStream, index: Option<&Index>) -> TokenStream {
    let ty = parts::ty(part);
    let span = tokens::located(ty.span());
    let (plain, whole) = match index {
        None => (
            quote!(#ty),
            quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::SHAPE),
        ),
        Some(_) => (
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::Part),
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::SHAPE),
        ),
    };
    match (&part.format, part.rest) {
        (Some(Format::Width(width)), _) => {
            let width = Literal::u16_unsuffixed(u16::from(*width));
            let bound = quote_spanned!(span=> <#plain as __rt::Padded>::DIGITS);
            quote!(__rt::padded(#bound, #width))
        }
        (Some(Format::Plain), _) => {
            let bound = quote_spanned!(span=> <#plain as __rt::Padded>::DIGITS);
            quote!(__rt::plain(#bound))
        }
        (Some(Format::Len(length)), _) => {
            let length = Literal::u16_unsuffixed(*length);
            let bound = quote_spanned!(span=> <#plain as __rt::TextPart>::IS_TEXT);
            quote!(__rt::sized(#bound, #length))
        }
        (Some(Format::Layout(items)), _) => {
            let runs = Literal::usize_unsuffixed(items.iter().map(runs).sum());
            let bound = quote_spanned!(span=> <#plain as __rt::DatePart>::HAS_TIME);
            quote!({
                const __RUNS: [__rt::Run; #runs] = __rt::layout_runs(__LAYOUT);
                __rt::date_shape(#bound, __LAYOUT, &__RUNS)
            })
        }
        (None, true) => {
            let bound = quote_spanned!(span=> <#plain as __rt::TextPart>::IS_TEXT);
            quote!(__rt::rest(#bound))
        }
        (None, false) => whole,
    }
}

fn layout_item(item: &LayoutItem) -> TokenStream {
    let name = match item {
        LayoutItem::Literal(text) => return quote!(__rt::LayoutItem::Literal(#text)),
        LayoutItem::Year => quote!(Year),
        LayoutItem::Month => quote!(Month),
        LayoutItem::Day => quote!(Day),
        LayoutItem::Hour => quote!(Hour),
        LayoutItem::Minute => quote!(Minute),
        LayoutItem::Second => quote!(Second),
        LayoutItem::Millis => quote!(Millis),
        LayoutItem::Micros => quote!(Micros),
        LayoutItem::Nanos => quote!(Nanos),
        LayoutItem::DayOfYear => quote!(DayOfYear),
    };
    quote!(__rt::LayoutItem::#name)
}

/// How many runs of bytes an item of a layout writes: each byte of a text, and the digits of a number.
fn runs(item: &LayoutItem) -> usize {
    match item {
        LayoutItem::Literal(text) => text.len(),
        _ => 1,
    }
}
