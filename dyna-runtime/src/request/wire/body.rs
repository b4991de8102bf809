//! Writing requests: items go into the body as they are, before it is signed.

use super::raw::Raw;
use crate::codec::size::item_size;
use crate::codec::wire::{ItemJson, KeyText};
use crate::codec::{Item, Rules};
use crate::entity::{DynaEntity, EntityMeta, KeyWriter};
use crate::error::Result;
use crate::key::{KeyId, KeyValue};
use crate::request::limits::{Limit, MAX_ITEM};
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextMut;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// An item that is to be written.
#[derive(Clone)]
pub(crate) enum NewItem {
    /// As attributes.
    Map(Item),
    /// As the JSON that the request will have. Shared, because it may have to be sent again.
    Json { text: Arc<String>, key: KeyId },
}

impl NewItem {
    /// The item of an entity, if it can be written in one pass: nothing is filled in, and nothing is wrong with it that attributes
    /// would tell better.
    pub(crate) fn in_one_pass<E: DynaEntity>(entity: &E) -> Result<Option<Self>> {
        let meta = E::META;
        // What the key alone holds is compared with what serde writes.
        if meta.key_only().next().is_some() || !meta.kept.is_nothing() {
            return Ok(None);
        }
        let mut keys = KeyWriter::new(meta);
        entity.write_keys(&mut keys);
        let keys = keys.finish_keys()?;
        let mut json = ItemJson::new();
        if let Some(tag) = &meta.schema.tag {
            json.key(tag.attribute.name, KeyText::S(meta.tag));
        }
        for (name, value) in &keys {
            json.key(name, key_text(value));
        }
        // A sparse index key that is missing must be missing, not NULL.
        let names: Vec<&str> = meta.key_attributes().collect();
        let rules = Rules {
            omit_null: &names,
            ..Rules::default()
        };
        let fields = json.fields(entity, rules);
        let key = KeyId::of_keys(&meta.schema.key, keys);
        let (Ok(()), Some(key)) = (fields, key) else {
            return Ok(None);
        };
        Ok(Some(Self::Json {
            text: Arc::new(json.into_text()),
            key,
        }))
    }

    /// The item as attributes.
    pub(crate) fn map(&self) -> Cow<'_, Item> {
        match self {
            Self::Map(item) => Cow::Borrowed(item),
            Self::Json { text, .. } => Cow::Owned(super::answer::item_of(text)),
        }
    }

    /// Its primary key.
    pub(crate) fn key(&self, meta: &EntityMeta) -> Option<KeyId> {
        match self {
            Self::Map(item) => KeyId::of_item(&meta.schema.key, item),
            Self::Json { key, .. } => Some(key.clone()),
        }
    }

    /// How many bytes DynamoDB counts.
    pub(crate) fn size(&self) -> usize {
        item_size(&self.map())
    }

    /// No fewer bytes than DynamoDB counts, found without counting: JSON says everything with more.
    pub(crate) fn most_bytes(&self) -> usize {
        match self {
            Self::Map(item) => item_size(item),
            Self::Json { text, .. } => text.len(),
        }
    }

    /// Refuses what DynamoDB would refuse.
    pub(crate) fn check(&self, meta: &EntityMeta) -> Result<()> {
        if self.most_bytes() <= MAX_ITEM {
            return Ok(());
        }
        Limit::Item.check(meta, self.size())
    }

    /// The item as it will be stored, to be read.
    pub(crate) fn raw(&self) -> Raw {
        match self {
            Self::Map(item) => Raw::map(item.clone()),
            Self::Json { text, .. } => Raw::json(Bytes::copy_from_slice(text.as_bytes())),
        }
    }

    /// What the SDK's builders take, with JSON to be put in its place later.
    pub(crate) fn give(self, items: &mut NewItems) -> Item {
        match self {
            Self::Map(item) => item,
            Self::Json { text, key } => {
                items.0.push((text, key));
                Item::new()
            }
        }
    }
}

fn key_text(value: &KeyValue) -> KeyText<'_> {
    match value {
        KeyValue::S(text) => KeyText::S(text),
        KeyValue::N(digits) => KeyText::N(digits),
        KeyValue::B(bytes) => KeyText::B(bytes),
    }
}

/// The items of a request, in the order of the empty ones that the SDK writes in their places.
#[derive(Clone, Default)]
pub(crate) struct NewItems(Vec<(Arc<String>, KeyId)>);

/// An item without attributes, as the SDK writes it. Never in a string, where quotes are escaped, and no other member is of this form.
const PLACE: &str = r#""Item":{}"#;

impl NewItems {
    /// The body with the items in it.
    fn fill(&self, body: &str) -> Option<String> {
        let length: usize = self.0.iter().map(|(item, _)| item.len()).sum();
        let mut out = String::with_capacity(body.len() + length);
        let mut rest = body;
        for (item, _) in &self.0 {
            let (before, after) = rest.split_once(PLACE)?;
            out.push_str(before);
            out.push_str(r#""Item":"#);
            out.push_str(item);
            rest = after;
        }
        out.push_str(rest);
        (!rest.contains(PLACE)).then_some(out)
    }
}

/// Without the items, which are data.
impl fmt::Debug for NewItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewItems({})", self.0.len())
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
    pub(crate) fn keys(&self) -> impl Iterator<Item = &KeyId> {
        self.0.iter().map(|(_, key)| key)
    }
}

impl Intercept for NewItems {
    fn name(&self) -> &'static str {
        "dyna: write items"
    }

    #[cfg(feature = "tracing")]
    fn read_before_execution(
        &self,
        _: &aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        config.interceptor_state().store_put(self.clone());
        Ok(())
    }

    /// Once for all attempts, and before any of them is signed.
    fn modify_before_retry_loop(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let request = context.request_mut();
        let body = request
            .body()
            .bytes()
            .ok_or("the request is not in memory")?;
        let body = self
            .fill(std::str::from_utf8(body)?)
            .ok_or("the request has other places for items than expected")?;
        let length = itoa::Buffer::new().format(body.len()).to_owned();
        request.headers_mut().insert("content-length", length);
        *request.body_mut() = SdkBody::from(body);
        Ok(())
    }
}
