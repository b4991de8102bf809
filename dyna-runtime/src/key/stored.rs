//! The key of an item that was read: its templates for everyone, its values for those who ask.

use super::templates::KeyTemplates;
use super::{KeyId, KeyValue};
use crate::schema::IndexSchema;
use std::fmt;

/// The key of a stored item, as errors show it: by its templates, `CHANNEL#<channel_id>/MSG#<sent_ms:013>`, or of an item that is of no
/// entity by its attributes, `<pk>/<sk>`.
///
/// [`reveal`](Self::reveal) says what stands in it.
#[derive(Clone)]
pub struct StoredKey {
    whose: Whose,
    id: KeyId,
}

/// Whose key it is.
#[derive(Clone, Copy)]
enum Whose {
    Entity(KeyTemplates),
    Unknown(&'static IndexSchema),
}

impl StoredKey {
    /// The key of an item of an entity.
    pub(crate) fn of(templates: KeyTemplates, id: KeyId) -> Self {
        let whose = Whose::Entity(templates);
        Self { whose, id }
    }

    /// The key of an item that is of no entity.
    pub(crate) fn unknown(schema: &'static IndexSchema, id: KeyId) -> Self {
        let whose = Whose::Unknown(schema);
        Self { whose, id }
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
        let parts: Vec<String> = match self.whose {
            Whose::Entity(keys) => {
                let templates = keys.pk.iter().chain(keys.sk);
                templates.map(|template| template.text.to_owned()).collect()
            }
            Whose::Unknown(schema) => {
                let attributes = schema.attributes();
                attributes.map(|it| format!("<{}>", it.name)).collect()
            }
        };
        f.write_str(&parts.join("/"))
    }
}

impl fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredKey({self})")
    }
}
