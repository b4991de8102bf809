//! What an entity is: data that the derive emits, and the one trait it implements.

pub(crate) mod changes;
pub(crate) mod collection;
mod decode;
mod encode;
mod erased;
mod failed_item;
pub(crate) mod fill;
pub(crate) mod in_place;
mod key;
pub(crate) mod owner;
pub(crate) mod projection;
mod stored;
mod undeclared;

pub use collection::CollectionMeta;
pub(crate) use decode::{Fields, decode, key_only, key_text, read, reread, restore};
pub(crate) use encode::{
    check_flattened, check_outside, check_readable, encode, encode_fields, encode_keys,
};
pub(crate) use erased::{AnyEntity, Functions, KeyFunctions};
pub use key::Key;
pub(crate) use key::check_native;
#[doc(hidden)]
pub use key::parse_key;
pub use projection::{CanYield, CoveredBy, ProjectedField, ProjectionMeta, View};
pub(crate) use stored::{Deserialized, Serialized};
#[doc(hidden)]
pub use stored::{deserialize, serialize};

use crate::codec::wire::{Found, Scalar};
use crate::codec::{EncodeError, Flattened, Item, Nulls};
use crate::derived::Derived;
use crate::entity::changes::Setters;
use crate::error::{Asked, Error, Result};
use crate::expr::Path;
use crate::key::{
    Found as FoundPart, IndexParts, KeyError, KeyTemplates, KeyValue, Parsed, Parts, partition,
    sort,
};
use crate::managed::Managed;
use crate::schema::AttributeName;
use crate::schema::{EntityId, IndexSchema, KeyAttribute, StoredAs, TableSchema, TagAttribute};
use crate::shape::Template;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserializer, Serializer};

/// A struct that is stored in a table, as data. Derived with [`DynaEntity`](crate::DynaEntity), never written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "this type does not derive `DynaEntity`"
)]
pub trait Entity: Sized + 'static {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The table it is stored in, which implements [`Schema`](crate::schema::Schema).
    type Table;

    /// What sets the fields of its indexes together.
    #[doc(hidden)]
    type Setters: Setters;

    /// Its keys and fields.
    const META: &'static EntityMeta;

    /// Writes its key attributes.
    #[doc(hidden)]
    fn write_keys(&self, out: &mut KeyWriter);

    /// The entity of an item that was found.
    #[doc(hidden)]
    fn read(item: Found<'_, '_>) -> Result<Self> {
        crate::entity::read(item)
    }

    /// The item that would be stored.
    #[doc(hidden)]
    fn encode(&self) -> Result<Item> {
        crate::entity::encode(self)
    }

    /// Reads the fields of the key.
    #[doc(hidden)]
    fn read_keys(_key: &Parsed<'_>, _out: &mut KeyReader) {}

    /// Writes it through serde. A supertrait would report a missing derive wherever the entity is named.
    #[doc(hidden)]
    fn __serialize<S: Serializer>(&self, _to: S) -> std::result::Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("not derived"))
    }

    /// Reads it through serde.
    #[doc(hidden)]
    fn __deserialize<'de, D: Deserializer<'de>>(_from: D) -> std::result::Result<Self, D::Error> {
        Err(serde::de::Error::custom("not derived"))
    }

    /// Shows the fields that it flattens.
    #[doc(hidden)]
    fn flattened(&self, _out: &mut Flattened) {}

    /// The attributes of fields that are written and never read. What is flattened does not see them.
    #[doc(hidden)]
    const WRITE_ONLY: &'static [&'static str] = &[];
}

/// An entity whose writes need no condition to be right, so that it can be written in batches. Derived with [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written in a batch, where DynamoDB checks no conditions",
    label = "an entity with a version or a unique field",
    note = "write it alone, or with others in a transaction: `db.transact()`"
)]
pub trait BatchWritable: Replaceable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// An entity whose items can be replaced and deleted without knowing what they hold: one without unique fields. Derived with
/// [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has unique fields, whose old values must be given up when an item is replaced or deleted",
    label = "the old values are not known here",
    note = "write it with `create`, change it with `update_loaded(&item)`, delete it with `delete_loaded(&item)` and give it another key with `rekey_loaded(&item, &new)`"
)]
pub trait Replaceable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// An entity whose items expire. Derived with [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "the items of `{Self}` never expire",
    label = "an entity without a field that says when",
    note = "mark a field with `#[dyna(ttl)]`, or leave out `or_expired`"
)]
pub trait Expiring {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// An entity as it is declared with `#[derive(DynaEntity)]`.
#[derive(Debug)]
pub struct EntityMeta {
    /// The name of the struct.
    pub name: &'static str,
    /// The first paragraph of its doc comment; empty if it has none.
    pub doc: &'static str,
    /// What the tag attribute says of its items.
    pub tag: &'static str,
    /// The table.
    pub schema: &'static TableSchema,
    /// The templates of the primary key.
    pub key: KeyTemplates,
    /// The indexes it is in.
    pub indexes: &'static [IndexMeta],
    /// Its fields, in the order of their declaration; fields that serde skips or flattens are not listed.
    pub fields: &'static [FieldMeta],
    /// The fields that keys are made of and that types do not tell all about: those of index keys that the primary key does not give
    /// back as they are, and those inside of nested structs.
    pub key_fields: &'static [KeyField],
    /// What every write fills in.
    pub managed: Managed,
    /// Whether unknown attributes matter to it: it flattens a map, or denies unknown fields.
    pub reads_unknown: bool,
    /// Where `None` is stored as NULL, unless the table says that it is everywhere.
    pub nulls: Nulls<'static>,
}

/// A field that a key is made of.
#[derive(Debug)]
pub struct KeyField {
    /// The field, as templates name it: `data.email`.
    pub path: &'static str,
    /// Where it is stored: the attribute, and the fields on the way.
    pub names: &'static [AttributeName],
    /// Whether the primary key gives it back as it is.
    pub is_known: bool,
}

impl KeyField {
    /// Where it is stored.
    pub(crate) fn path(&self) -> Path {
        let mut names = self.names.iter().copied().map(Path::attribute);
        let root = names
            .next()
            .unwrap_or_else(|| Path::new(AttributeName::new("", "")));
        names.fold(root, Path::then)
    }
}

/// An index that an entity is in.
#[derive(Debug)]
pub struct IndexMeta {
    /// The function that queries it: `by_email`.
    pub accessor: &'static str,
    /// The index.
    pub schema: &'static IndexSchema,
    /// The templates of its key.
    pub keys: KeyTemplates,
}

/// A field of an entity.
#[derive(Debug, Clone, Copy)]
pub struct FieldMeta {
    /// Its name in Rust.
    pub name: &'static str,
    /// The attribute it is stored in.
    pub attribute: &'static str,
    /// Its type, as it is spelled.
    pub ty: &'static str,
    /// How expressions name the attribute: an alias such as `#status` if its name is a reserved word.
    pub expr: &'static str,
    /// Whether it is stored in the key alone.
    pub key_only: bool,
    /// The first paragraph of its doc comment; empty if it has none.
    pub doc: &'static str,
    /// The function that reads it, if it is not its type's own: the end of its path, `rfc3339::deserialize`.
    pub with: &'static str,
    /// What it is stored as, as far as its type tells.
    pub stored_as: StoredAs,
    /// Other attributes in which it may be stored: those of `#[serde(alias = "..")]`.
    pub aliases: &'static [AttributeName],
    /// Whether it is an `Option` that serde asks for although it may not be stored: one with a function of its own and no default.
    pub asked: bool,
    /// Whether it is an `Option` that serde may read as `Some` where it is not stored, because it has a default of its own.
    pub defaulted: bool,
}

impl FieldMeta {
    /// A field that is stored in an attribute of its own.
    #[doc(hidden)]
    pub const fn new(name: &'static str, attribute: &'static str, ty: &'static str) -> Self {
        Self {
            name,
            attribute,
            ty,
            expr: attribute,
            key_only: false,
            doc: "",
            with: "",
            stored_as: StoredAs::Unknown,
            aliases: &[],
            asked: false,
            defaulted: false,
        }
    }

    /// The same, but with an alias in expressions.
    #[doc(hidden)]
    pub const fn alias(self, expr: &'static str) -> Self {
        Self { expr, ..self }
    }

    /// The same, but stored in the key alone.
    #[doc(hidden)]
    pub const fn key_only(name: &'static str, attribute: &'static str, ty: &'static str) -> Self {
        Self {
            key_only: true,
            ..Self::new(name, attribute, ty)
        }
    }

    /// The field that is stored in an attribute. Asked often in `const`, where calls are slow: therefore without any for most.
    pub(crate) const fn stored_in<'f>(mut fields: &'f [Self], attribute: &str) -> Option<&'f Self> {
        let attribute = attribute.as_bytes();
        while let [field, rest @ ..] = fields {
            let (mut a, mut b) = (field.attribute.as_bytes(), attribute);
            while let ([x, more @ ..], [y, others @ ..]) = (a, b)
                && *x == *y
            {
                (a, b) = (more, others);
            }
            if let ([], []) = (a, b) {
                return Some(field);
            }
            fields = rest;
        }
        None
    }

    /// Whether the field of an attribute is stored in the key alone.
    pub(crate) const fn is_key_only(fields: &[Self], attribute: &str) -> bool {
        matches!(Self::stored_in(fields, attribute), Some(field) if field.key_only)
    }

    /// The name of its attribute.
    pub(crate) fn stored(&self) -> AttributeName {
        AttributeName::new(self.attribute, self.expr).aliases(self.aliases)
    }

    /// The same, but it may also be stored in these attributes.
    #[doc(hidden)]
    #[must_use]
    pub const fn aliases(self, aliases: &'static [AttributeName]) -> Self {
        Self { aliases, ..self }
    }

    /// The same, but serde asks for it although it may not be stored.
    #[doc(hidden)]
    #[must_use]
    pub const fn asked(self) -> Self {
        Self {
            asked: true,
            ..self
        }
    }

    /// The same, but serde may read it as `Some` where it is not stored.
    #[doc(hidden)]
    #[must_use]
    pub const fn defaulted(self) -> Self {
        Self {
            defaulted: true,
            ..self
        }
    }

    /// The same, read by a function of its own.
    #[doc(hidden)]
    #[must_use]
    pub const fn with(self, with: &'static str) -> Self {
        Self { with, ..self }
    }

    /// The same, stored as this.
    #[doc(hidden)]
    #[must_use]
    pub const fn stored_as(self, stored_as: StoredAs) -> Self {
        Self { stored_as, ..self }
    }

    /// The same, with its doc comment.
    #[doc(hidden)]
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }
}

impl EntityMeta {
    /// Stands in for an entity with errors.
    #[doc(hidden)]
    pub const BROKEN: Self = Self {
        name: "",
        doc: "",
        tag: "",
        schema: &TableSchema::BROKEN,
        key: KeyTemplates {
            pk: &[Template {
                text: "",
                delimiter: b'#',
                fields: &[],
            }],
            sk: &[],
        },
        indexes: &[],
        fields: &[],
        key_fields: &[],
        managed: Managed::NONE,
        reads_unknown: false,
        nulls: Nulls::Omit,
    };

    /// Where `None` is stored as NULL.
    #[doc(hidden)]
    pub const fn nulls(&self) -> Nulls<'static> {
        if self.schema.stores_null {
            Nulls::Store
        } else {
            self.nulls
        }
    }

    /// Whether a field, as templates name it, is in the primary key.
    pub(crate) fn is_in_key(&self, path: &str) -> bool {
        is_in(&self.key, path)
    }

    /// The fields that the key of index `n` is made of and that the primary key does not give back as they are.
    pub(crate) fn key_fields_of(&self, n: usize) -> impl Iterator<Item = &'static KeyField> {
        let index = self.indexes.get(n);
        self.key_fields.iter().filter(move |feed| {
            index.is_some_and(|index| is_in(&index.keys, feed.path)) && !feed.is_known
        })
    }

    /// What tells it from every other entity: two of one name may be in two tables, or be told apart by their keys alone.
    pub(crate) fn id(&self) -> EntityId {
        let text = |templates: &'static [Template]| templates.first().map_or("", |one| one.text);
        let key = [text(self.key.pk), text(self.key.sk)];
        EntityId::new([self.schema.name, self.name, self.tag, key[0], key[1]])
    }

    /// A request for items of the entity by their primary keys, for its errors.
    pub(crate) fn asked<'r>(&self, table: &'r str) -> Asked<'r> {
        self.asked_by(table, "")
    }

    /// A request by the key of an index, or of the table if its name is empty, for its errors.
    pub(crate) fn asked_by<'r>(&self, table: &'r str, index: &'static str) -> Asked<'r> {
        let mut indexes = self.indexes.iter();
        let used = indexes.find(|one| one.schema.name == index && !index.is_empty());
        Asked {
            table,
            index,
            partition: used.map_or(self.key.pk, |used| used.keys.pk),
        }
    }

    /// The templates of the primary key, or with `space > 0` those of index `space - 1`.
    pub(crate) const fn keys_of(&'static self, space: usize) -> &'static KeyTemplates {
        match space {
            0 => &self.key,
            space => &self.indexes[space - 1].keys,
        }
    }

    /// The primary key itself, or with `space > 0` the index `space - 1`.
    pub(crate) const fn schema_of(&'static self, space: usize) -> &'static IndexSchema {
        match space {
            0 => &self.schema.key,
            space => self.indexes[space - 1].schema,
        }
    }

    /// The attributes of the primary key and of all indexes of the table: an item is in every index whose attributes it has, whether
    /// its entity declares the index or not.
    pub(crate) fn key_attributes(&self) -> impl Iterator<Item = &'static str> {
        let attributes = self.schema.keys().flat_map(IndexSchema::attributes);
        attributes.map(|attribute| attribute.name)
    }

    /// Whether the tag of an item, if it has one, is this entity's. Asked of what is at a key of the entity.
    pub(crate) fn is_tag_of(&self, item: &Found<'_, '_>) -> bool {
        let tag = self.schema.tag.map_or("", |tag| tag.attribute.name);
        match item.pick([tag]) {
            [Some(Some(Scalar::S(tag)))] => tag == self.tag,
            [Some(_)] => false,
            [None] => true,
        }
    }

    /// The fields that are stored in the key alone.
    pub(crate) fn key_only(&self) -> impl Iterator<Item = &FieldMeta> {
        self.fields.iter().filter(|field| field.key_only)
    }

    /// Whether a write looks at none of its fields: none is a key itself or in the key alone, and nothing is filled in.
    pub(crate) const fn is_plain(&'static self) -> bool {
        let mut plain = self.managed.is_nothing() && !self.reads_unknown;
        let mut at = 0;
        while at < self.fields.len() {
            plain &= !self.fields[at].key_only;
            let attribute = self.fields[at].attribute;
            plain &= !self.schema.key.has_key(attribute);
            plain &= self.index_with(attribute).is_none();
            at += 1;
        }
        plain
    }

    /// Whether an item is read otherwise than it is stored.
    pub(crate) const fn is_patched(&self) -> bool {
        let mut patched = self.reads_unknown;
        let mut at = 0;
        while at < self.fields.len() {
            patched |= self.fields[at].key_only || self.fields[at].asked;
            at += 1;
        }
        patched
    }

    /// Whether a field that is absent may be read as something else.
    pub(crate) const fn has_defaults(&self) -> bool {
        let mut has = false;
        let mut at = 0;
        while at < self.fields.len() {
            has |= self.fields[at].defaulted;
            at += 1;
        }
        has
    }

    /// Whether a field is stored in this attribute.
    pub(crate) fn has_attribute(&self, attribute: &str) -> bool {
        FieldMeta::stored_in(self.fields, attribute).is_some()
    }
}

/// Whether a template of the key names a field.
fn is_in(keys: &KeyTemplates, path: &str) -> bool {
    let templates = keys.pk.iter().chain(keys.sk);
    templates
        .flat_map(Template::parts)
        .any(|part| part.name == path)
}

/// The attributes of keys, those of the primary key first.
pub(crate) type Keys = Vec<(&'static str, KeyValue)>;

/// Collects the key attributes of an item.
#[derive(Debug)]
pub struct KeyWriter {
    meta: &'static EntityMeta,
    keys: Keys,
    /// The tag that the item gets.
    tag: Option<&'static TagAttribute>,
    error: Option<Box<KeyError>>,
}

impl KeyWriter {
    pub(crate) fn new(meta: &'static EntityMeta) -> Self {
        Self {
            meta,
            keys: Vec::with_capacity(2 + 2 * meta.indexes.len()),
            tag: meta.schema.tag.as_ref(),
            error: None,
        }
    }

    /// The same, but only for keys, in room that there is already.
    pub(crate) fn without_tag(meta: &'static EntityMeta, room: Keys) -> Self {
        Self {
            meta,
            keys: room,
            tag: None,
            error: None,
        }
    }

    /// Writes the primary key of an `E`.
    #[inline]
    pub fn primary<E: Entity>(&mut self, pk: impl Parts, sk: impl Parts) {
        match Key::<E>::build(&pk, &sk) {
            Ok(key) => self.keys.extend(key.into_named(&E::META.schema.key)),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// Writes the key of index `n` of the entity, unless a value is missing.
    #[inline]
    pub fn index(&mut self, n: usize, pk: impl IndexParts, sk: impl IndexParts) {
        if let (Some(index), Some(pk), Some(sk)) = (self.meta.indexes.get(n), pk.all(), sk.all()) {
            self.write(index.schema, &index.keys, &pk, &sk);
        }
    }

    #[inline]
    fn write(
        &mut self,
        schema: &IndexSchema,
        keys: &'static KeyTemplates,
        pk: &impl Parts,
        sk: &impl Parts,
    ) {
        let mut put = |attribute: &KeyAttribute, value: KeyValue| {
            self.keys.push((attribute.name, value));
        };
        let written = partition(self.meta.name, schema, keys, pk, &mut put)
            .and_then(|()| sort(self.meta.name, schema, keys, sk, &mut put));
        if let Err(error) = written {
            self.error = self.error.take().or(Some(error));
        }
    }

    /// The attributes of the keys. An attribute that several keys share is there for each of them, and says the same.
    pub(crate) fn finish_keys(self) -> Result<Keys, Box<KeyError>> {
        self.error.map_or(Ok(self.keys), Err)
    }

    /// The item with its keys and its tag.
    pub(crate) fn finish(self) -> Result<Item, Box<KeyError>> {
        let meta = self.meta;
        let mut item = Item::with_capacity(meta.fields.len() + 2 * meta.indexes.len() + 3);
        if let Some(tag) = self.tag {
            let value = AttributeValue::S(meta.tag.to_owned());
            item.insert(tag.attribute.name.to_owned(), value);
        }
        for (name, value) in self.finish_keys()? {
            item.insert(name.to_owned(), value.into_attribute());
        }
        Ok(item)
    }
}

/// Puts the fields of a key back into an item.
#[derive(Debug)]
pub struct KeyReader {
    meta: &'static EntityMeta,
    fields: Fields,
    item: Result<Item>,
}

impl KeyReader {
    pub(crate) fn new(meta: &'static EntityMeta, item: Item, fields: Fields) -> Self {
        Self {
            meta,
            fields,
            item: Ok(item),
        }
    }

    /// The item, or the first error.
    pub(crate) fn finish(self) -> Result<Item> {
        self.item
    }

    /// The field that would be stored in `attribute`, if it is wanted.
    pub fn field<T>(
        &mut self,
        attribute: &'static str,
        found: FoundPart<'_>,
        read: fn(FoundPart<'_>) -> Result<T, KeyError>,
        write: fn(&T) -> Result<AttributeValue, EncodeError>,
    ) {
        let Ok(item) = &mut self.item else {
            return;
        };
        let is_key_only = FieldMeta::is_key_only(self.meta.fields, attribute);
        if !is_key_only && (self.fields == Fields::KeyOnly || item.contains_key(attribute)) {
            return;
        }
        let entity = self.meta.name;
        let value = read(found).map_err(|error| Box::new(error).into());
        match value
            .and_then(|value| write(&value).map_err(|source| Error::Encode { entity, source }))
        {
            Ok(value) => {
                item.insert(attribute.to_owned(), value);
            }
            Err(error) => self.item = Err(error),
        }
    }
}
