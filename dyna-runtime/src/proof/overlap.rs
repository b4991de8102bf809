//! How far items of other entities reach into the queries of an entity.

use super::common::slot;
use crate::entity::{EntityMeta, FieldMeta, KeyRef};
use crate::managed::UniqueField;
use crate::shape;
use crate::shape::{Template, intersect, prefix_intersects};

/// How far items of other entities reach into the queries of an entity.
#[derive(Debug, Clone, Copy)]
pub struct Overlap(pub(super) [u8; Overlap::KEYS]);

impl Overlap {
    /// The primary key, 20 global and 5 local indexes: what DynamoDB allows.
    pub(super) const KEYS: usize = 26;
    /// No sort key is specific enough.
    const ALWAYS: u8 = u8::MAX;

    /// Nothing is foreign to a whole table.
    pub const NONE: Self = Self([0; Self::KEYS]);

    /// Finds for each key of entity `at` how many fields of the sort key must be fixed until a query returns no other entity's items.
    pub const fn of(entities: &[&'static EntityMeta], at: usize) -> Self {
        let mut reach = [0; Self::KEYS];
        if at >= entities.len() {
            return Self(reach);
        }
        let entity = entities[at];
        let mut n = 0;
        while n < entity.key_count() && n < Self::KEYS {
            let key = KeyRef::nth(n);
            let mut other = 0;
            while other < entities.len() {
                if other != at {
                    let found = overlap_with(entity, key, &KeyOwner::Entity(entities[other]));
                    reach[n] = greater(found, reach[n]);
                }
                let found = overlap_with_sentinels(entity, key, entities[other]);
                reach[n] = greater(found, reach[n]);
                other += 1;
            }
            n += 1;
        }
        Self(reach)
    }

    /// Whether a query with this many fields of the sort key fixed may meet other entities' items.
    pub(crate) fn reach(self, key: KeyRef, fixed_fields: usize) -> bool {
        self.0
            .get(key.place())
            .is_none_or(|needed| fixed_fields < usize::from(*needed))
    }
}

pub(super) const fn greater(a: u8, b: u8) -> u8 {
    if a > b { a } else { b }
}

/// The writer of an item that may be another entity's.
pub(super) enum KeyOwner {
    Entity(&'static EntityMeta),
    /// Of an entity, the items that stand for the values of a unique field.
    Sentinels(&'static EntityMeta, &'static UniqueField),
}

impl KeyOwner {
    /// Whether its items have the tag of an entity. Keys are disjoint, and tags need not be.
    const fn has_tag_of(&self, entity: &EntityMeta) -> bool {
        match self {
            Self::Entity(meta) => shape::same(meta.tag, entity.tag),
            Self::Sentinels(..) => false,
        }
    }

    const fn written(&self, attribute: &str) -> StoredText {
        match self {
            Self::Entity(meta) => written(meta, attribute),
            Self::Sentinels(meta, unique) => {
                if shape::same(meta.schema.pk().name, attribute) {
                    return StoredText::Key(&unique.template);
                }
                match meta.schema.key.sk {
                    [sk, ..] if shape::same(sk.name, attribute) => {
                        StoredText::Key(meta.managed.sort_key(unique))
                    }
                    _ => StoredText::Nothing,
                }
            }
        }
    }
}

/// The text that is written to an attribute.
enum StoredText {
    Nothing,
    Key(&'static Template),
    /// Its tag.
    Tag,
    Anything,
}

/// An entity is in every index whose attributes it writes, whether it declares the index or not.
const fn written(meta: &'static EntityMeta, attribute: &str) -> StoredText {
    let mut n = 0;
    while n < meta.key_count() {
        let schema = meta.index(KeyRef::nth(n));
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((key, template)) = slot(meta, KeyRef::nth(n), at)
                && shape::same(key.name, attribute)
            {
                return StoredText::Key(template);
            }
            at += 1;
        }
        n += 1;
    }
    if FieldMeta::stored_in(meta.fields, attribute).is_some() {
        return StoredText::Anything;
    }
    let is_tag = match &meta.schema.tag {
        Some(tag) => shape::same(tag.attribute.name, attribute),
        None => false,
    };
    if is_tag {
        StoredText::Tag
    } else {
        StoredText::Nothing
    }
}

/// How many fields of the sort key must be fixed until the sentinels of `owner` are out of reach.
pub(super) const fn overlap_with_sentinels(
    entity: &'static EntityMeta,
    key: KeyRef,
    owner: &'static EntityMeta,
) -> u8 {
    let mut reach = 0;
    let mut at = 0;
    while at < owner.managed.unique.len() {
        let sentinels = KeyOwner::Sentinels(owner, &owner.managed.unique[at]);
        reach = greater(reach, overlap_with(entity, key, &sentinels));
        at += 1;
    }
    reach
}

/// How many fields of the sort key must be fixed until the items of `other` are out of reach.
pub(super) const fn overlap_with(entity: &'static EntityMeta, key: KeyRef, other: &KeyOwner) -> u8 {
    let (schema, keys) = (entity.index(key), entity.templates(key));
    let mut at = 0;
    while at < schema.pk.len() && at < keys.pk.len() {
        match other.written(schema.pk[at].name) {
            StoredText::Nothing => return 0,
            StoredText::Tag if !other.has_tag_of(entity) => return 0,
            StoredText::Key(pk) if !intersect(&keys.pk[at], pk) => return 0,
            StoredText::Tag | StoredText::Key(_) | StoredText::Anything => {}
        }
        at += 1;
    }
    let mut before: u8 = 0;
    let mut apart = Overlap::ALWAYS;
    let mut at = 0;
    while at < schema.sk.len() && at < keys.sk.len() {
        let fields = match other.written(schema.sk[at].name) {
            // Without one of its attributes an item is not in the index.
            StoredText::Nothing => return 0,
            // The sort key is the entity's own tag.
            StoredText::Tag if !other.has_tag_of(entity) => 1,
            StoredText::Key(template) => fields_until_apart(&keys.sk[at], template),
            StoredText::Tag | StoredText::Anything => Overlap::ALWAYS,
        };
        if fields != Overlap::ALWAYS && apart == Overlap::ALWAYS {
            apart = before.saturating_add(fields);
        }
        let mut field = 0;
        while field < keys.sk[at].fields.len() {
            before = before.saturating_add(1);
            field += 1;
        }
        at += 1;
    }
    apart
}

const fn fields_until_apart(a: &Template, b: &Template) -> u8 {
    let mut fixed: u8 = 0;
    while (fixed as usize) <= a.fields.len() {
        if !prefix_intersects(a, fixed as usize, b) {
            return fixed;
        }
        fixed += 1;
    }
    Overlap::ALWAYS
}
