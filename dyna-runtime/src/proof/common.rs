//! Helpers of several proofs: the keys of an entity, and the beginnings of messages.

use crate::entity::{EntityMeta, KeyRef};
use crate::schema::{IndexSchema, KeyAttribute};
use crate::shape::{ConstString, Keys, Template};

/// How a message about an entity begins. Messages are only put together where they are shown: that is slow in `const`.
pub(super) const fn of(meta: &EntityMeta) -> ConstString {
    ConstString::new().with("`").with(meta.name).with("`: ")
}

/// The entity, and the table or the index that is meant.
pub(super) const fn key_of(meta: &EntityMeta, schema: &IndexSchema) -> ConstString {
    let text = of(meta);
    if schema.name.is_empty() {
        text.with("the table `")
            .with(meta.schema.type_name)
            .with("`")
    } else {
        text.with("the index `").with(schema.name).with("`")
    }
}

pub(super) const fn keys_of(meta: &EntityMeta) -> Keys {
    Keys {
        entity: meta.name,
        pk: meta.key.pk[0],
        sk: match meta.key.sk {
            [] => None,
            [sk, ..] => Some(*sk),
        },
    }
}

/// Attribute `at` of a key and its template: those of the partition key come first. None, if too few templates are given:
/// [`check_counts`] says so, and no other proof that is made of the same mistake.
pub(super) const fn slot(
    meta: &'static EntityMeta,
    key: KeyRef,
    at: usize,
) -> Option<(&'static KeyAttribute, &'static Template)> {
    let (schema, keys) = (meta.index(key), meta.templates(key));
    let (attributes, templates, at) = match at.checked_sub(schema.pk.len()) {
        None => (schema.pk, keys.pk, at),
        Some(at) => (schema.sk, keys.sk, at),
    };
    if at < attributes.len() && at < templates.len() {
        Some((&attributes[at], &templates[at]))
    } else {
        None
    }
}
