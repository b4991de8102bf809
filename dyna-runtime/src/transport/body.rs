//! Writing requests: items go into the body as they are, before it is signed.

use crate::codec::size::item_size;
use crate::codec::wire::{Found, ItemJson, to_item};
use crate::codec::{EncodeError, Item};
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::error::{MAX_ITEM, SizeLimit};
use crate::key::KeyId;
use crate::schema::TableSchema;
use crate::transport::Form;
use crate::transport::limits;
use crate::transport::raw::{Raw, key_of};
use bytes::Bytes;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An item that is to be written, as the JSON that the request will have.
#[derive(Clone)]
pub(crate) struct NewItem {
    /// Shared, because it may have to be sent again, and by items that were written together.
    text: Arc<String>,
    place: Place,
}

/// Where an item is in a text.
#[derive(Clone)]
pub(crate) struct Place {
    item: Range<usize>,
    /// The attributes of its primary key, one after the other.
    key: Range<usize>,
}

impl Place {
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

impl NewItem {
    /// The item at a place of a text.
    #[inline]
    pub(crate) fn new(text: Arc<String>, place: Place) -> Self {
        Self { text, place }
    }

    /// An item that there is as attributes.
    pub(crate) fn of_item(meta: &EntityMeta, item: &Item) -> Result<Self> {
        let mut text = String::new();
        let place = Place::write(meta, 0, ItemJson::new(&mut text), item)?;
        Ok(Self::new(Arc::new(text), place))
    }

    fn text(&self) -> Option<&str> {
        self.text.get(self.place.item.clone())
    }

    /// The item as attributes, to be shown or measured.
    pub(crate) fn map(&self) -> Item {
        let item = self.text().and_then(|text| to_item(text).ok());
        item.unwrap_or_default()
    }

    /// The text of its primary key: that of another item of the table is the same if the key is.
    pub(crate) fn key_text(&self) -> &str {
        self.text.get(self.place.key.clone()).unwrap_or_default()
    }

    /// Its primary key.
    pub(crate) fn key(&self, schema: &TableSchema) -> Option<KeyId> {
        Found::of_json(self.text()?, |item| key_of(&item, &schema.key))
    }

    /// How many bytes DynamoDB counts.
    pub(crate) fn size(&self) -> usize {
        item_size(&self.map())
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
    pub(crate) fn raw(&self) -> Raw {
        // Nothing is no item: it cannot be read.
        let text = self.text().unwrap_or_default();
        Raw::json(Bytes::copy_from_slice(text.as_bytes()))
    }
}

/// The items and keys of a request, in the order of the empty ones that the SDK writes in their places.
#[derive(Clone)]
pub(crate) struct NewItems {
    items: Vec<NewItem>,
    form: Form,
}

/// The members whose value is put in later. No other member has an empty value, and in a string quotes are escaped.
const MEMBERS: [&[u8]; 2] = [br#""Item":"#, br#""Key":"#];

impl NewItems {
    /// None yet.
    pub(crate) fn new(form: Form) -> Self {
        Self {
            items: Vec::new(),
            form,
        }
    }

    /// In which form they go through the SDK.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Whether none are to be put into the request.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds an item, or a key that is written as an item is. What the SDK takes in its place: the item itself, or an empty one.
    pub(crate) fn add(&mut self, meta: &EntityMeta, item: &NewItem) -> Result<Item> {
        let internal = |what| Error::Internal {
            entity: meta.name,
            what,
        };
        let Some(text) = item.text() else {
            return Err(internal("an item is not where it was written"));
        };
        match self.form {
            Form::Bytes => {
                self.items.push(item.clone());
                Ok(Item::new())
            }
            Form::Maps => {
                to_item(text).map_err(|_| internal("an item that was written cannot be read"))
            }
        }
    }

    /// The body with the items in it.
    pub(crate) fn fill(&self, body: &[u8]) -> Option<Vec<u8>> {
        let length: usize = self.items.iter().map(NewItem::most_bytes).sum();
        let mut out = Vec::with_capacity(body.len() + length);
        let (mut before, mut rest): (&[u8], _) = (&[], body);
        for item in &self.items {
            // Mostly the same stands before each of them.
            let same = rest.strip_prefix(before).and_then(strip_place);
            (before, rest) = match same {
                Some(after) if !before.is_empty() => (before, after),
                _ => split_at_place(rest)?,
            };
            out.extend_from_slice(before);
            out.extend_from_slice(item.text()?.as_bytes());
        }
        out.extend_from_slice(rest);
        split_at_place(rest).is_none().then_some(out)
    }
}

/// What is behind an empty value.
fn strip_place(body: &[u8]) -> Option<&[u8]> {
    body.strip_prefix(b"{}")
}

/// What is before the next place of an item, and what is behind it.
fn split_at_place(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        let brace = body.get(at..)?.iter().position(|byte| *byte == b'{')?;
        let (before, from) = body.split_at_checked(at + brace)?;
        if let Some(after) = strip_place(from)
            && MEMBERS.iter().any(|member| before.ends_with(member))
        {
            return Some((before, after));
        }
        at += brace + 1;
    }
}

/// Without the items, which are data.
impl fmt::Debug for NewItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewItems({})", self.items.len())
    }
}

/// What is traced of a request is known before its items are in it.
#[cfg(feature = "tracing")]
impl aws_smithy_types::config_bag::Storable for NewItems {
    type Storer = aws_smithy_types::config_bag::StoreReplace<Self>;
}

#[cfg(feature = "tracing")]
impl NewItems {
    /// The keys of the items.
    pub(crate) fn keys(&self, schema: &TableSchema) -> impl Iterator<Item = Item> {
        let keys = self.items.iter().map(|item| item.key(schema));
        keys.map(|key| {
            key.map(|key| key.into_item(&schema.key))
                .unwrap_or_default()
        })
    }
}
