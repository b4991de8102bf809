//! Writing requests: items go into the body as they are, before it is signed.

use crate::codec::json::{ItemJson, ItemSource, to_item};
use crate::codec::size::item_size;
use crate::codec::{EncodeError, Item};
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::error::{MAX_ITEM, SizeLimit};
use crate::key::KeyId;
use crate::schema::TableSchema;
use crate::transport::ItemFormat;
use crate::transport::limits;
use crate::transport::raw_item::{RawItem, key_of};
use bytes::Bytes;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An item that is to be written, as the JSON that the request will have.
#[derive(Clone)]
pub(crate) struct ItemBody {
    /// Shared, because it may have to be sent again, and by items that were written together.
    text: Arc<String>,
    place: ItemSpan,
}

/// Where an item is in a text.
#[derive(Clone)]
pub(crate) struct ItemSpan {
    item: Range<usize>,
    /// The attributes of its primary key, one after the other.
    key: Range<usize>,
}

impl ItemSpan {
    /// The place of an item that began here.
    #[inline]
    pub(crate) fn new(start: usize, key: Range<usize>, json: ItemJson<'_>) -> Self {
        let end = json.finish();
        Self {
            item: start..end,
            key,
        }
    }

    /// Completes an item that began here with attributes, those of its key among them.
    pub(crate) fn write(
        meta: &EntityMeta,
        start: usize,
        mut json: ItemJson<'_>,
        attributes: &Item,
    ) -> Result<Self> {
        let schema = &meta.schema.key;
        let unknown = |_| Error::Encode {
            entity: meta.name,
            source: EncodeError::new("has an attribute of an unknown type"),
        };
        let key = json.next();
        for attribute in schema.attributes() {
            if let Some(value) = attributes.get(attribute.name) {
                json.attribute(attribute.name, value).map_err(unknown)?;
            }
        }
        let key = key..json.end();
        for (name, value) in attributes {
            if !schema.attributes().any(|attribute| attribute.name == name) {
                json.attribute(name, value).map_err(unknown)?;
            }
        }
        Ok(Self::new(start, key, json))
    }
}

impl ItemBody {
    /// The item at a place of a text.
    #[inline]
    pub(crate) fn new(text: Arc<String>, place: ItemSpan) -> Self {
        Self { text, place }
    }

    /// An item that there is as attributes.
    pub(crate) fn of_item(meta: &EntityMeta, item: &Item) -> Result<Self> {
        let mut text = String::new();
        let place = ItemSpan::write(meta, 0, ItemJson::new(&mut text), item)?;
        Ok(Self::new(Arc::new(text), place))
    }

    fn text(&self) -> Option<&str> {
        self.text.get(self.place.item.clone())
    }

    /// The text, or the mistake that it is not there.
    fn known_text(&self, entity: &'static str) -> Result<&str> {
        let what = "an item is not where it was written";
        self.text().ok_or(Error::Internal { entity, what })
    }

    /// The item as attributes, to be shown or measured.
    pub(crate) fn map(&self, entity: &'static str) -> Result<Item> {
        let what = "an item that was written cannot be read";
        to_item(self.known_text(entity)?).map_err(|_| Error::Internal { entity, what })
    }

    /// The text of its primary key: that of another item of the table is the same if the key is.
    pub(crate) fn key_text(&self) -> Option<&str> {
        self.text.get(self.place.key.clone())
    }

    /// Its primary key.
    pub(crate) fn key(&self, schema: &TableSchema) -> Option<KeyId> {
        ItemSource::with_json(self.text()?, |item| key_of(&item, &schema.key))
    }

    /// How many bytes DynamoDB counts; no fewer, if the text is not that of an item.
    pub(crate) fn size(&self) -> usize {
        let item = self.text().and_then(|text| to_item(text).ok());
        item.map_or(self.most_bytes(), |item| item_size(&item))
    }

    /// No fewer bytes than DynamoDB counts, found without counting: JSON says everything with more.
    pub(crate) fn most_bytes(&self) -> usize {
        self.place.item.len()
    }

    /// Refuses what DynamoDB would refuse.
    pub(crate) fn check(&self, meta: &EntityMeta) -> Result<()> {
        if self.most_bytes() <= MAX_ITEM {
            return Ok(());
        }
        limits::check(SizeLimit::Item, meta, self.size())
    }

    /// The item as it will be stored, to be read.
    pub(crate) fn raw(&self, entity: &'static str) -> Result<RawItem> {
        let text = self.known_text(entity)?;
        Ok(RawItem::json(Bytes::copy_from_slice(text.as_bytes())))
    }
}

/// The items and keys of a request, in the order of the empty ones that the SDK writes in their places.
#[derive(Clone)]
pub(crate) struct ItemBodies {
    items: Vec<ItemBody>,
    format: ItemFormat,
}

/// The members whose value is put in later. No other member has an empty value, and in a string quotes are escaped.
const MEMBERS: [&[u8]; 2] = [br#""Item":"#, br#""Key":"#];

impl ItemBodies {
    /// None yet.
    pub(crate) fn new(format: ItemFormat) -> Self {
        Self {
            items: Vec::new(),
            format,
        }
    }

    /// In which form they go through the SDK.
    pub(crate) fn format(&self) -> ItemFormat {
        self.format
    }

    /// Whether none are to be put into the request.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds an item, or a key that is written as an item is. What the SDK takes in its place: the item itself, or an empty one.
    pub(crate) fn add(&mut self, entity: &'static str, item: &ItemBody) -> Result<Item> {
        match self.format {
            ItemFormat::Bytes => {
                item.known_text(entity)?;
                self.items.push(item.clone());
                Ok(Item::new())
            }
            ItemFormat::Maps => item.map(entity),
        }
    }

    /// The body with the items in it.
    pub(crate) fn fill(&self, body: &[u8]) -> Option<Vec<u8>> {
        let length: usize = self.items.iter().map(ItemBody::most_bytes).sum();
        let mut out = Vec::with_capacity(body.len() + length);
        let (mut before, mut rest): (&[u8], _) = (&[], body);
        for item in &self.items {
            // Mostly the same stands before each of them.
            let same = rest.strip_prefix(before).and_then(strip_empty);
            (before, rest) = match same {
                Some(after) if !before.is_empty() => (before, after),
                _ => split_at_empty(rest)?,
            };
            out.extend_from_slice(before);
            out.extend_from_slice(item.text()?.as_bytes());
        }
        out.extend_from_slice(rest);
        split_at_empty(rest).is_none().then_some(out)
    }
}

/// The rest after an empty value.
fn strip_empty(body: &[u8]) -> Option<&[u8]> {
    body.strip_prefix(b"{}")
}

/// Splits a body at the next empty item: the text before it, and the text after it.
fn split_at_empty(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        let brace = body.get(at..)?.iter().position(|byte| *byte == b'{')?;
        let (before, from) = body.split_at_checked(at + brace)?;
        if let Some(after) = strip_empty(from)
            && MEMBERS.iter().any(|member| before.ends_with(member))
        {
            return Some((before, after));
        }
        at += brace + 1;
    }
}

/// Without the items, which are data.
impl fmt::Debug for ItemBodies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ItemBodies({})", self.items.len())
    }
}

/// Stored for tracing, which reads a request before its items are in it.
#[cfg(feature = "tracing")]
impl aws_smithy_types::config_bag::Storable for ItemBodies {
    type Storer = aws_smithy_types::config_bag::StoreReplace<Self>;
}

#[cfg(feature = "tracing")]
impl ItemBodies {
    /// The keys of the items. One without a key is left out: DynamoDB refuses it.
    pub(crate) fn keys(&self, schema: &TableSchema) -> impl Iterator<Item = Item> {
        let keys = self.items.iter().filter_map(|item| item.key(schema));
        keys.map(|key| key.into_item(&schema.key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str, item: Range<usize>, format: ItemFormat) -> Result<Item> {
        let key = 0..0;
        let body = ItemBody::new(Arc::new(text.to_owned()), ItemSpan { item, key });
        ItemBodies::new(format).add("User", &body)
    }

    #[test]
    fn an_item_that_is_not_where_it_was_written_is_an_internal_error() {
        for format in [ItemFormat::Bytes, ItemFormat::Maps] {
            let error = added("{}", 0..9, format).unwrap_err();
            assert!(matches!(error, Error::Internal { entity: "User", .. }));
            let expected =
                "User: internal: an item is not where it was written; please report this";
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn lost_item_is_never_an_empty_one() {
        let place = ItemSpan {
            item: 0..9,
            key: 0..9,
        };
        let body = ItemBody::new(Arc::new("{}".to_owned()), place);
        let is_internal = |error| matches!(error, Error::Internal { entity: "User", .. });
        assert!(is_internal(body.map("User").unwrap_err()));
        assert!(is_internal(body.raw("User").unwrap_err()));
        assert_eq!(body.key_text(), None);
    }

    #[test]
    fn an_item_that_was_written_and_cannot_be_read_is_an_internal_error() {
        let error = added("{\"secret", 0..8, ItemFormat::Maps).unwrap_err();
        let expected =
            "User: internal: an item that was written cannot be read; please report this";
        assert_eq!(error.to_string(), expected);
    }
}
