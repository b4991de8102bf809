//! Proofs about projections: each field reads the attribute that its entity stores, and each index holds the attributes that are read through it.

use crate::entity::projection::{ProjectedField, ProjectionMeta};
use crate::entity::{EntityMeta, FieldMeta, KeyFieldPlace};
use crate::schema::IndexSchema;
use crate::shape;
use crate::shape::ConstString;

/// Proves that field `at` of a projection is read from the attribute in which its struct stores it.
#[track_caller]
pub const fn check_projected_field(
    owner: &str,
    fields: &[FieldMeta],
    selection: &ProjectionMeta,
    selected: usize,
) {
    let field = &selection.fields[selected];
    // A struct with errors has no name, and enough errors.
    if owner.is_empty() {
        return;
    }
    let mut at = 0;
    while at < fields.len() {
        if shape::same(fields[at].name, field.name) {
            let stored = fields[at].attribute;
            if shape::same(stored, field.attribute) {
                check_with(owner, fields[at].with, selection, field);
                check_aliases(owner, &fields[at], selection, field);
                return;
            }
            let text = start(selection, field)
                .with("` is read from the attribute `")
                .with(field.attribute)
                .with("`, and `")
                .with(owner)
                .with("` stores it in `")
                .with(stored);
            let text = text
                .with("`\n\nwrite the `#[serde(rename_all = \"..\")]` of `")
                .with(owner);
            let text = text
                .with("` on `")
                .with(selection.name)
                .with("`, or `#[serde(rename = \"")
                .with(stored);
            panic!("{}", text.with("\")]` on the field").as_str())
        }
        at += 1;
    }
    let text = start(selection, field)
        .with("` has no attribute of its own in `")
        .with(owner)
        .with("`, which skips or flattens it");
    panic!("{}", text.with("\n\nleave it out").as_str())
}

/// A field is read as it is written: by the same function, or by the type itself. Of a nested projection, its own fields are compared.
#[track_caller]
const fn check_with(owner: &str, stored: &str, selection: &ProjectionMeta, field: &ProjectedField) {
    if same_end(stored, field.with) {
        return;
    }
    let text = start(selection, field).with("` is read by ");
    let text = by(text, field.with).with(", and `").with(owner);
    let text = by(text.with("` reads it by "), stored);
    let text = text.with("\n\nwrite the `with` of `").with(owner);
    let text = text.with("` on the field of `").with(selection.name);
    panic!("{}", text.with("`, or none where it has none").as_str())
}

const fn by(text: ConstString, with: &str) -> ConstString {
    if with.is_empty() {
        text.with("its type alone")
    } else {
        text.with("`").with(with).with("`")
    }
}

/// Whether one of two paths is the other, or its end: one may be shorter where a name was imported.
const fn same_end(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    if a.is_empty() || b.is_empty() {
        return a.is_empty() && b.is_empty();
    }
    while let ([rest @ .., x], [others @ .., y]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest, others);
    }
    matches!((a, b), ([] | [.., b':'], []) | ([], [.., b':']))
}

/// Proves that a projection reads a field under all names that its struct reads it under.
#[track_caller]
const fn check_aliases(
    owner: &str,
    stored: &FieldMeta,
    selection: &ProjectionMeta,
    field: &ProjectedField,
) {
    let mut at = 0;
    while at < stored.aliases.len() {
        let alias = stored.aliases[at].attribute;
        if !has_name(field, alias) {
            let text = start(selection, field)
                .with("` may be stored under its alias `")
                .with(alias)
                .with("`, and `")
                .with(selection.name);
            let text = text
                .with("` would not find it\n\nwrite the `#[serde(alias = \"")
                .with(alias)
                .with("\")]` of `")
                .with(owner);
            panic!("{}", text.with("` here too").as_str())
        }
        at += 1;
    }
}

const fn has_name(field: &ProjectedField, alias: &str) -> bool {
    let mut at = 0;
    while at < field.aliases.len() {
        if shape::same(field.aliases[at].attribute, alias) {
            return true;
        }
        at += 1;
    }
    false
}

const fn start(selection: &ProjectionMeta, field: &ProjectedField) -> ConstString {
    let text = ConstString::new().with("`").with(selection.name);
    text.with("`: field `").with(field.name)
}

/// Proves that an index holds every attribute that a projection reads.
#[track_caller]
pub const fn check_covered(
    meta: &'static EntityMeta,
    selection: &ProjectionMeta,
    index: &IndexSchema,
) {
    let mut at = 0;
    while at < selection.fields.len() {
        let field = &selection.fields[at];
        check_held(meta, selection, index, field.attribute);
        let mut alias = 0;
        while alias < field.aliases.len() {
            check_held(meta, selection, index, field.aliases[alias].attribute);
            alias += 1;
        }
        at += 1;
    }
}

#[track_caller]
const fn check_held(
    meta: &'static EntityMeta,
    selection: &ProjectionMeta,
    index: &IndexSchema,
    attribute: &str,
) {
    let is_held = match FieldMeta::stored_in(meta.fields, attribute) {
        Some(field) if field.index_only => {
            if !holds_index_only(meta, field.name, index) {
                fail_index_only(meta, selection, index, field.name);
            }
            true
        }
        Some(field) if field.key_only => true,
        _ => index.holds(&meta.schema.key, attribute),
    };
    if !is_held {
        let text = ConstString::new()
            .with("`")
            .with(selection.name)
            .with("` reads the attribute `")
            .with(attribute);
        let text = text
            .with("`, which the index `")
            .with(index.name)
            .with("` of `")
            .with(meta.schema.type_name);
        let text =
                text.with("` does not hold\n\nleave the field out, add the attribute to the index (`projection = include(\"");
        let text = text.with(attribute);
        panic!(
            "{}",
            text.with("\")`), or read whole entities with `.hydrate()`")
                .as_str()
        )
    }
}

#[track_caller]
const fn fail_index_only(
    meta: &EntityMeta,
    selection: &ProjectionMeta,
    index: &IndexSchema,
    field: &str,
) {
    let text = ConstString::new().with("`").with(selection.name);
    let text = text.with("` reads the field `").with(field);
    let text = text.with("`, which is stored in index keys alone, and the index `");
    let text = text
        .with(index.name)
        .with("` of `")
        .with(meta.schema.type_name);
    let text = text.with("` does not hold every key that may have it");
    let text = text.with("\n\nleave the field out, add the attributes of these keys to the index");
    panic!(
        "{}",
        text.with(" (`projection = include(\"..\")`), or read it with `.hydrate()`")
            .as_str()
    )
}

/// Whether an index holds a field that is stored in the keys of indexes alone: the attributes of a key that every item has which is read
/// here, or those of all keys that may have the field.
const fn holds_index_only(meta: &'static EntityMeta, field: &str, index: &IndexSchema) -> bool {
    let mut all = true;
    let mut n = 0;
    while n < meta.indexes.len() {
        let schema = meta.indexes[n].schema;
        if gives_back(meta, field, schema) {
            let held = holds_key(meta, index, schema);
            if held && (!meta.indexes[n].is_sparse || shape::same(schema.name, index.name)) {
                return true;
            }
            all &= held;
        }
        n += 1;
    }
    all
}

/// Whether a field that is stored in the keys of indexes alone can be read from the key of this one.
const fn gives_back(meta: &EntityMeta, field: &str, index: &IndexSchema) -> bool {
    let mut at = 0;
    while at < meta.key_fields.len() {
        if let KeyFieldPlace::IndexKeys(names) = meta.key_fields[at].place
            && shape::same(meta.key_fields[at].path, field)
        {
            let mut name = 0;
            while name < names.len() {
                if index.has_key(names[name].attribute) {
                    return true;
                }
                name += 1;
            }
        }
        at += 1;
    }
    false
}

/// Whether an index holds all attributes of the key of another.
const fn holds_key(meta: &EntityMeta, index: &IndexSchema, other: &IndexSchema) -> bool {
    let mut at = 0;
    while at < other.pk.len() + other.sk.len() {
        let attribute = if at < other.pk.len() {
            &other.pk[at]
        } else {
            &other.sk[at - other.pk.len()]
        };
        if !index.holds(&meta.schema.key, attribute.name) {
            return false;
        }
        at += 1;
    }
    true
}
