//! What a table declares.

use super::index::index;
use super::limits::{check_indexes, check_name};
use super::settings::settings;
use crate::attr::{KeyAttr, TableAttr};
use crate::check::delimiter::{self, delimiter};
use crate::docs;
use crate::error::Errors;
use crate::model::{
    Declaration, IndexProjection, KeyAttribute, KeyKind, KeySchema, Schema, Scope, StreamViewType,
    TableIndex, const_name,
};
use syn::{Data, DeriveInput, Ident, LitStr};

/// What the table is, here or elsewhere.
pub(super) fn declaration(
    input: &DeriveInput,
    attr: TableAttr,
    errors: &mut Errors,
) -> Option<Declaration> {
    let Some(declared_at) = attr.schema.get() else {
        return schema(input, &attr, errors).map(|schema| Declaration::Here(Box::new(schema)));
    };
    if attr.declares {
        errors.at(
            declared_at,
            "the table is declared by its `schema`: give its name, key, indexes and other options there",
        );
    }
    attr.schema.into_inner().map(Declaration::At)
}

fn schema(input: &DeriveInput, attr: &TableAttr, errors: &mut Errors) -> Option<Schema> {
    let ident = &input.ident;
    let (Some(name), Some(pk)) = (attr.name.get(), attr.pk.get()) else {
        errors.help(
            ident,
            format_args!("table `{ident}` has no {}", if attr.pk.get().is_some() { "name" } else { "partition key" }),
            "write `name = \"table-name\", pk = \"pk\", sk = \"sk\"`: the names of the table and of its key attributes",
        );
        return None;
    };
    check_name(name, errors);
    let delimiter = delimiter(attr.delimiter.get(), errors);
    let delimiter = delimiter.unwrap_or_else(|| delimiter::DEFAULT.to_owned());
    let indexes = indexes(input, attr, pk, errors);
    check_indexes(attr, errors);
    Some(Schema {
        name: name.value(),
        doc: docs::first_paragraph(&docs::comment(&input.attrs)),
        key: KeySchema {
            name: String::new(),
            scope: Scope::Table,
            pk: vec![attribute(pk)],
            sk: attr.sk.get().map(attribute).into_iter().collect(),
            projection: IndexProjection::All,
            throughput: None,
        },
        indexes,
        tag: attr.tag.get().map(LitStr::value),
        ttl: attr.ttl.get().map(LitStr::value),
        stream: attr.stream.get().and_then(stream),
        settings: settings(&attr.settings),
        delimiter,
        stores_null: attr.nulls.get().is_some(),
    })
}

fn indexes(
    input: &DeriveInput,
    attr: &TableAttr,
    pk: &KeyAttr,
    errors: &mut Errors,
) -> Vec<TableIndex> {
    let taken = field_constants(input);
    let indexes = attr.indexes.iter().filter_map(|declared| {
        let constant = const_name(&declared.ident);
        Some(TableIndex {
            key: index(declared, pk, &attr.settings, errors)?,
            ident: declared.ident.clone(),
            constant: (!taken.contains(&constant)).then_some(constant),
        })
    });
    indexes.collect()
}

/// The constants that `DynaEntity` generates: of an entity that is its own table, a field of the same name has it.
fn field_constants(input: &DeriveInput) -> Vec<Ident> {
    let Data::Struct(data) = &input.data else {
        return Vec::new();
    };
    let names = data.fields.iter().filter_map(|field| field.ident.as_ref());
    names.map(const_name).collect()
}

pub(super) fn attribute(attr: &KeyAttr) -> KeyAttribute {
    KeyAttribute {
        name: attr.name.value(),
        kind: match attr.kind {
            crate::attr::KeyKind::S => KeyKind::S,
            crate::attr::KeyKind::N => KeyKind::N,
            crate::attr::KeyKind::B => KeyKind::B,
        },
    }
}

/// The view of a stream; `attr` has reported any other name.
fn stream(name: &LitStr) -> Option<StreamViewType> {
    Some(match name.value().as_str() {
        "keys_only" => StreamViewType::KeysOnly,
        "new_image" => StreamViewType::NewImage,
        "old_image" => StreamViewType::OldImage,
        "new_and_old_images" => StreamViewType::NewAndOldImages,
        _ => return None,
    })
}
