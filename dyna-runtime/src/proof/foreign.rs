//! How far the items of other entities reach into the queries of one.

use super::slot;
use crate::entity::{EntityMeta, FieldMeta};
use crate::managed::{UNIQUE_SORT_KEY, Unique};
use crate::shape;
use crate::shape::{Template, in_prefix, meet};

/// How far the items of other entities reach into the queries of one.
#[derive(Debug, Clone, Copy)]
pub struct Foreign(pub(super) [u8; Foreign::SPACES]);

impl Foreign {
    /// The primary key, 20 global and 5 local indexes: what DynamoDB allows.
    pub(super) const SPACES: usize = 26;
    /// No sort key is specific enough.
    const ALWAYS: u8 = u8::MAX;

    /// Nothing is foreign to a whole table.
    pub const NONE: Self = Self([0; Self::SPACES]);

    /// Finds for each key of entity `at` how many fields of the sort key must be fixed until a query returns no other entity's items.
    pub const fn of(entities: &[&'static EntityMeta], at: usize) -> Self {
        let mut reach = [0; Self::SPACES];
        if at >= entities.len() {
            return Self(reach);
        }
        let entity = entities[at];
        let mut space = 0;
        while space <= entity.indexes.len() && space < Self::SPACES {
            let mut other = 0;
            while other < entities.len() {
                if other != at {
                    let found = reach_of(entity, space, &Writer::Entity(entities[other]));
                    reach[space] = greater(found, reach[space]);
                }
                let found = reach_of_sentinels(entity, space, entities[other]);
                reach[space] = greater(found, reach[space]);
                other += 1;
            }
            space += 1;
        }
        Self(reach)
    }

    /// Whether a query with this many fields of the sort key fixed may meet other entities' items.
    pub(crate) fn reach(self, space: usize, fixed_fields: usize) -> bool {
        self.0
            .get(space)
            .is_none_or(|needed| fixed_fields < usize::from(*needed))
    }
}

pub(super) const fn greater(a: u8, b: u8) -> u8 {
    if a > b { a } else { b }
}

/// What writes items that may be foreign.
pub(super) enum Writer {
    Entity(&'static EntityMeta),
    /// Of an entity, the items that stand for the values of a unique field.
    Sentinels(&'static EntityMeta, &'static Unique),
}

impl Writer {
    const fn written(&self, attribute: &str) -> Written {
        match self {
            Self::Entity(meta) => written(meta, attribute),
            Self::Sentinels(meta, unique) => {
                if shape::same(meta.schema.pk().name, attribute) {
                    return Written::Key(&unique.template);
                }
                match meta.schema.key.sk {
                    [sk, ..] if shape::same(sk.name, attribute) => Written::Key(&UNIQUE_SORT_KEY),
                    _ => Written::Nothing,
                }
            }
        }
    }
}

/// What is written to an attribute.
enum Written {
    Nothing,
    Key(&'static Template),
    /// Its tag, which no other entity has.
    Tag,
    Anything,
}

/// An entity is in every index whose attributes it writes, whether it declares the index or not.
const fn written(meta: &'static EntityMeta, attribute: &str) -> Written {
    let mut space = 0;
    while space <= meta.indexes.len() {
        let schema = meta.schema_of(space);
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((key, template)) = slot(meta, space, at)
                && shape::same(key.name, attribute)
            {
                return Written::Key(template);
            }
            at += 1;
        }
        space += 1;
    }
    if FieldMeta::stored_in(meta.fields, attribute).is_some() {
        return Written::Anything;
    }
    let is_tag = match &meta.schema.tag {
        Some(tag) => shape::same(tag.attribute.name, attribute),
        None => false,
    };
    if is_tag {
        Written::Tag
    } else {
        Written::Nothing
    }
}

/// How many fields of the sort key must be fixed until the sentinels of `owner` are out of reach.
pub(super) const fn reach_of_sentinels(
    entity: &'static EntityMeta,
    space: usize,
    owner: &'static EntityMeta,
) -> u8 {
    let mut reach = 0;
    let mut at = 0;
    while at < owner.managed.unique.len() {
        let sentinels = Writer::Sentinels(owner, &owner.managed.unique[at]);
        reach = greater(reach, reach_of(entity, space, &sentinels));
        at += 1;
    }
    reach
}

/// How many fields of the sort key must be fixed until the items of `other` are out of reach.
pub(super) const fn reach_of(entity: &'static EntityMeta, space: usize, other: &Writer) -> u8 {
    let (schema, keys) = (entity.schema_of(space), entity.keys_of(space));
    let mut at = 0;
    while at < schema.pk.len() && at < keys.pk.len() {
        match other.written(schema.pk[at].name) {
            Written::Nothing | Written::Tag => return 0,
            Written::Key(pk) if !meet(&keys.pk[at], pk) => return 0,
            Written::Key(_) | Written::Anything => {}
        }
        at += 1;
    }
    let mut before: u8 = 0;
    let mut apart = Foreign::ALWAYS;
    let mut at = 0;
    while at < schema.sk.len() && at < keys.sk.len() {
        let fields = match other.written(schema.sk[at].name) {
            // Without one of its attributes an item is not in the index.
            Written::Nothing => return 0,
            // The sort key is the entity's own tag.
            Written::Tag => 1,
            Written::Key(template) => fields_until_apart(&keys.sk[at], template),
            Written::Anything => Foreign::ALWAYS,
        };
        if fields != Foreign::ALWAYS && apart == Foreign::ALWAYS {
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
        if !in_prefix(a, fixed as usize, b) {
            return fixed;
        }
        fixed += 1;
    }
    Foreign::ALWAYS
}
