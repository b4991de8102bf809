//! `#[derive(DynaFields)]`: what templates and conditions may reach inside of a nested struct.

use super::fields::{RawField, check_attributes, named_fields, raw_field};
use super::names::check_consts;
use crate::attr::{FieldAttr, SerdeAttr, crate_path, parse_crate, refuse};
use crate::error::Errors;
use crate::model::{Field, Nested, Reachable};
use crate::tokens::LONGEST_NAME;
use syn::ext::IdentExt;
use syn::{DeriveInput, FieldsNamed, Visibility};

/// The nested struct, or all that is wrong with it.
pub(crate) fn nested(input: &DeriveInput) -> Result<Nested, Errors> {
    let mut errors = Errors::default();
    let krate = crate_path(parse_crate(&input.attrs, &mut errors).get());
    let ident = &input.ident;
    let Some(named) = named_fields(input) else {
        errors.at(
            ident,
            "`DynaFields` is derived for structs with named fields",
        );
        return Err(errors);
    };
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{ident}` is generic, and the fields of a key have one type"),
        );
    }
    let fields = stored(input, named, &mut errors);
    errors.into_result(Some(Nested {
        ident: ident.clone(),
        krate,
        reachable: reachable(input, named, &fields),
        fields,
    }))
}

/// What templates reach of a nested struct with errors. Reports nothing: `nested` has.
pub(crate) fn reachable_fields(input: &DeriveInput) -> Option<Nested> {
    let fields = named_fields(input).filter(|_| input.generics.params.is_empty())?;
    let mut reported = Errors::default();
    let krate = crate_path(parse_crate(&input.attrs, &mut reported).get());
    reported.discard();
    Some(Nested {
        ident: input.ident.clone(),
        krate,
        fields: Vec::new(),
        reachable: reachable(input, fields, &[]),
    })
}

/// The fields that have a place of their own in what is stored.
fn stored(input: &DeriveInput, fields: &FieldsNamed, errors: &mut Errors) -> Vec<Field> {
    let serde = SerdeAttr::parse(&input.attrs, errors);
    // A tag is stored beside the fields.
    if let Some(form) = serde.other_form.as_ref().filter(|form| *form != "tag") {
        errors.help(
            form,
            format_args!(
                "`{form}` changes how `{}` is stored, so `DynaFields` cannot know its attributes",
                input.ident
            ),
            format_args!(
                "remove it, or do not derive `DynaFields` for `{}`",
                input.ident
            ),
        );
    }
    let mut raw = Vec::new();
    for field in &fields.named {
        refuse(&field.attrs, "a field of a nested struct", errors);
        raw.extend(raw_field(field, &serde, FieldAttr::default(), errors));
    }
    check_attributes(raw.iter(), errors);
    let stored: Vec<_> = raw.into_iter().filter_map(RawField::stored).collect();
    check_consts(stored.iter(), errors);
    stored
}

/// The fields that a template can name.
fn reachable(input: &DeriveInput, fields: &FieldsNamed, stored: &[Field]) -> Vec<Reachable> {
    let private = matches!(input.vis, Visibility::Inherited);
    let reachable = fields.named.iter().filter_map(|field| {
        let ident = field.ident.as_ref()?;
        // A private field of a public struct may have a private type, which no trait may show.
        let hidden = !private && matches!(field.vis, Visibility::Inherited);
        let too_long = ident.unraw().to_string().chars().count() > LONGEST_NAME;
        (!hidden && !too_long).then(|| Reachable {
            ident: ident.clone(),
            ty: field.ty.clone(),
            stored: stored.iter().position(|stored| stored.ident == *ident),
        })
    });
    reachable.collect()
}
