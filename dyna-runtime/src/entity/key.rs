//! The primary key of an entity: built, and taken apart again.

use super::owner::claim::Claim;
use super::{Entity, EntityMeta};
use crate::key::{
    KeyError, KeyErrorKind, KeyId, MAX_PK, MAX_SK, ParsedKey, Parts, build, native_length, raw_key,
};
use crate::shape::{ConstLayout, KeyLayout};
use aws_sdk_dynamodb::types::AttributeValue;
use std::marker::PhantomData;

/// The primary key of an `E`, built by `E::key(..)`.
///
/// A value that no key may contain does not fail here but where the key is used: `send` returns the error and no
/// request is made. What the key says is private, so that no one can send it unchecked.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
/// assert!(User::key("ann").check().is_ok());
///
/// let error = User::key("ann#admin").check().unwrap_err();
/// assert_eq!(error.to_string(), "User: key field `id` contains the delimiter '#'");
/// ```
pub struct Key<E> {
    id: Result<KeyId, Box<KeyError>>,
    /// Whose the item under it may be, if the key was given as it is stored.
    claim: Claim,
    entity: PhantomData<fn() -> E>,
}

impl<E: Entity> Key<E> {
    const PK: ConstLayout = ConstLayout(&KeyLayout::of(&E::META.key.pk[0]));
    const SK: Option<ConstLayout> = match E::META.key.sk {
        [template, ..] => Some(ConstLayout(&KeyLayout::of(template))),
        [] => None,
    };

    /// Puts the key together from the values of its placeholders.
    #[doc(hidden)]
    #[inline]
    pub fn new(pk: impl Parts, sk: impl Parts) -> Self {
        Self {
            id: Self::build(&pk, &sk),
            claim: Claim::Own,
            entity: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn build(pk: &impl Parts, sk: &impl Parts) -> Result<KeyId, Box<KeyError>> {
        let (name, schema) = (E::META.name, E::META.schema);
        let pk = build(name, schema.pk(), Self::PK, pk, 0, MAX_PK)?;
        let sk = match (schema.sk(), Self::SK) {
            (Some(attribute), Some(layout)) => Some(build(name, attribute, layout, sk, 0, MAX_SK)?),
            _ => None,
        };
        Ok(KeyId::new(pk, sk))
    }

    /// Whether every value may stand in a key.
    pub fn check(&self) -> Result<(), KeyError> {
        match &self.id {
            Ok(_) => Ok(()),
            Err(error) => Err((**error).clone()),
        }
    }

    /// A key that was given before.
    pub(crate) fn from_id(id: KeyId) -> Self {
        let claim = claim(E::META, &id);
        Self {
            id: Ok(id),
            claim,
            entity: PhantomData,
        }
    }

    /// A key as it is stored.
    pub(crate) fn raw(pk: Option<AttributeValue>, sk: Option<AttributeValue>) -> Self {
        let id = raw_key(E::META.name, &E::META.schema.key, pk, sk);
        let claim = id.as_ref().map_or(Claim::Tagged, |id| claim(E::META, id));
        Self {
            id,
            claim,
            entity: PhantomData,
        }
    }

    /// Whose the item under it may be. A raw key is judged again by the entities of the table.
    pub(crate) fn claim(&self) -> Claim {
        self.claim
    }

    /// Its attributes, for what cannot ask whose item is there.
    pub(crate) fn into_own_id(self) -> Result<KeyId, Box<KeyError>> {
        let claim = self.claim;
        self.id.and_then(|id| own(E::META, id, claim))
    }

    /// Its attributes.
    pub(crate) fn into_id(self) -> Result<KeyId, Box<KeyError>> {
        self.id
    }
}

fn own(meta: &'static EntityMeta, id: KeyId, claim: Claim) -> Result<KeyId, Box<KeyError>> {
    if claim == Claim::Own {
        return Ok(id);
    }
    let kind = KeyErrorKind::TemplateMismatch;
    Err(Box::new(KeyError::new(
        meta.name,
        meta.schema.pk().name,
        kind,
    )))
}

/// The claim to a key without knowing the other entities of the table.
fn claim(meta: &'static EntityMeta, id: &KeyId) -> Claim {
    Claim::of(meta, &[], id)
}

impl<E> Clone for Key<E> {
    fn clone(&self) -> Self {
        Self {
            id: self.id.clone(),
            claim: self.claim,
            entity: PhantomData,
        }
    }
}

impl<E> PartialEq for Key<E> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Without the values, which may be personal data; `explain()` of a request shows them.
impl<E: Entity> std::fmt::Debug for Key<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.id {
            Ok(_) => write!(f, "Key({})", E::META.name),
            Err(error) => write!(f, "Key({error})"),
        }
    }
}

/// Takes a stored key of an `E` apart. `sk` is not looked at if the table has no sort key.
#[doc(hidden)]
pub fn parse_key<'k, E: Entity>(pk: &'k str, sk: &'k str) -> Result<ParsedKey<'k>, KeyError> {
    ParsedKey::new(E::META.name, E::META.schema, &E::META.key, [pk, sk])
}

/// Fails if a field that is a key attribute itself is given a text, or bytes, that no key may have.
pub(crate) fn check_native(
    meta: &'static EntityMeta,
    attribute: &str,
    value: &AttributeValue,
) -> Result<(), Box<KeyError>> {
    let indexes = meta.indexes.iter();
    let halves = indexes.flat_map(|index| {
        let pk = index.schema.pk.iter().zip(index.keys.pk);
        let sk = index.schema.sk.iter().zip(index.keys.sk);
        pk.map(|half| (half, MAX_PK))
            .chain(sk.map(|half| (half, MAX_SK)))
    });
    for ((key, template), max) in halves.filter(|((key, _), _)| key.name == attribute) {
        let length = match value {
            AttributeValue::S(text) => native_length(meta.name, template, text)?,
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            _ => continue,
        };
        let kind = match length {
            0 => KeyErrorKind::Empty,
            length if length > max => KeyErrorKind::TooLong { length, max },
            _ => continue,
        };
        return Err(Box::new(KeyError::new(meta.name, key.name, kind)));
    }
    Ok(())
}
