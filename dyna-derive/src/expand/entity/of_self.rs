//! The fields of `self`: of a struct, or of whichever variant of an enum it is.

use super::parts;
use crate::model::{Entity, Part};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

/// Takes the fields that placeholders begin with out of a variant of an enum, as references: `place` names them.
pub(super) fn taken<'p>(
    entity: &Entity,
    parts: impl Iterator<Item = &'p Part>,
) -> Option<TokenStream> {
    let variants = &entity.variants.as_ref()?.list;
    let mut fields: Vec<&Ident> = Vec::new();
    for field in parts.filter_map(|part| part.fields.first()) {
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    let variables: Vec<_> = fields.iter().map(|field| variable(field)).collect();
    let patterns = variants.iter().map(|variant| {
        let ident = &variant.ident;
        quote!(Self::#ident { #(#fields: #variables,)* .. })
    });
    (!fields.is_empty()).then(|| quote!(let (#(#patterns)|*) = self;))
}

/// The place of a field: `self.data.email`, or `(*__self_data).email`.
pub(super) fn place(entity: &Entity, part: &Part) -> TokenStream {
    match part.fields.split_first() {
        Some((first, inner)) if entity.variants.is_some() => {
            let first = variable(first);
            quote!((*#first)#(.#inner)*)
        }
        _ => {
            let access = parts::access(part);
            quote!(self.#access)
        }
    }
}

/// What a field of a variant is called.
pub(super) fn variable(field: &Ident) -> Ident {
    format_ident!("__self_{}", field.unraw())
}
