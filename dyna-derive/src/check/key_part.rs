//! `#[derive(KeyPart)]`: newtypes take the shape of what they hold, fieldless enums are their words.

use crate::attr::{KeyPartAttr, SerdeAttr, crate_path, refuse};
use crate::error::Errors;
use crate::model::{KeyPart, PartForm};
use syn::ext::IdentExt;
use syn::{Data, DataEnum, DeriveInput, Fields, Ident};

const FORMS: &str = "`KeyPart` is derived for newtypes such as `struct UserId(String);` and for enums without fields";

/// The part of keys, or all that is wrong with it.
pub(crate) fn key_part(input: &DeriveInput) -> Result<KeyPart, Errors> {
    let mut errors = Errors::default();
    let attr = KeyPartAttr::parse(&input.attrs, &mut errors);
    let krate = crate_path(attr.krate.get());
    if !input.generics.params.is_empty() {
        errors.help(
            &input.generics,
            format_args!("`{}` is generic", input.ident),
            "implement `KeyPart` by hand",
        );
    }
    let part = form(input, &attr, &mut errors).map(|form| KeyPart {
        ident: input.ident.clone(),
        krate,
        form,
    });
    errors.into_result(part)
}

fn form(input: &DeriveInput, attr: &KeyPartAttr, errors: &mut Errors) -> Option<PartForm> {
    match &input.data {
        Data::Struct(data) if data.fields.len() == 1 => {
            let (member, field) = data.fields.members().zip(&data.fields).next()?;
            let inner = Box::new(field.ty.clone());
            Some(match attr.number.get() {
                Some(_) => PartForm::Number { member, inner },
                None => PartForm::Newtype { member, inner },
            })
        }
        Data::Enum(_) if attr.number.get().is_some() => {
            errors.help(
                &attr.number.get(),
                "an enum is no number",
                "remove `number`: an enum is written as its words",
            );
            None
        }
        Data::Enum(data) => words(input, data, errors).map(PartForm::Words),
        _ => {
            errors.at(&input.ident, FORMS);
            None
        }
    }
}

/// The variants and the words that serde writes for them.
fn words(
    input: &DeriveInput,
    data: &DataEnum,
    errors: &mut Errors,
) -> Option<Vec<(Ident, String)>> {
    let container = SerdeAttr::parse(&input.attrs, errors);
    if data.variants.is_empty() {
        errors.at(
            &input.ident,
            format_args!("enum `{}` has no variants", input.ident),
        );
    }
    let mut words: Vec<(Ident, String)> = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.at(variant, FORMS);
            return None;
        }
        refuse(&variant.attrs, "a word of a key", errors);
        let name = variant.ident.unraw().to_string();
        let serde = SerdeAttr::parse(&variant.attrs, errors);
        let word = serde.rename.unwrap_or_else(|| {
            container
                .rename_all
                .map_or(name.clone(), |case| case.variant(&name))
        });
        if word.is_empty() || word.contains('\u{10FFFF}') {
            errors.at(
                &variant.ident,
                "the word of a variant is not empty, and does not contain U+10FFFF",
            );
        }
        if words.iter().any(|(_, other)| *other == word) {
            errors.at(
                &variant.ident,
                format_args!("two variants are written as \"{word}\""),
            );
        }
        words.push((variant.ident.clone(), word));
    }
    Some(words)
}
