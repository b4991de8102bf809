//! What a table can be derived on: an enum of entities, a unit struct, or an entity that is its own table.

use super::schema::declaration;
use super::variants::variants;
use crate::attr::{EntityAttr, TableAttr, TableRef, crate_path};
use crate::error::Errors;
use crate::model::{Entities, Table};
use syn::{Data, DeriveInput, Fields};

/// The table, or all that is wrong with it.
pub(crate) fn table(input: &DeriveInput) -> Result<Table, Errors> {
    let mut errors = Errors::default();
    let Some((attr, entities)) = read(input, &mut errors) else {
        return Err(errors);
    };
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{}` is generic, and a table is one type", input.ident),
        );
    }
    let krate = crate_path(attr.krate.get());
    let table = declaration(input, attr, &mut errors).map(|declaration| Table {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        krate,
        declaration,
        entities,
        embedded: cfg!(feature = "embedded"),
        simulated: cfg!(feature = "simulate"),
    });
    errors.into_result(table)
}

/// The options, wherever they are, and the entities.
fn read(input: &DeriveInput, errors: &mut Errors) -> Option<(TableAttr, Entities)> {
    match &input.data {
        Data::Enum(_) if is_own_table(input) => {
            own_table(input, errors).map(|attr| (attr, Entities::Itself))
        }
        Data::Enum(data) => {
            let entities = variants(&input.ident, data, errors);
            Some((TableAttr::parse(&input.attrs, errors), entities))
        }
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => {
            Some((TableAttr::parse(&input.attrs, errors), Entities::None))
        }
        Data::Struct(_) => own_table(input, errors).map(|attr| (attr, Entities::Itself)),
        Data::Union(_) => {
            errors.at(
                &input.ident,
                "a table is an enum of its entities, and this is a union",
            );
            None
        }
    }
}

/// Whether an entity says that it is its own table, so that an enum is no list of others.
pub(crate) fn is_own_table(input: &DeriveInput) -> bool {
    let mut judged = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut judged);
    judged.discard();
    matches!(attr.table.get(), Some(TableRef::Own(_)))
}

/// The options of an entity that is its own table.
fn own_table(input: &DeriveInput, errors: &mut Errors) -> Option<TableAttr> {
    let mut judged = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut judged);
    // They are for `DynaEntity` to report.
    if judged.discard() {
        return None;
    }
    let Some(TableRef::Own(own)) = attr.table.into_inner() else {
        errors.help(
            &input.ident,
            format_args!("`{}` does not say what its table is", input.ident),
            "write `#[dyna(table(name = \"..\", pk = \"..\"), ..)]`, \
             or derive `DynaTable` on an enum that lists the entities of the table",
        );
        return None;
    };
    Some(TableAttr {
        krate: attr.krate,
        ..*own
    })
}
