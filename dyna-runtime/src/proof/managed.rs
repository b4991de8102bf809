//! Proofs about managed attributes: each has an attribute of its own, and none makes a key stale.

use super::common::{keys_of, of, slot};
use crate::entity::{EntityMeta, FieldMeta, KeyRef};
use crate::schema::ScalarType;
use crate::shape;
use crate::shape::{
    ConstString, Keys, Kind as FieldKind, Seg, Template, assert_disjoint, assert_unambiguous,
    collide,
};

/// Proves that managed attributes make no key stale and have a place in the table.
#[track_caller]
pub(super) const fn check_kept(meta: &'static EntityMeta) {
    let kept = &meta.managed;
    if let Some(version) = kept.version {
        check_filled_in(meta, version.name.attribute);
    }
    if let Some(stamp) = kept.created_at {
        check_filled_in(meta, stamp.name.attribute);
    }
    if let Some(stamp) = kept.updated_at {
        check_filled_in(meta, stamp.name.attribute);
    }
    match (&kept.expiry, &meta.schema.ttl) {
        (Some(expiry), None) => {
            let text = of(meta)
                .with("field `")
                .with(field_of(meta, expiry.name.attribute));
            let text = text
                .with("` is `ttl`, and the table `")
                .with(meta.schema.type_name);
            let text = text.with("` has no time of expiry");
            panic!(
                "{}",
                text.with(
                    "\n\nwrite `ttl = \"ttl\"` on the table: the attribute that DynamoDB looks at"
                )
                .as_str()
            )
        }
        (Some(expiry), Some(ttl))
            if shape::same(expiry.name.attribute, ttl.name) && !expiry.is_seconds =>
        {
            let text = of(meta).with("field `").with(field_of(meta, ttl.name));
            let text = text.with("` is stored as `").with(ttl.name);
            let text = text.with("`, where DynamoDB expects seconds since 1970");
            panic!("{}", text.with("\n\nmake it a `u64`, or give it another name with `#[serde(rename = \"..\")]`: the seconds are then stored beside it").as_str())
        }
        _ => {}
    }
    check_ttl_attribute(meta);
    let text = matches!(meta.schema.pk().kind, ScalarType::S)
        && !matches!(meta.schema.sk(), Some(sk) if !matches!(sk.kind, ScalarType::S));
    if !kept.unique.is_empty() && !text {
        let text = of(meta).with("unique fields need a table with string keys: each unique value is stored as an item of its own");
        panic!(
            "{}",
            text.with("\n\ndeclare the key attributes of the table as strings, or remove `unique`")
                .as_str()
        )
    }
    let mut at = 0;
    while at < kept.unique.len() {
        assert_unambiguous(meta.name, &kept.unique[at].template);
        at += 1;
    }
    check_sentinel_tags(meta);
}

/// A sentinel has a tag only in a table that has one.
#[track_caller]
const fn check_sentinel_tags(meta: &'static EntityMeta) {
    let mut at = 0;
    while at < meta.managed.sentinels.len() {
        let sentinel = &meta.managed.sentinels[at];
        if sentinel.tag.is_some() && meta.schema.tag.is_none() {
            let text = of(meta).with("the unique values of `");
            let text = text.with(sentinel.attribute);
            let text = text.with("` have a tag, and the table has no attribute for it");
            panic!(
                "{}",
                text.with("\n\nwrite `tag = \"..\"` on the table, or remove it from `unique(..)`")
                    .as_str()
            )
        }
        at += 1;
    }
}

/// A field that is stored as the table's time of expiry is the one that says when the item expires, if something else depends on it.
#[track_caller]
const fn check_ttl_attribute(meta: &'static EntityMeta) {
    let Some(ttl) = &meta.schema.ttl else { return };
    let Some(field) = FieldMeta::stored_in(meta.fields, ttl.name) else {
        return;
    };
    let text = of(meta).with("field `").with(field.name);
    let text = text.with("` is stored as `").with(ttl.name).with("`, ");
    match &meta.managed.expiry {
        Some(expiry) if shape::same(expiry.name.attribute, ttl.name) => {}
        Some(expiry) => {
            let text = text.with("where the time of expiry of `");
            let text = text.with(field_of(meta, expiry.name.attribute));
            panic!(
                "{}",
                text.with("` is written\n\ngive it another name with `#[serde(rename = \"..\")]`")
                    .as_str()
            )
        }
        None if !meta.managed.unique.is_empty() => {
            let text = text.with("the TTL attribute of the table: the item would expire, but its unique values would not");
            panic!(
                "{}",
                text.with("\n\nmark it with `#[dyna(ttl)]`: the values then expire with the item")
                    .as_str()
            )
        }
        None => {}
    }
}

#[track_caller]
const fn check_filled_in(meta: &'static EntityMeta, attribute: &str) {
    let field = field_of(meta, attribute);
    if has_separate_key(meta, field) {
        let text = of(meta).with("field `").with(field);
        let text = text.with(
            "` is managed (every write sets it), so it cannot be part of an index key template",
        );
        panic!("{}", text.with("\n\nlet the attribute be the key itself, remove it from the template, or remove the option and set the field yourself").as_str())
    }
}

/// The field that is stored in an attribute, as Rust names it.
const fn field_of(meta: &EntityMeta, attribute: &str) -> &'static str {
    match FieldMeta::stored_in(meta.fields, attribute) {
        Some(field) => field.name,
        None => "",
    }
}

/// Proves that no entity can write the key of a sentinel of entity `at`, and that no other unique field,
/// of this entity or of a later one, has the same.
#[track_caller]
pub(super) const fn check_sentinels(entities: &[&'static EntityMeta], at: usize) {
    let owner = entities[at];
    if !matches!(owner.schema.pk().kind, ScalarType::S) {
        return;
    }
    let mut unique = 0;
    while unique < owner.managed.unique.len() {
        let sentinel = sentinel(owner, unique);
        let mut other = 0;
        while other < entities.len() {
            if !entities[other].name.is_empty() {
                assert_disjoint(owner.schema.type_name, &keys_of(entities[other]), &sentinel);
            }
            other += 1;
        }
        let (mut other, mut field) = (at, unique + 1);
        while other < entities.len() {
            while field < entities[other].managed.unique.len() {
                check_apart(&sentinel, owner, unique, entities[other], field);
                field += 1;
            }
            (other, field) = (other + 1, 0);
        }
        unique += 1;
    }
}

/// The values of two unique fields never have one item.
#[track_caller]
const fn check_apart(
    sentinel: &Keys,
    owner: &'static EntityMeta,
    unique: usize,
    other: &'static EntityMeta,
    field: usize,
) {
    if !collide(sentinel, &self::sentinel(other, field)) {
        return;
    }
    let text = ConstString::new().with("`").with(owner.name).with(".");
    let text = text.with(owner.managed.unique[unique].name.attribute);
    let text = text.with("` and `").with(other.name).with(".");
    let text = text.with(other.managed.unique[field].name.attribute);
    let text = text.with("` are unique, and the items of their values would have the same keys");
    let text = text.with("\n\ngive one of the entities another name in them with ");
    panic!("{}", text.with("`#[dyna(tag = \"..\")]`").as_str())
}

/// The key of the items that stand for the values of a unique field.
const fn sentinel(owner: &'static EntityMeta, unique: usize) -> Keys {
    let unique = &owner.managed.unique[unique];
    Keys {
        entity: "the unique values",
        pk: unique.template,
        sk: match owner.schema.key.sk {
            [] => None,
            [_, ..] => Some(*owner.managed.sort_key(unique)),
        },
    }
}

/// Whether a field, as Rust names it, is part of an index key that is stored apart from it and has to follow it.
pub const fn has_separate_key(meta: &'static EntityMeta, field: &str) -> bool {
    let mut n = 0;
    while n < meta.indexes.len() {
        let key = KeyRef::Index(n);
        let schema = meta.index(key);
        let (mut at, mut names_it, mut apart) = (0, false, false);
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((attribute, template)) = slot(meta, key, at) {
                names_it |= names(template, field);
                apart |= !is_stored_otherwise(meta, attribute.name);
            }
            at += 1;
        }
        if names_it && apart {
            return true;
        }
        n += 1;
    }
    false
}

/// Proves that an item can be kept out of index `n`: an attribute of its key is there for the index alone, or for others that the same
/// items are kept out of. Those are `alike`.
#[track_caller]
pub const fn check_when(meta: &'static EntityMeta, n: usize, alike: &[usize]) {
    let key = KeyRef::Index(n);
    let schema = meta.index(key);
    let mut shared = None;
    let mut at = 0;
    while at < schema.pk.len() + schema.sk.len() {
        if let Some((attribute, _)) = slot(meta, key, at)
            && !is_stored_otherwise(meta, attribute.name)
        {
            match other_index_with(meta, attribute.name, n, alike) {
                None => return,
                other => shared = other,
            }
        }
        at += 1;
    }
    if meta.schema.type_name.is_empty() {
        return;
    }
    let text = of(meta)
        .with("`when` has no effect on index `")
        .with(schema.name);
    if let Some(other) = shared {
        let text = text.with("`: items of index `").with(other);
        let text = text.with("` have its key attributes too");
        let text = text.with("\n\ngive the index an attribute that no other index has, or write the same `when` on `");
        panic!("{}", text.with(other).with("`").as_str())
    }
    let text = text.with("`: every item has its key attributes");
    panic!(
        "{}",
        text.with("\n\ngive the index an attribute of its own, such as one with the template \"OPEN#<id>\", or make a field an `Option`")
            .as_str()
    )
}

/// The index that has an attribute, if it is neither index `n` nor one of `alike`.
const fn other_index_with(
    meta: &'static EntityMeta,
    attribute: &str,
    n: usize,
    alike: &[usize],
) -> Option<&'static str> {
    let mut other = 0;
    while other < meta.indexes.len() {
        let schema = meta.indexes[other].schema;
        if other != n && !contains(alike, other) && schema.has_key(attribute) {
            return Some(schema.name);
        }
        other += 1;
    }
    None
}

const fn contains(all: &[usize], one: usize) -> bool {
    let mut at = 0;
    while at < all.len() {
        if all[at] == one {
            return true;
        }
        at += 1;
    }
    false
}

/// Proves that a field which is stored in the key of index `n` alone can be read from there: bytes are not taken apart.
#[track_caller]
pub const fn check_index_only(meta: &'static EntityMeta, n: usize, field: &str) {
    let key = KeyRef::Index(n);
    let schema = meta.index(key);
    let mut at = 0;
    while at < schema.pk.len() + schema.sk.len() {
        if let Some((attribute, _)) = slot(meta, key, at)
            && matches!(attribute.kind, ScalarType::B)
        {
            let text = of(meta).with("field `").with(field);
            let text = text
                .with("` cannot be read back from the key of index `")
                .with(schema.name);
            let text = text.with("`, which has a binary attribute");
            panic!("{}", text.with("\n\nremove `key_only`").as_str())
        }
        at += 1;
    }
}

/// Whether an attribute is there for another reason than an index: it is of the primary key, the tag, or a field.
const fn is_stored_otherwise(meta: &'static EntityMeta, attribute: &str) -> bool {
    let key = &meta.schema.key;
    let mut at = 0;
    while at < key.pk.len() + key.sk.len() {
        if let Some((key, _)) = slot(meta, KeyRef::PrimaryKey, at)
            && shape::same(key.name, attribute)
        {
            return true;
        }
        at += 1;
    }
    if let Some(field) = FieldMeta::stored_in(meta.fields, attribute)
        && !field.key_only
    {
        return true;
    }
    matches!(&meta.schema.tag, Some(tag) if shape::same(tag.attribute.name, attribute))
}

/// Whether a template has a placeholder for a field, or for something inside of it.
const fn names(template: &Template, field: &str) -> bool {
    let mut at = 0;
    while at < template.fields.len() {
        match template.fields[at].kind() {
            FieldKind::Lit(_) => {}
            FieldKind::Part(part) => {
                if is_inside(part.name, field) {
                    return true;
                }
            }
            FieldKind::Mixed(segs) => {
                let mut seg = 0;
                while seg < segs.len() {
                    if let Seg::Part(part) = segs[seg]
                        && is_inside(part.name, field)
                    {
                        return true;
                    }
                    seg += 1;
                }
            }
        }
        at += 1;
    }
    false
}

/// Whether a path is a field, or goes on from it: `data.email` is inside of `data`.
const fn is_inside(path: &str, field: &str) -> bool {
    let (path, field) = (path.as_bytes(), field.as_bytes());
    let mut at = 0;
    while at < field.len() {
        if at >= path.len() || path[at] != field[at] {
            return false;
        }
        at += 1;
    }
    path.len() == field.len() || path[field.len()] == b'.'
}
