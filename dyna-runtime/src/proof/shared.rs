//! Entities that have the same keys on purpose: both say so, and their tags tell them apart, in the table and in every index.

use super::common::{keys_of, of};
use crate::entity::EntityMeta;
use crate::shape;
use crate::shape::{ConstString, collide};

/// Whether an entity says that it shares its keys with another.
pub(super) const fn shares_with(a: &EntityMeta, b: &EntityMeta) -> bool {
    let names = a.managed.shares_key_with;
    let mut at = 0;
    while at < names.len() {
        if shape::same(names[at], b.name) {
            return true;
        }
        at += 1;
    }
    false
}

/// Proves that two entities of a table, at least one of which shares its keys with the other, are told apart by their tags.
#[track_caller]
pub(super) const fn check_shared(a: &'static EntityMeta, b: &'static EntityMeta) {
    let (says, silent) = if shares_with(a, b) { (a, b) } else { (b, a) };
    let text = ConstString::new().with("`").with(says.name);
    if !shares_with(silent, says) {
        let text = text.with("` shares its keys with `").with(silent.name);
        let text = text.with("`, and `").with(silent.name);
        let text =
            text.with("` does not say so, so that its writes could overwrite the other's items");
        let text = text.with("\n\nwrite `shares_key_with = ").with(says.name);
        panic!(
            "{}",
            text.with("` on `").with(silent.name).with("` too").as_str()
        )
    }
    let text = text.with("` and `").with(silent.name);
    if shape::same(a.tag, b.tag) {
        let text = text
            .with("` share their keys and have the same tag \"")
            .with(a.tag);
        let text = text.with("\" in table `").with(a.schema.type_name);
        let text = text.with("`, so nothing tells their items apart");
        panic!(
            "{}",
            text.with("\n\ngive one of them another tag with `#[dyna(tag = \"..\")]`")
                .as_str()
        )
    }
    if !collide(&keys_of(a), &keys_of(b)) {
        let text = text
            .with("` never have the same key in table `")
            .with(a.schema.type_name);
        panic!(
            "{}",
            text.with("`\n\nremove `shares_key_with` from both")
                .as_str()
        )
    }
}

/// Proves that the items of an entity that shares its keys have a tag wherever they are read.
#[track_caller]
pub(super) const fn check_shared_indexes(meta: &'static EntityMeta) {
    if !meta.shares_key() {
        return;
    }
    let Some(tag) = &meta.schema.tag else {
        let text = of(meta).with("it shares its keys with another entity, and the table `");
        let text = text
            .with(meta.schema.type_name)
            .with("` has no tag to tell them apart");
        panic!(
            "{}",
            text.with("\n\nwrite `tag = \"..\"` on the table").as_str()
        )
    };
    let mut at = 0;
    while at < meta.indexes.len() {
        let index = meta.indexes[at].schema;
        if !index.holds(&meta.schema.key, tag.attribute.name) {
            let text = of(meta).with("it shares its keys with another entity, and the index `");
            let text = text.with(index.name).with("` does not hold the tag `");
            let text = text
                .with(tag.attribute.name)
                .with("`, which tells them apart");
            panic!(
                "{}",
                text.with("\n\nadd it to the index: `projection = include(\"..\")`")
                    .as_str()
            )
        }
        at += 1;
    }
}
