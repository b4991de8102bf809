//! The fields that fill the templates of keys, and those that a key gives back. `__rt` must be in scope.

use super::chain;
use super::of_self;
use super::parts;
use super::templates::{kind, table_kind};
use crate::model::{Entity, Index, Key, KeySlot, Part, Role, Template, When};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// `write_keys`: the fields that fill each template.
pub(super) fn write_keys(entity: &Entity) -> TokenStream {
    let of_self = |part: &Part| {
        let (place, ty) = (of_self::place(entity, part), parts::ty(part));
        let span = tokens::located(ty.span());
        quote_spanned!(span=> &#place)
    };
    let (pk, sk) = own(entity, &entity.key, None, &of_self, &|_| None);
    let indexes = entity.indexes.iter().enumerate().map(|(n, index)| {
        let (pk, sk) = own(entity, &index.key, Some(index), &of_self, &|_| None);
        let write = quote!(out.index(#n, #pk, #sk););
        match &index.when {
            None => write,
            Some(When::Field(field)) => {
                let place = of_self::place(entity, field);
                quote!(if #place { #write })
            }
            Some(When::Function { path, .. }) => {
                let span = tokens::located(path.span());
                quote_spanned!(span=> if #path(self) { #write })
            }
        }
    });
    let fields = entity.indexes.iter().flat_map(Index::fields);
    let taken = of_self::taken(entity, entity.key.parts().chain(fields));
    quote! {
        fn write_keys(&self, out: &mut __rt::KeyWriter) {
            #taken
            out.primary::<Self>(#pk, #sk);
            #(#indexes)*
        }
    }
}

/// The fields that fill the templates of a key, as two tuples. `access` is how to get at a field, and `written` is what a
/// placeholder of an index is known to write.
pub(super) fn own(
    entity: &Entity,
    key: &Key,
    index: Option<&Index>,
    access: &dyn Fn(&Part) -> TokenStream,
    written: &dyn Fn(&Part) -> Option<TokenStream>,
) -> (TokenStream, TokenStream) {
    let half = |templates: &[Template], role: Role| {
        let parts = templates.iter().enumerate().flat_map(|(n, template)| {
            let kind = kind(entity, template, index, role, n);
            let parts = template.parts();
            parts.map(move |part| match written(part) {
                Some(written) => tokens::option(Some(written)),
                None => own_part(template, part, &kind, index, access),
            })
        });
        quote!((#(#parts,)*))
    };
    (half(&key.pk, Role::Partition), half(&key.sk, Role::Sort))
}

/// A field as a part of a key.
fn own_part(
    template: &Template,
    part: &Part,
    kind: &TokenStream,
    index: Option<&Index>,
    access: &dyn Fn(&Part) -> TokenStream,
) -> TokenStream {
    if part.or_empty {
        let part = Part {
            or_empty: false,
            ..part.clone()
        };
        let own = own_part(template, &part, kind, index, access);
        return tokens::option(Some(quote!(__rt::or_empty(#own))));
    }
    let ty = parts::ty(part);
    let span = tokens::located(ty.span());
    if !part.inputs.is_empty() {
        let inputs = part.inputs.iter().map(access);
        let made = chain::of_several(template, part, inputs);
        return tokens::option(Some(made));
    }
    let access = access(part);
    let written = match index {
        _ if part.takes_value() => {
            return match (index, part.is_optional()) {
                (None, _) => chain::of_value(template, part, access),
                (Some(_), false) => tokens::option(Some(chain::of_value(template, part, access))),
                (Some(_), true) => {
                    let made = chain::of_value(template, part, quote!(part));
                    quote!((#access).as_ref().map(|part| #made))
                }
            };
        }
        None => quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::own(#access)),
        Some(_) => quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::own(#access)),
    };
    match index {
        _ if part.functions.is_empty() => written,
        None => chain::of_written(template, part, written),
        Some(_) => {
            let mapped = chain::mapped(template, part);
            quote!(#written.map(#mapped))
        }
    }
}

/// `read_keys`: the fields that the key holds as they are.
pub(super) fn read_keys(entity: &Entity) -> Option<TokenStream> {
    let fields: Vec<_> = entity
        .fields
        .iter()
        .filter_map(|field| {
            let attribute = &field.attribute;
            let name = field.ident.unraw().to_string();
            let part = entity.key.parts().find(|part| part.path == name)?;
            let slot = entity.slot(part)?;
            let (found, read) = (slot_text(slot), read_part(entity, part, slot));
            let write = match &field.serialize {
                Some(function) => {
                    quote!(|__value| __rt::stored(#function(__value, __rt::ValueWriter::OMITTING)))
                }
                None => quote!(__rt::to_value),
            };
            Some(quote!(out.field(#attribute, #found, #read, #write);))
        })
        .collect();
    (!fields.is_empty()).then(|| {
        quote! {
            fn read_keys(__key: &__rt::ParsedKey<'_>, out: &mut __rt::KeyReader) {
                #(#fields)*
            }
        }
    })
}

/// `INDEX_KEYS`: reads the fields that are stored in the keys of indexes alone.
pub(super) fn read_index_keys(entity: &Entity) -> Option<TokenStream> {
    let fields = entity.fields.iter();
    let fields = fields.filter(|field| entity.is_index_only(field));
    let mut arms: Vec<Vec<TokenStream>> = entity.indexes.iter().map(|_| Vec::new()).collect();
    for field in fields {
        for (n, part, slot) in entity.index_slots(field) {
            let (index, attribute) = (&entity.indexes[n], &field.attribute);
            let kind = match index
                .key
                .templates()
                .find(|(_, role, at)| (*role, *at) == (slot.role, slot.template))
            {
                Some((template, role, at)) => kind(entity, template, Some(index), role, at),
                None => quote!(__rt::S),
            };
            let ty = parts::ty(part);
            let span = tokens::located(ty.span());
            let read = quote_spanned!(span=> <<#ty as __rt::IndexOf<#kind>>::Part as __rt::KeyOf<#kind>>::read);
            let found = slot_text(slot);
            arms[n].push(quote!(__out.index_field(#attribute, #found, #read, __rt::to_value);));
        }
    }
    if arms.iter().all(Vec::is_empty) {
        return None;
    }
    let arms = arms
        .iter()
        .enumerate()
        .filter(|(_, fields)| !fields.is_empty());
    let arms = arms.map(|(n, fields)| quote!(#n => { #(#fields)* }));
    let read = quote!(|__index, __key, __out| match __index { #(#arms)* _ => {} });
    let read = tokens::option(Some(read));
    Some(quote! {
        const INDEX_KEYS: ::core::option::Option<__rt::ReadIndexKeys> = #read;
    })
}

/// The text of a placeholder in the parsed key `__key`.
pub(super) fn slot_text(slot: KeySlot) -> TokenStream {
    let n = Literal::usize_unsuffixed(slot.n);
    match slot.role {
        Role::Partition => quote!(__key.pk(#n)),
        Role::Sort => quote!(__key.sk(#n)),
    }
}

/// The value of a field from the parsed key `__key`.
pub(super) fn read(entity: &Entity, part: &Part, slot: KeySlot) -> TokenStream {
    let (read, text) = (read_part(entity, part, slot), slot_text(slot));
    quote!(#read(#text))
}

/// What reads a field from the text that a key has of it.
fn read_part(entity: &Entity, part: &Part, slot: KeySlot) -> TokenStream {
    let kind = if slot.is_whole {
        table_kind(entity, slot.role)
    } else {
        quote!(__rt::S)
    };
    let ty = parts::ty(part);
    let span = tokens::located(ty.span());
    quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::read)
}
