//! The key of an item that was read: its templates for everyone, its values for those who ask.

use super::templates::KeyTemplates;
use super::{KeyId, KeyValue};
use crate::schema::IndexSchema;
use std::fmt;

/// The key of a stored item, as errors show it: by its templates, `CHANNEL#<channel_id>/MSG#<sent_ms:013>`, or of an item that is of no
/// entity by its attributes, `<pk>/<sk>`.
///
/// [`reveal`](Self::reveal) returns its values.
#[derive(Clone)]
pub struct StoredKey {
    source: KeySource,
    id: KeyId,
}

/// The owner of the key.
#[derive(Clone, Copy)]
enum KeySource {
    Entity(KeyTemplates),
    Unknown(&'static IndexSchema),
}

impl StoredKey {
    /// The key of an item of an entity.
    pub(crate) fn of(templates: KeyTemplates, id: KeyId) -> Self {
        let source = KeySource::Entity(templates);
        Self { source, id }
    }

    /// The key of an item that is of no entity.
    pub(crate) fn unknown(schema: &'static IndexSchema, id: KeyId) -> Self {
        let source = KeySource::Unknown(schema);
        Self { source, id }
    }

    /// The values of the key.
    pub(crate) fn id(&self) -> &KeyId {
        &self.id
    }

    /// The partition key and the sort key with their values, which may be personal data, as the generated `parse_key` takes them.
    /// The sort key is empty if the table has none; bytes are shown by their number.
    ///
    /// ```
    /// # use dyna_runtime::change::{Event, Record};
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "notes", pk = "pk", sk = "sk", stream = "keys_only"), pk = "USER#<user>", sk = "NOTE#<n:04>")]
    /// # struct Note { user: String, n: u16 }
    /// # fn main() -> dyna_runtime::Result<()> {
    /// # let note = Note { user: "ann".to_owned(), n: 7 };
    /// # let keys = <Note as DynaTable>::to_item(&note)?.into_iter().filter(|(name, _)| name.ends_with('k')).collect();
    /// # let record = Record::new(Event::Insert, keys);
    /// let change = Note::change(record)?;
    /// let (pk, sk) = change.key.reveal_parts();
    /// assert_eq!(Note::parse_key(&pk, &sk), Ok(("ann".to_owned(), 7)));
    /// # Ok(()) }
    /// ```
    pub fn reveal_parts(&self) -> (String, String) {
        let mut values = self.id.values().map(text);
        let pk = values.next().unwrap_or_default();
        (pk, values.next().unwrap_or_default())
    }

    /// The key with its values, which may be personal data: `CHANNEL#c1/MSG#1735257600000`.
    pub fn reveal(&self) -> String {
        let values: Vec<String> = self.id.values().map(text).collect();
        values.join("/")
    }
}

fn text(value: &KeyValue) -> String {
    match value {
        KeyValue::S(text) | KeyValue::N(text) => text.clone(),
        KeyValue::B(bytes) => format!("{} bytes", bytes.len()),
    }
}

/// The templates, without the values.
impl fmt::Display for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = match self.source {
            KeySource::Entity(keys) => {
                let templates = keys.pk.iter().chain(keys.sk);
                templates.map(|template| template.text.to_owned()).collect()
            }
            KeySource::Unknown(schema) => {
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
