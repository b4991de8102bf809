//! Templates as const data. `__rt` must be in scope.

use super::keys::user_path;
use super::parts;
use crate::model::{Entity, Index, Key, Part, Piece, Role, Template};
use crate::template::{Format, Function, LayoutItem};
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
            template(entity, one, &kind, index)
        });
        quote!(&[#(#templates),*])
    };
    let pk = all(&key.pk, Role::Partition);
    let sk = all(&key.sk, Role::Sort);
    quote!(__rt::KeyTemplates { pk: #pk, sk: #sk })
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

fn template(
    entity: &Entity,
    template: &Template,
    kind: &TokenStream,
    index: Option<&Index>,
) -> TokenStream {
    let text = template.literal.value();
    let delimiter = Literal::byte_character(entity.delimiter);
    let fields = template.fields.iter().map(|field| match field.as_slice() {
        [] => quote!(__rt::lit("")),
        [Piece::Literal(text)] => quote!(__rt::lit(#text)),
        [Piece::Part(part)] => {
            let (name, shape, layout) = quoted_part(template, part, kind, index);
            match layout {
                None => quote!(__rt::part(#name, #shape)),
                Some(layout) => quote!(__rt::date(#name, #shape, &[#layout])),
            }
        }
        pieces => {
            let pieces = pieces.iter().map(|piece| match piece {
                Piece::Literal(text) => quote!(__rt::Seg::Lit(#text)),
                Piece::Part(part) => {
                    let (name, shape, layout) = quoted_part(template, part, kind, index);
                    quote!(__rt::Seg::Part(__rt::Part { name: #name, shape: #shape, layout: &[#layout] }))
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
    let shape = match &part.function {
        Some(function) => function_shape(function, template),
        None => plain_shape(part, kind, index),
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

/// The shape of what a function makes of a value.
fn function_shape(function: &Function, template: &Template) -> TokenStream {
    let built_in = match function {
        Function::Sha256 => quote!(__rt::Sha256),
        Function::Lower => quote!(__rt::Lower),
        Function::Upper => quote!(__rt::Upper),
        Function::Shard(buckets) => quote!(__rt::Shard<#buckets>),
        Function::Path(path) => {
            let path = user_path(path, template);
            return quote!(__rt::shape_of(#path));
        }
    };
    quote!(<#built_in as __rt::Function>::SHAPE)
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
        (Some(Format::Len(length)), _) => {
            let length = Literal::u16_unsuffixed(*length);
            let bound = quote_spanned!(span=> <#plain as __rt::TextPart>::IS_TEXT);
            quote!(__rt::sized(#bound, #length))
        }
        (Some(Format::Layout(items)), _) => {
            let runs = items.iter().flat_map(runs);
            let bound = quote_spanned!(span=> <#plain as __rt::DatePart>::HAS_TIME);
            let needs_time = items.iter().any(LayoutItem::is_time);
            quote!(__rt::laid_out(#bound, #needs_time, &[#(#runs),*]))
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

/// The bytes that an item of a layout writes.
fn runs(item: &LayoutItem) -> Vec<TokenStream> {
    let digits: u16 = match item {
        LayoutItem::Literal(text) => {
            return text.bytes().map(|byte| quote!(__rt::byte(#byte))).collect();
        }
        LayoutItem::Year => 4,
        LayoutItem::Millis | LayoutItem::DayOfYear => 3,
        LayoutItem::Micros => 6,
        LayoutItem::Nanos => 9,
        _ => 2,
    };
    vec![quote!(__rt::run(__rt::DIGIT, #digits))]
}
