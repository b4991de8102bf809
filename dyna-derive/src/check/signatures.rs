//! What can be told of an entity with errors. Reports nothing: `entity` has.

use super::fields::named_fields;
use super::names::{ENTITY_FUNCTIONS, TABLE_FUNCTIONS};
use super::templates::arg_name;
use crate::attr::{EntityAttr, IndexUse, TableRef, crate_path};
use crate::error::Errors;
use crate::model::{Constant, IndexSignature, KeySignature, Signatures, const_name};
use crate::template;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, FieldsNamed, Ident, LitStr};

/// The signatures of a struct; one without named fields has no constants.
pub(crate) fn signatures(input: &DeriveInput) -> Option<Signatures> {
    if !matches!(input.data, Data::Struct(_)) || !input.generics.params.is_empty() {
        return None;
    }
    let mut reported = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut reported);
    reported.discard();
    let table = attr.table.get().map(|table| match table {
        TableRef::Of(path) => path.clone(),
        TableRef::Own(_) => input.ident.clone().into(),
    });
    Some(Signatures {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        krate: crate_path(attr.krate.get()),
        table,
        key: key(attr.pk.as_slice(), attr.sk.as_slice()),
        indexes: indexes(&attr.indexes),
        constants: named_fields(input).map(constants).unwrap_or_default(),
    })
}

fn key(pk: &[LitStr], sk: &[LitStr]) -> KeySignature {
    let (pk, sk) = (paths(pk).filter(|_| !pk.is_empty()), paths(sk));
    let all: Vec<_> = [&pk, &sk]
        .into_iter()
        .flatten()
        .flatten()
        .cloned()
        .collect();
    let names = |paths: &[Vec<String>]| -> Option<Vec<Ident>> {
        paths.iter().map(|path| arg_name(path, &all)).collect()
    };
    KeySignature {
        args: pk.as_ref().zip(sk.as_ref()).and(names(&all)).map(distinct),
        partition: pk.and_then(|pk| names(&pk)).map(distinct),
        steps: sk.and_then(|sk| names(&sk)).unwrap_or_default(),
    }
}

/// The paths of all placeholders, if the templates can be read.
fn paths(literals: &[LitStr]) -> Option<Vec<Vec<String>>> {
    let templates = literals
        .iter()
        .map(|literal| template::parse(&literal.value()).ok());
    let templates = templates.collect::<Option<Vec<_>>>()?;
    let placeholders = templates.iter().flat_map(template::Template::placeholders);
    Some(placeholders.map(|one| one.path.clone()).collect())
}

fn distinct(args: Vec<Ident>) -> Vec<Ident> {
    let mut seen = Vec::new();
    for arg in args {
        if !seen.contains(&arg) {
            seen.push(arg);
        }
    }
    seen
}

/// The indexes, each function once.
fn indexes(uses: &[IndexUse]) -> Vec<IndexSignature> {
    let mut indexes: Vec<IndexSignature> = Vec::new();
    for index in uses {
        let accessor = index.accessor.get().unwrap_or(&index.name);
        let name = accessor.unraw().to_string();
        let is_taken = ENTITY_FUNCTIONS.contains(&name.as_str())
            || TABLE_FUNCTIONS.contains(&name.as_str())
            || indexes.iter().any(|other| {
                other.name == index.name
                    || other.accessor.unraw().to_string().trim_end_matches("_many")
                        == name.trim_end_matches("_many")
            });
        if !is_taken {
            indexes.push(IndexSignature {
                name: index.name.clone(),
                accessor: accessor.clone(),
                key: key(index.pk.all(), index.sk.all()),
            });
        }
    }
    indexes
}

/// The constants of fields, each name once.
fn constants(fields: &FieldsNamed) -> Vec<Constant> {
    let mut constants: Vec<Constant> = Vec::new();
    for field in &fields.named {
        let Some(name) = field.ident.as_ref().map(const_name) else {
            continue;
        };
        if constants.iter().all(|other| other.name != name) {
            constants.push(Constant {
                name,
                vis: field.vis.clone(),
                ty: field.ty.clone(),
            });
        }
    }
    constants
}
