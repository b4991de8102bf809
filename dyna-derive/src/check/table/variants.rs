//! The variants of a table: one for each entity, and one for all other items.

use crate::attr::VariantAttr;
use crate::error::Errors;
use crate::model::{Entities, Member};
use quote::ToTokens;
use syn::{DataEnum, Fields, Ident, Type, Variant};

/// The entities of the variants, or what is wrong with them.
pub(super) fn variants(table: &Ident, data: &DataEnum, errors: &mut Errors) -> Entities {
    let (listed, unknown) = split(data, errors);
    check_twice(&listed, errors);
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
    let members = listed.iter().filter_map(|variant| member(variant, errors));
    let members = members.collect();
    if listed.is_empty() {
        errors.help(
            table,
            format_args!("table `{table}` lists no entity"),
            "write a variant for each, such as `User(User)`",
        );
    }
    Entities::Variants {
        members,
        unknown: unknown.map(|variant| variant.ident.clone()),
    }
}

/// The variants of the entities, and the one of `#[dyna(unknown)]`.
fn split<'d>(data: &'d DataEnum, errors: &mut Errors) -> (Vec<&'d Variant>, Option<&'d Variant>) {
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

fn check_twice(variants: &[&Variant], errors: &mut Errors) {
    let entity = |variant: &Variant| variant.fields.to_token_stream().to_string();
    for (at, variant) in variants.iter().enumerate() {
        let mut earlier = variants[..at].iter();
        if earlier.any(|other| entity(other) == entity(variant)) {
            errors.at(&variant.ident, "this entity is listed already");
        }
    }
}

fn member(variant: &Variant, errors: &mut Errors) -> Option<Member> {
    let entity = held(variant);
    if entity.is_none() {
        errors.help(
            variant,
            "a variant of a table holds one entity",
            format_args!("write `{0}({0})`", variant.ident),
        );
    }
    Some(Member {
        variant: variant.ident.clone(),
        entity: entity?.clone(),
    })
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
