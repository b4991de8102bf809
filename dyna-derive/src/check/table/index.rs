//! An index that a table declares.

use super::schema::attribute;
use super::settings::throughput;
use crate::attr::{IndexAttr, IndexProjectionAttr, KeyAttr, SettingsAttr};
use crate::error::Errors;
use crate::model::{IndexProjection, KeySchema, Scope};
use crate::tokens::LONGEST_NAME;
use syn::LitStr;

/// The key of the index, in a table with this partition key.
pub(super) fn index(
    index: &IndexAttr,
    table_pk: &KeyAttr,
    settings: &SettingsAttr,
    errors: &mut Errors,
) -> Option<KeySchema> {
    let pk = partition(index, table_pk, errors)?;
    check_sort(index, errors);
    if index.ident.to_string().chars().count() > LONGEST_NAME {
        errors.help(
            &index.ident,
            format_args!("the name of an index in Rust has at most {LONGEST_NAME} characters"),
            format_args!(
                "give it a short one, and its own as `index(short, name = \"{}\", ..)`",
                index.ident
            ),
        );
    }
    Some(KeySchema {
        name: index.real_name(),
        scope: if index.local {
            Scope::Local
        } else {
            Scope::Global
        },
        pk: pk.iter().map(attribute).collect(),
        sk: index.sk.all().iter().map(attribute).collect(),
        projection: index
            .projection
            .get()
            .map_or(IndexProjection::All, projection),
        throughput: throughput(settings, index, errors),
    })
}

/// The partition key: a local index has that of its table.
fn partition<'a>(
    index: &'a IndexAttr,
    table_pk: &'a KeyAttr,
    errors: &mut Errors,
) -> Option<&'a [KeyAttr]> {
    let table_pk = std::slice::from_ref(table_pk);
    match (index.pk.all(), index.local) {
        (pk @ [_, ..], false) => Some(pk),
        ([], true) => Some(table_pk),
        ([pk, ..], true) => {
            errors.help(
                &pk.name,
                "a local index has the partition key of its table",
                format_args!(
                    "leave `pk` out: `local_index({}, sk = \"..\")`",
                    index.ident
                ),
            );
            Some(table_pk)
        }
        ([], false) => {
            errors.help(
                &index.ident,
                format_args!("index `{}` has no partition key", index.ident),
                format_args!("write `index({}, pk = \"attribute\")`", index.ident),
            );
            None
        }
    }
}

/// A local index has one sort attribute.
fn check_sort(index: &IndexAttr, errors: &mut Errors) {
    if let (true, [_, second, ..]) = (index.local, index.sk.all()) {
        errors.help(
            &second.name,
            "a local index has one sort attribute",
            "declare a global index: `index(..)`",
        );
    }
    if index.local && index.sk.get().is_none() {
        errors.at(
            &index.ident,
            format_args!(
                "a local index has a sort key: `local_index({}, sk = \"..\")`",
                index.ident
            ),
        );
    }
}

fn projection(attr: &IndexProjectionAttr) -> IndexProjection {
    match attr {
        IndexProjectionAttr::All => IndexProjection::All,
        IndexProjectionAttr::KeysOnly => IndexProjection::KeysOnly,
        IndexProjectionAttr::Include(names) => {
            IndexProjection::Include(names.iter().map(LitStr::value).collect())
        }
    }
}
