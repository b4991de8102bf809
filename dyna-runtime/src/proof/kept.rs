//! What every write fills in, and what follows fields: that it has a place, and makes no key stale.

use super::{keys_of, of, slot};
use crate::entity::{EntityMeta, FieldMeta};
use crate::managed::UNIQUE_SORT_KEY;
use crate::schema::ScalarType;
use crate::shape;
use crate::shape::{Keys, Kind as FieldKind, Seg, Template, Text, assert_disjoint, collide};

/// What every write fills in does not make a key stale, and has a place in the table.
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
        let text = of(meta).with("a unique value has an item of its own, whose key is text");
        panic!(
            "{}",
            text.with("\n\ndeclare the key attributes of the table as strings, or remove `unique`")
                .as_str()
        )
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
            let text = text.with("so the item expires, and its unique values would not");
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
    if is_derived(meta, field) {
        let text = of(meta).with("field `").with(field);
        let text = text.with(
            "` is filled in by every write, and an index key that contains it could not follow",
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

/// Proves that no entity can write the key of an item that stands for a unique value of entity `at`, and that no other unique field,
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
    let text = Text::new().with("`").with(owner.name).with(".");
    let text = text.with(owner.managed.unique[unique].name.attribute);
    let text = text.with("` and `").with(other.name).with(".");
    let text = text.with(other.managed.unique[field].name.attribute);
    let text = text.with("` are unique, and the items of their values would have the same keys");
    let text = text.with("\n\ngive one of the entities another name in them with ");
    panic!("{}", text.with("`#[dyna(tag = \"..\")]`").as_str())
}

/// The key of the items that stand for the values of a unique field.
const fn sentinel(owner: &'static EntityMeta, unique: usize) -> Keys {
    Keys {
        entity: "the unique values",
        pk: owner.managed.unique[unique].template,
        sk: match owner.schema.key.sk {
            [] => None,
            [_, ..] => Some(UNIQUE_SORT_KEY),
        },
    }
}

/// Whether a field, as Rust names it, is part of an index key that is stored apart from it and has to follow it.
pub const fn is_derived(meta: &'static EntityMeta, field: &str) -> bool {
    let mut space = 1;
    while space <= meta.indexes.len() {
        let schema = meta.schema_of(space);
        let (mut at, mut names_it, mut apart) = (0, false, false);
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((attribute, template)) = slot(meta, space, at) {
                names_it |= names(template, field);
                apart |= !is_stored_otherwise(meta, attribute.name);
            }
            at += 1;
        }
        if names_it && apart {
            return true;
        }
        space += 1;
    }
    false
}

/// Whether an attribute is there for another reason than an index: it is of the primary key, the tag, or a field.
const fn is_stored_otherwise(meta: &'static EntityMeta, attribute: &str) -> bool {
    let key = &meta.schema.key;
    let mut at = 0;
    while at < key.pk.len() + key.sk.len() {
        if let Some((key, _)) = slot(meta, 0, at)
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
