//! `#[derive(DynaProjection)]`: some fields of an entity.

use super::fields::{RawField, named_fields, raw_field};
use crate::attr::{FieldAttr, ProjectionAttr, ProjectionFieldAttr, SerdeAttr, crate_path};
use crate::error::Errors;
use crate::model::{ProjectedField, Projection};
use syn::{DeriveInput, FieldsNamed};

/// The projection, or all that is wrong with it.
pub(crate) fn projection(input: &DeriveInput) -> Result<Projection, Errors> {
    let mut errors = Errors::default();
    let projection = read(input, &mut errors);
    errors.into_result(projection)
}

fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Projection> {
    let ident = &input.ident;
    let attr = ProjectionAttr::parse(&input.attrs, errors);
    let Some(fields) = named_fields(input) else {
        errors.at(
            ident,
            "a projection is a struct with named fields, those of its entity",
        );
        return None;
    };
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{ident}` is generic, and a projection is one type"),
        );
    }
    let serde = SerdeAttr::parse(&input.attrs, errors);
    if let Some(form) = serde.other_form.as_ref().filter(|form| *form != "tag") {
        errors.help(
            form,
            format_args!("a projection is read field by field, and `{form}` reads another form"),
            "remove it from the struct",
        );
    }
    let fields = stored(fields, &serde, errors);
    if fields.is_empty() && errors.is_empty() {
        errors.help(
            ident,
            format_args!("`{ident}` reads no field"),
            "give it fields of its entity, with their names and types",
        );
    }
    let krate = crate_path(attr.krate.get());
    match attr.of.into_inner() {
        Some(of) => Some(Projection {
            ident: ident.clone(),
            krate,
            of,
            indexes: attr.indexes,
            fields,
            denies_unknown: serde.deny_unknown_fields,
        }),
        None => {
            // A misspelled option has been reported.
            if errors.is_empty() {
                errors.help(
                    ident,
                    format_args!("`{ident}` does not say what it is a projection of"),
                    "write `#[dyna(of = Entity)]`",
                );
            }
            None
        }
    }
}

/// The fields that are read, with their attributes.
fn stored(fields: &FieldsNamed, serde: &SerdeAttr, errors: &mut Errors) -> Vec<ProjectedField> {
    let mut stored = Vec::new();
    for field in &fields.named {
        let nested = ProjectionFieldAttr::parse(&field.attrs, errors).nested;
        if SerdeAttr::parse(&field.attrs, errors).flatten {
            errors.help(
                field,
                "a projection names the fields that it reads, and a flattened one has no name",
                "name them here",
            );
        }
        let raw = raw_field(field, serde, FieldAttr::default(), errors);
        let field = raw.and_then(RawField::stored);
        stored.extend(field.map(|field| ProjectedField { field, nested }));
    }
    stored
}
