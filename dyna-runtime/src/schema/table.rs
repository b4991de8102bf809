//! A table as data.

use crate::schema::Settings;
use crate::schema::index::IndexKind;
use crate::schema::index::IndexSchema;
use crate::schema::index::KeyAttribute;
use crate::schema::index::KeyConditions;
use crate::schema::index::ScalarType;

/// A table as it is declared with `#[derive(DynaTable)]`.
#[derive(Debug)]
#[non_exhaustive]
pub struct TableSchema {
    /// The name of the Rust type.
    pub type_name: &'static str,
    /// The first paragraph of its doc comment; empty if it has none.
    pub doc: &'static str,
    /// The name of the table, with its `{variables}`.
    pub name: &'static str,
    /// The primary key.
    pub key: IndexSchema,
    /// The secondary indexes, in the order of their declaration.
    pub indexes: &'static [&'static IndexSchema],
    /// The attribute that says of which entity an item is.
    pub tag: Option<TagAttribute>,
    /// The attribute that holds the time of expiry, in seconds since 1970.
    pub ttl: Option<KeyAttribute>,
    /// The view type of the table's stream.
    pub stream: Option<StreamViewType>,
    /// Billing, storage class, protection, encryption and resource tags.
    pub settings: Settings,
    /// The delimiter between the fields of a key.
    pub delimiter: u8,
    /// Whether `None` is stored as NULL: `#[dyna(nulls = "store")]`.
    pub stores_null: bool,
}

impl TableSchema {
    /// The attributes of all keys of the table, and its tag: what no one but Dyna writes.
    pub(crate) fn reserved(&self) -> impl Iterator<Item = &'static str> {
        self.keys()
            .flat_map(IndexSchema::attributes)
            .map(|attribute| attribute.name)
            .chain(self.tag.map(|tag| tag.attribute.name))
    }

    /// Its own key, then those of its indexes.
    pub fn keys(&self) -> impl Iterator<Item = &IndexSchema> {
        std::iter::once(&self.key).chain(self.indexes.iter().copied())
    }

    /// Its global or its local indexes, in the order of their declaration.
    pub fn indexes_of(&self, kind: IndexKind) -> impl Iterator<Item = &'static IndexSchema> {
        let indexes = self.indexes.iter().copied();
        indexes.filter(move |index| index.kind == kind)
    }

    /// Whether it is the attribute of the tag.
    pub(crate) fn is_tag(&self, attribute: &str) -> bool {
        self.tag.is_some_and(|tag| tag.attribute.name == attribute)
    }

    /// The attribute of the table's own partition key.
    pub const fn pk(&self) -> &'static KeyAttribute {
        &self.key.pk[0]
    }

    /// The attribute of the table's own sort key.
    pub const fn sk(&self) -> Option<&'static KeyAttribute> {
        self.key.sk.first()
    }

    /// A table without options: one key, no tag, TTL or stream.
    #[doc(hidden)]
    pub const fn new(type_name: &'static str, name: &'static str, key: IndexSchema) -> Self {
        Self {
            type_name,
            doc: "",
            name,
            key,
            indexes: &[],
            tag: None,
            ttl: None,
            stream: None,
            settings: Settings::DEFAULT,
            delimiter: b'#',
            stores_null: false,
        }
    }

    /// The same, with the text of its doc comment.
    #[doc(hidden)]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// The same, with these indexes.
    #[doc(hidden)]
    pub const fn indexes(self, indexes: &'static [&'static IndexSchema]) -> Self {
        Self { indexes, ..self }
    }

    /// The same, with a tag: its attribute, and the condition that it says `:e`, or is `:null`, or is not there.
    #[doc(hidden)]
    pub const fn tag(self, attribute: KeyAttribute, is: &'static str) -> Self {
        let tag = Some(TagAttribute { attribute, is });
        Self { tag, ..self }
    }

    /// The same, with the attribute of the time of expiry.
    #[doc(hidden)]
    pub const fn ttl(self, attribute: KeyAttribute) -> Self {
        let ttl = Some(attribute);
        Self { ttl, ..self }
    }

    /// The same, with a stream.
    #[doc(hidden)]
    pub const fn stream(self, view: StreamViewType) -> Self {
        let stream = Some(view);
        Self { stream, ..self }
    }

    /// The same, with these settings.
    #[doc(hidden)]
    pub const fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// The same, with another delimiter.
    #[doc(hidden)]
    pub const fn delimiter(self, delimiter: u8) -> Self {
        Self { delimiter, ..self }
    }

    /// The same, with `None` stored as NULL.
    #[doc(hidden)]
    pub const fn stores_null(self) -> Self {
        Self {
            stores_null: true,
            ..self
        }
    }

    /// Stands in for a table with errors.
    #[doc(hidden)]
    pub const BROKEN: Self = Self::new(
        "",
        "",
        IndexSchema::new(
            IndexKind::Table,
            "",
            &[KeyAttribute::new("", "", ScalarType::S)],
            &[],
            &[KeyConditions {
                all: "",
                equals: "",
                begins_with: "",
                between: "",
                at_least: "",
                at_most: "",
            }],
        ),
    );
}

/// The attribute that says of which entity an item is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TagAttribute {
    /// The attribute.
    pub attribute: KeyAttribute,
    /// The condition that it says `:e`, or is `:null`, or is not there.
    pub is: &'static str,
}

/// The content of a stream record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamViewType {
    /// The keys.
    KeysOnly,
    /// The item after the change.
    NewImage,
    /// The item before the change.
    OldImage,
    /// Both.
    NewAndOldImages,
}
