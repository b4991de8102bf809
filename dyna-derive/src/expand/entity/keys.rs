//! The fields that fill the templates of keys, and those that a key gives back. `__rt` must be in scope.

use super::parts;
use super::templates::{kind, table_kind};
use crate::model::{Entity, Index, Key, KeySlot, Part, Role, Template};
use crate::template::Function;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// `write_keys`: the fields that fill each template.
pub(super) fn write_keys(entity: &Entity) -> TokenStream {
    let of_self = |part: &Part| {
        let (access, ty) = (parts::access(part), parts::ty(part));
        let span = tokens::located(ty.span());
        quote_spanned!(span=> &self.#access)
    };
    let (pk, sk) = own(entity, &entity.key, None, &of_self, &|_| None);
    let indexes = entity.indexes.iter().enumerate().map(|(n, index)| {
        let (pk, sk) = own(entity, &index.key, Some(index), &of_self, &|_| None);
        quote!(out.index(#n, #pk, #sk);)
    });
    quote! {
        fn write_keys(&self, out: &mut __rt::KeyWriter) {
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
                None => own_part(template, part, &kind, index, &access(part)),
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
    access: &TokenStream,
) -> TokenStream {
    let ty = parts::ty(part);
    let span = tokens::located(ty.span());
    match (index, &part.function) {
        (_, Some(function @ Function::Path(_))) => {
            let call = call(function, template);
            match (index, part.is_optional()) {
                (None, _) => quote!(__rt::apply(#call(#access))),
                (Some(_), false) => tokens::option(Some(quote!(__rt::apply(#call(#access))))),
                (Some(_), true) => {
                    quote!((#access).as_ref().map(|part| __rt::apply(#call(part))))
                }
            }
        }
        (None, None) => quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::own(#access)),
        (None, Some(function)) => {
            let call = call(function, template);
            quote_spanned!(span=> #call(<#ty as __rt::KeyOf<#kind>>::own(#access)))
        }
        (Some(_), None) => {
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::own(#access))
        }
        (Some(_), Some(function)) => {
            let call = call(function, template);
            let own = quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::own(#access));
            quote!(#own.map(#call))
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
            fn read_keys(__key: &__rt::Parsed<'_>, out: &mut __rt::KeyReader) {
                #(#fields)*
            }
        }
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

/// The call of a built-in function.
pub(super) fn call(function: &Function, template: &Template) -> TokenStream {
    match function {
        Function::Sha256 => quote!(__rt::sha256),
        Function::Lower => quote!(__rt::lower),
        Function::Upper => quote!(__rt::upper),
        Function::Shard(buckets) => quote!(__rt::shard::<#buckets>),
        Function::Path(path) => user_path(path, template),
    }
}

/// The path of a function of the user's, at the place of the template that names it.
pub(super) fn user_path(path: &str, template: &Template) -> TokenStream {
    tokens::moved(path.parse().unwrap_or_default(), template.literal.span())
}
