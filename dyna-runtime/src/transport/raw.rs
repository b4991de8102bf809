//! One item of an answer, not read yet.

use crate::codec::Item;
use crate::codec::wire::{Found, Scalar, to_item};
use crate::entity::EntityMeta;
use crate::entity::owner;
use crate::error::{Error, Misfit, Result};
use crate::key::{KeyId, KeyValue};
use crate::schema::IndexSchema;
use aws_sdk_dynamodb::types::AttributeValue;
use bytes::Bytes;
use std::fmt;

/// Reads an item that was found.
pub(crate) type Decode<V> = fn(Found<'_, '_>) -> Result<V>;

/// One item of an answer. It stays in the bytes of the answer until someone reads it.
#[doc(hidden)]
#[derive(Clone)]
pub struct Raw {
    place: Place,
    /// The entity that its tag names, and that its key is none of.
    misfit: Option<&'static EntityMeta>,
    /// Whether its keys are compared with what its attributes make.
    check_keys: bool,
    /// Whether a limit counts it.
    counts: bool,
}

#[derive(Clone)]
enum Place {
    Map(Box<Item>),
    /// Its JSON, in the body of an answer.
    Json(Bytes),
}

impl Raw {
    /// An item that the SDK has read.
    pub(crate) fn map(item: Item) -> Self {
        Self::at(Place::Map(Box::new(item)))
    }

    /// An item whose JSON this is.
    pub(crate) fn json(json: Bytes) -> Self {
        Self::at(Place::Json(json))
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            misfit: None,
            check_keys: false,
            counts: true,
        }
    }

    /// The same, as an item that its entity never writes: reading it is an error.
    pub(crate) fn misfit(self, meta: &'static EntityMeta) -> Self {
        let misfit = Some(meta);
        Self { misfit, ..self }
    }

    /// The same, with its keys to be compared with what its attributes make, or not.
    pub(crate) fn check_keys(self, check_keys: bool) -> Self {
        Self { check_keys, ..self }
    }

    /// The same, counted by limits or not.
    pub(crate) fn counted(self, counts: bool) -> Self {
        Self { counts, ..self }
    }

    /// Whether a limit counts it.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    /// Fails if it is a misfit.
    pub(crate) fn check(&self) -> Result<()> {
        let Some(meta) = self.misfit else {
            return Ok(());
        };
        let id = self.key(&meta.schema.key);
        Err(owner::misfit(meta, id, Misfit::Shape))
    }

    /// The attribute of this name, if it is a string, a number or bytes.
    pub(crate) fn get(&self, name: &str) -> Option<AttributeValue> {
        self.look(|item| item.scalar(name).map(Scalar::into))
    }

    /// Its key, in the table or index whose attributes these are.
    pub(crate) fn key(&self, schema: &IndexSchema) -> Option<KeyId> {
        self.look(|item| key_of(item, schema))
    }

    /// Whether its tag, if it has one, is this entity's.
    pub(crate) fn is_tagged_as(&self, meta: &EntityMeta) -> bool {
        self.look(|item| meta.is_tag_of(item))
    }

    /// Looks at the item without reading it.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Found<'_, '_>) -> R) -> R {
        match &self.place {
            Place::Map(item) => look(&Found::borrowed(item)),
            Place::Json(json) => Found::of_json(text(json), |item| look(&item)),
        }
    }

    /// The error of a write that was applied and returned this item, which cannot be read.
    pub(crate) fn applied(self, entity: &'static str, problem: Error) -> Error {
        let item = match self.place {
            Place::Map(item) => Some(item),
            Place::Json(json) => to_item(text(&json)).ok().map(Box::new),
        };
        Error::Applied {
            entity,
            item,
            problem: Box::new(problem),
        }
    }

    /// Reads the item.
    pub(crate) fn read<R>(self, decode: Decode<R>) -> Result<R> {
        self.check()?;
        let check_keys = self.check_keys;
        match self.place {
            Place::Map(item) => decode(Found::map(*item).check_keys(check_keys)),
            Place::Json(json) => {
                let json = text(&json);
                match Found::of_json(json, |item| decode(item.check_keys(check_keys))) {
                    Ok(value) => Ok(value),
                    // Read again as attributes, which tell better what is wrong.
                    Err(error) => match to_item(json) {
                        Ok(item) => decode(Found::map(item).check_keys(check_keys)),
                        Err(_) => Err(error),
                    },
                }
            }
        }
    }
}

/// The key of an item, in the table or index whose attributes these are.
pub(crate) fn key_of(item: &Found<'_, '_>, schema: &IndexSchema) -> Option<KeyId> {
    KeyId::from_values(schema, |attribute| {
        KeyValue::of_attribute(&item.scalar(attribute.name)?.into())
    })
}

/// The text of an item. The whole body was text when the item was found in it; nothing could be read as an item.
fn text(json: &Bytes) -> &str {
    simdutf8::basic::from_utf8(json).unwrap_or_default()
}

/// Without the item, which is data.
impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Raw")
    }
}
