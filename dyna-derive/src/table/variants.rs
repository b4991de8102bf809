//! The variants of a table: one for each entity, and one for all other items.

use crate::attr::VariantAttr;
use crate::error::Errors;
use quote::ToTokens;
use syn::{DataEnum, Fields, Type, Variant};

/// The variants of the entities, and the one of `#[dyna(unknown)]`.
pub(super) fn split<'d>(
    data: &'d DataEnum,
    errors: &mut Errors,
) -> (Vec<&'d Variant>, Option<&'d Variant>) {
    let (mut entities, mut unknown) = (Vec::new(), None);
    for variant in &data.variants {
        if !VariantAttr::parse(&variant.attrs, errors).unknown {
            entities.push(variant);
        } else if unknown.replace(variant).is_some() {
            errors.at(
                &variant.ident,
                "a table has one variant for unknown items, and this is the second",
            );
        }
    }
    (entities, unknown)
}

/// The entities of the variants, or what is wrong with them.
pub(super) fn entities(data: &DataEnum, errors: &mut Errors) -> Vec<Type> {
    let (variants, unknown) = split(data, errors);
    for (at, variant) in variants.iter().enumerate() {
        let entity = variant.fields.to_token_stream().to_string();
        let mut earlier = variants.iter().take(at);
        if earlier.any(|other| other.fields.to_token_stream().to_string() == entity) {
            errors.at(&variant.ident, "this entity is listed already");
        }
    }
    if let Some(variant) = unknown.filter(|variant| held(variant).is_none()) {
        errors.help(
            variant,
            "the variant for unknown items holds an item",
            format_args!(
                "write `#[dyna(unknown)] {}(dyna_runtime::codec::Item)`",
                variant.ident
            ),
        );
    }
    let entities = variants.into_iter().filter_map(|variant| {
        let entity = held(variant);
        if entity.is_none() {
            errors.help(
                variant,
                "a variant of a table holds one entity",
                format_args!("write `{0}({0})`", variant.ident),
            );
        }
        entity.cloned()
    });
    entities.collect()
}

/// What a variant holds, if it is one thing.
fn held(variant: &Variant) -> Option<&Type> {
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            fields.unnamed.first().map(|field| &field.ty)
        }
        _ => None,
    }
}
