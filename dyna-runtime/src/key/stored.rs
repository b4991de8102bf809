//! The key of an item that was read: its templates for everyone, its values for those who ask.

use super::{KeyId, KeyValue};
use crate::codec::Item;
use crate::entity::EntityMeta;
use std::fmt;

/// The key of a stored item, as errors show it: by its templates, `CHANNEL#<channel_id>/MSG#<sent_ms:013>`.
///
/// [`reveal`](Self::reveal) says what stands in it.
#[derive(Clone)]
pub struct StoredKey {
    meta: &'static EntityMeta,
    id: KeyId,
}

impl StoredKey {
    /// The key of an item, if it has one.
    pub(crate) fn of(meta: &'static EntityMeta, item: &Item) -> Option<Box<Self>> {
        let id = KeyId::of_item(&meta.schema.key, item)?;
        Some(Box::new(Self { meta, id }))
    }

    /// The key with its values, which may be personal data: `CHANNEL#c1/MSG#1735257600000`.
    pub fn reveal(&self) -> String {
        let text = |value: &KeyValue| match value {
            KeyValue::S(text) | KeyValue::N(text) => text.clone(),
            KeyValue::B(bytes) => format!("{} bytes", bytes.len()),
        };
        let values: Vec<String> = self.id.values().map(text).collect();
        values.join("/")
    }
}

/// The templates, without the values.
impl fmt::Display for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.meta.key;
        for (n, template) in key.pk.iter().chain(key.sk).enumerate() {
            let separator = if n > 0 { "/" } else { "" };
            write!(f, "{separator}{}", template.text)?;
        }
        Ok(())
    }
}

impl fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredKey({self})")
    }
}
