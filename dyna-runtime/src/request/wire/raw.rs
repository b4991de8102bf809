//! One item of an answer, not read yet.

use super::answer::item_of;
use crate::codec::Item;
use crate::codec::wire::{Found, Scalar};
use crate::error::Result;
use crate::key::{KeyId, KeyValue};
use crate::schema::IndexSchema;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::body::SdkBody;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One item of an answer. It stays in the bytes of the answer until someone reads it.
#[doc(hidden)]
#[derive(Clone)]
pub struct Raw(Place);

#[derive(Clone)]
enum Place {
    Map(Box<Item>),
    Body(Arc<SdkBody>, Range<usize>),
}

impl Raw {
    /// An item that the SDK has read.
    pub(crate) fn map(item: Item) -> Self {
        Self(Place::Map(Box::new(item)))
    }

    /// An item in the body of an answer.
    pub(super) fn in_body(body: &Arc<SdkBody>, place: Range<usize>) -> Self {
        Self(Place::Body(body.clone(), place))
    }

    /// An item whose JSON this is.
    pub(super) fn json(json: &str) -> Self {
        Self(Place::Body(Arc::new(SdkBody::from(json)), 0..json.len()))
    }

    /// The item as a map.
    pub(crate) fn into_map(self) -> Item {
        match self.0 {
            Place::Map(item) => *item,
            Place::Body(body, place) => item_of(text(&body, place)),
        }
    }

    /// The attribute of this name, if it is a string, a number or bytes.
    pub(crate) fn get(&self, name: &str) -> Option<AttributeValue> {
        self.look(|item| item.scalar(name).map(Scalar::into))
    }

    /// Its key, in the table or index whose attributes these are.
    pub(crate) fn key(&self, schema: &IndexSchema) -> Option<KeyId> {
        KeyId::from_values(schema, |attribute| {
            KeyValue::of_attribute(&self.get(attribute.name)?)
        })
    }

    /// Looks at the item without reading it.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Found<'_, '_>) -> R) -> R {
        match &self.0 {
            Place::Map(item) => look(&Found::Borrowed(item)),
            Place::Body(body, place) => {
                Found::of_json(text(body, place.clone()), |item| look(&item))
            }
        }
    }

    /// Reads the item.
    pub(crate) fn read<R>(self, read: impl Fn(Found<'_, '_>) -> Result<R>) -> Result<R> {
        match self.0 {
            Place::Map(item) => read(Found::Map(*item)),
            Place::Body(body, place) => {
                let json = text(&body, place);
                // What the SDK makes of it decides.
                Found::of_json(json, &read).or_else(|_| read(Found::Map(item_of(json))))
            }
        }
    }
}

/// The text of an item. The whole body was text when the item was found in it.
fn text(body: &SdkBody, place: Range<usize>) -> &str {
    let bytes = body.bytes().and_then(|body| body.get(place));
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.unwrap_or("{}")
}

/// Without the item, which is data.
impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Raw")
    }
}
