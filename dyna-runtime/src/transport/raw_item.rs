//! One item of a response, not read yet.

use crate::codec::Item;
use crate::codec::json::{ItemSource, Scalar, to_item};
use crate::codec::size::item_size;
use crate::entity::owner;
use crate::entity::owner::claim::Claim;
use crate::entity::{EntityMeta, Named};
use crate::error::{Error, Misfit, Result};
use crate::key::{KeyId, KeyValue};
use crate::schema::IndexSchema;
use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use std::fmt;

/// Reads an item that was found.
pub(crate) type Decode<V> = fn(ItemSource<'_, '_>) -> Result<V>;

/// One item of a response. It stays in the bytes of the response until someone reads it.
#[doc(hidden)]
#[derive(Clone)]
pub struct RawItem {
    repr: Repr,
    /// The entity that it is a misfit of, and why.
    misfit: Option<(&'static EntityMeta, Misfit)>,
    /// Whether its keys are compared with what its attributes make.
    check_keys: bool,
    /// Whether a limit counts it.
    counts: bool,
}

#[derive(Clone)]
enum Repr {
    Map(Box<Item>),
    /// Its JSON, in the body of a response.
    Json(Bytes),
}

impl RawItem {
    /// An item that the SDK has read.
    pub(crate) fn map(item: Item) -> Self {
        Self::at(Repr::Map(Box::new(item)))
    }

    /// An item whose JSON this is.
    pub(crate) fn json(json: Bytes) -> Self {
        Self::at(Repr::Json(json))
    }

    fn at(repr: Repr) -> Self {
        Self {
            repr,
            misfit: None,
            check_keys: false,
            counts: true,
        }
    }

    /// The same, as an item that its entity never writes: reading it is an error.
    pub(crate) fn misfit(self, meta: &'static EntityMeta, misfit: Misfit) -> Self {
        let misfit = Some((meta, misfit));
        Self { misfit, ..self }
    }

    /// The same, with its keys to be compared with what its attributes make, or not.
    pub(crate) fn check_keys(self, check_keys: bool) -> Self {
        Self { check_keys, ..self }
    }

    /// Whether its keys are compared with what its attributes make.
    pub(crate) fn checks_keys(&self) -> bool {
        self.check_keys
    }

    /// The same, counted by limits or not.
    pub(crate) fn counted(self, counts: bool) -> Self {
        Self { counts, ..self }
    }

    /// Whether a limit counts it.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    /// How many bytes DynamoDB counts; no fewer, if it cannot be read as an item, which whoever reads it reports.
    pub(crate) fn size(&self) -> usize {
        match &self.repr {
            Repr::Map(item) => item_size(item),
            Repr::Json(json) => to_item(text(json)).map_or(json.len(), |item| item_size(&item)),
        }
    }

    /// No fewer bytes than DynamoDB counts.
    pub(crate) fn most_bytes(&self) -> usize {
        match &self.repr {
            Repr::Map(item) => item_size(item),
            Repr::Json(json) => json.len(),
        }
    }

    /// Fails if it is a misfit.
    pub(crate) fn check(&self) -> Result<()> {
        let Some((meta, misfit)) = self.misfit else {
            return Ok(());
        };
        let id = self.key(&meta.schema.key);
        Err(owner::misfit(meta, id, misfit))
    }

    /// The attribute of this name, if it is a string, a number or bytes.
    pub(crate) fn get(&self, name: &str) -> Option<AttributeValue> {
        self.with_source(|item| item.scalar(name).map(Scalar::into))
    }

    /// Its key, in the table or index whose attributes these are.
    pub(crate) fn key(&self, schema: &IndexSchema) -> Option<KeyId> {
        self.with_source(|item| key_of(item, schema))
    }

    /// The item that was found under a key of this entity, unless its tag names another. Reading one that could be another's too is an
    /// error.
    pub(crate) fn at_key_of(self, meta: &'static EntityMeta) -> Option<Self> {
        match self.with_source(|item| meta.named_by(item)) {
            Named::Nobody if meta.shares_key() => Some(self.misfit(meta, Misfit::Untagged)),
            Named::This | Named::Nobody => Some(self),
            Named::Another => None,
        }
    }

    /// Whether it may be this entity's, under a key with this claim.
    pub(crate) fn is_claimed(&self, meta: &'static EntityMeta, claim: Claim) -> bool {
        claim == Claim::Own || self.with_source(|item| claim.allows(meta.named_by(item)))
    }

    /// Looks at the item without reading it.
    pub(crate) fn with_source<R>(&self, look: impl FnOnce(&ItemSource<'_, '_>) -> R) -> R {
        match &self.repr {
            Repr::Map(item) => look(&ItemSource::borrowed(item)),
            Repr::Json(json) => ItemSource::with_json(text(json), |item| look(&item)),
        }
    }

    /// The item as attributes, if it can be read as such.
    pub(crate) fn into_attributes(self) -> Option<Item> {
        match self.repr {
            Repr::Map(item) => Some(*item),
            Repr::Json(json) => to_item(text(&json)).ok(),
        }
    }

    /// The error of a write that was applied and returned this item, which cannot be read.
    pub(crate) fn applied(self, entity: &'static str, problem: Error) -> Error {
        Error::Applied {
            entity,
            item: self.into_attributes().map(Box::new),
            problem: Box::new(problem),
        }
    }

    /// Reads the item.
    pub(crate) fn decode<R>(self, decode: Decode<R>) -> Result<R> {
        self.check()?;
        let check_keys = self.check_keys;
        match self.repr {
            Repr::Map(item) => decode(ItemSource::map(*item).check_keys(check_keys)),
            Repr::Json(json) => {
                let json = text(&json);
                match ItemSource::with_json(json, |item| decode(item.check_keys(check_keys))) {
                    Ok(value) => Ok(value),
                    // Read again as attributes, which tell better what is wrong.
                    Err(error) => match to_item(json) {
                        Ok(item) => decode(ItemSource::map(item).check_keys(check_keys)),
                        Err(_) => Err(error),
                    },
                }
            }
        }
    }
}

/// The key of an item, in the table or index whose attributes these are.
pub(crate) fn key_of(item: &ItemSource<'_, '_>, schema: &IndexSchema) -> Option<KeyId> {
    KeyId::from_values(schema, |attribute| {
        KeyValue::of_attribute(&item.scalar(attribute.name)?.into())
    })
}

/// The text of an item. The body that it was found in is text, and an item begins and ends with a brace, so it is text too.
/// Anything else is text that no item can be read from.
fn text(json: &Bytes) -> &str {
    simdutf8::basic::from_utf8(json).unwrap_or(NOT_TEXT)
}

const NOT_TEXT: &str = "an item that is not text";

/// Without the item, which is data.
impl fmt::Debug for RawItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Raw")
    }
}
