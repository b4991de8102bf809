//! Whose item may be under a key that was given as it is stored.

use crate::entity::{EntityMeta, Named};
use crate::key::{KeyId, KeyValue};
use crate::shape;
use crate::shape::Template;

/// Which items under a key may be an entity's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The key is one of the entity's own.
    Own,
    /// A key of no entity: an item with the entity's tag, or with none.
    Tagged,
    /// A key of another entity, whose tag is another: an item with the entity's tag alone.
    TaggedOnly,
    /// A key of another entity that the tag does not tell apart, or of a unique value: none.
    Nothing,
}

impl Claim {
    /// The claim of an entity to the item with this key, in a table that lists these entities.
    pub(crate) fn of(
        meta: &EntityMeta,
        listed: &'static [&'static EntityMeta],
        id: &KeyId,
    ) -> Self {
        if fits(meta, id) {
            return Self::Own;
        }
        if listed.iter().any(|entity| is_of_a_sentinel(entity, id)) {
            return Self::Nothing;
        }
        let has_same_tag = |other: &EntityMeta| meta.schema.tag.is_none() || other.tag == meta.tag;
        let mut claim = Self::Tagged;
        for other in listed.iter().filter(|other| fits(other, id)) {
            if has_same_tag(other) {
                return Self::Nothing;
            }
            claim = Self::TaggedOnly;
        }
        claim
    }

    /// Judges a raw key by the entities of its table.
    pub(crate) fn judged_by(
        self,
        meta: &EntityMeta,
        listed: &'static [&'static EntityMeta],
        id: &KeyId,
    ) -> Self {
        match self {
            Self::Own => Self::Own,
            _ => Self::of(meta, listed, id),
        }
    }

    /// Whether it allows an item, given whom its tag names.
    pub(crate) fn allows(self, named: Named) -> bool {
        match self {
            Self::Own => true,
            Self::Tagged => !matches!(named, Named::Another),
            Self::TaggedOnly => matches!(named, Named::This),
            Self::Nothing => false,
        }
    }
}

/// Whether a key fits the templates of an entity.
pub(crate) fn fits(meta: &EntityMeta, id: &KeyId) -> bool {
    let templates = meta.key.pk.iter().chain(meta.key.sk);
    let mut halves = templates.zip(id.values());
    halves.all(|(template, value)| match value {
        KeyValue::S(text) | KeyValue::N(text) => shape::matches(template, text),
        KeyValue::B(_) => true,
    })
}

/// Whether it is the key of an item that stands for a unique value of an entity.
fn is_of_a_sentinel(entity: &EntityMeta, id: &KeyId) -> bool {
    let is_text = |value: Option<&KeyValue>, template: &Template| match value {
        Some(KeyValue::S(text)) => shape::matches(template, text),
        Some(_) => false,
        None => true,
    };
    let managed = &entity.managed;
    managed.unique.iter().any(|unique| {
        let mut values = id.values();
        is_text(values.next(), &unique.template) && is_text(values.next(), managed.sort_key(unique))
    })
}
