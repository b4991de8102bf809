//! An entity, its fields and its indexes as data.

use crate::codec::Nulls;
use crate::codec::json::{ItemSource, Scalar};
use crate::entity::variants::Variants;
use crate::error::RequestContext;
use crate::expr::Path;
use crate::key::KeyTemplates;
use crate::managed::Managed;
use crate::schema::AttributeName;
use crate::schema::{EntityId, IndexSchema, KeyAttribute, StoredAs, TableSchema};
use crate::shape;
use crate::shape::Template;
use std::any::TypeId;

/// An entity as it is declared with `#[derive(DynaEntity)]`.
#[derive(Debug)]
pub struct EntityMeta {
    /// The name of the struct or the enum.
    pub name: &'static str,
    /// The first paragraph of its doc comment; empty if it has none.
    pub doc: &'static str,
    /// The value of the tag attribute of its items.
    pub tag: &'static str,
    /// The table.
    pub schema: &'static TableSchema,
    /// The templates of the primary key.
    pub key: KeyTemplates,
    /// The indexes it is in.
    pub indexes: &'static [IndexMeta],
    /// Its fields, in the order of their declaration; fields that serde skips or flattens are not listed. Of an enum, the tag of serde and
    /// the fields that all variants have.
    pub fields: &'static [FieldMeta],
    /// The fields that keys are made of and that types do not tell all about: those of index keys that the primary key does not give
    /// back as they are, and those inside of nested structs.
    pub key_fields: &'static [KeyField],
    /// The managed attributes.
    pub managed: Managed,
    /// Whether unknown attributes matter to it: it flattens a map, or denies unknown fields.
    pub reads_unknown: bool,
    /// Where `None` is stored as NULL, unless the table says that it is everywhere.
    pub nulls: Nulls<'static>,
    /// Its variants, if it is an enum.
    pub variants: Option<&'static Variants>,
}

/// A field that a key is made of.
#[derive(Debug)]
pub struct KeyField {
    /// The field, as templates name it: `data.email`.
    pub path: &'static str,
    /// Where it is stored.
    pub place: KeyFieldPlace,
    /// Whether the primary key gives it back as it is.
    pub is_known: bool,
}

/// Where a field that a key is made of is stored.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum KeyFieldPlace {
    /// In an attribute of its own: the attribute, and the fields on the way.
    Attribute(&'static [AttributeName]),
    /// In the keys of indexes alone: the attributes that hold it. An item has those of the indexes that it is in.
    IndexKeys(&'static [AttributeName]),
}

impl KeyField {
    /// The places that it may be stored in.
    pub(crate) fn paths(&self) -> Vec<Path> {
        match self.place {
            KeyFieldPlace::Attribute(names) => {
                let names = names.iter().copied().map(Path::attribute);
                names.reduce(Path::then).into_iter().collect()
            }
            KeyFieldPlace::IndexKeys(names) => names.iter().copied().map(Path::attribute).collect(),
        }
    }

    /// Whether a change of this place is one of the field.
    pub(crate) fn overlaps(&self, path: &Path) -> bool {
        self.paths().iter().any(|place| place.overlaps(path))
    }

    /// Whether this place is all that is stored of the field.
    pub(crate) fn is_covered_by(&self, path: &Path) -> bool {
        self.paths().iter().any(|place| path.covers(place))
    }
}

/// One of the keys of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRef {
    /// The primary key.
    PrimaryKey,
    /// The key of the entity's index at this place.
    Index(usize),
}

impl KeyRef {
    /// The primary key first, then the indexes.
    pub(crate) const fn nth(n: usize) -> Self {
        match n.checked_sub(1) {
            None => Self::PrimaryKey,
            Some(n) => Self::Index(n),
        }
    }

    /// The place in this order.
    pub(crate) const fn place(self) -> usize {
        match self {
            Self::PrimaryKey => 0,
            Self::Index(n) => n + 1,
        }
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
    /// Whether an item may not be in it: a field is an `Option`, or `when` or a function of the template decides.
    pub is_sparse: bool,
}

/// A field of an entity.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FieldMeta {
    /// Its name in Rust.
    pub name: &'static str,
    /// The attribute it is stored in.
    pub attribute: &'static str,
    /// Its type, as it is spelled.
    pub ty: &'static str,
    /// Its type: two of one name are told apart by it.
    pub type_id: Option<TypeId>,
    /// How expressions name the attribute: an alias such as `#status` if its name is a reserved word.
    pub expr: &'static str,
    /// Whether it is stored in the key alone.
    pub key_only: bool,
    /// The first paragraph of its doc comment; empty if it has none.
    pub doc: &'static str,
    /// The function that reads it, if it is not its type's own: the end of its path, `rfc3339::deserialize`.
    pub with: &'static str,
    /// The type that it is stored as, if the Rust type decides it.
    pub stored_as: StoredAs,
    /// Other attributes in which it may be stored: those of `#[serde(alias = "..")]`.
    pub aliases: &'static [AttributeName],
    /// Whether it is stored in the keys of indexes alone.
    pub index_only: bool,
    /// How serde reads it where it is not stored.
    pub when_absent: WhenAbsent,
}

/// How serde reads a field that is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhenAbsent {
    /// As `None` or by a plain `#[serde(default)]`, or not at all.
    AsNone,
    /// Fails, although it is an `Option`: it has a function of its own and no default.
    Asked,
    /// Maybe as something else than `None`: it has a default of its own.
    Defaulted,
}

impl FieldMeta {
    /// A field that is stored in an attribute of its own.
    #[doc(hidden)]
    pub const fn new(name: &'static str, attribute: &'static str, ty: &'static str) -> Self {
        Self {
            name,
            attribute,
            ty,
            type_id: None,
            expr: attribute,
            key_only: false,
            index_only: false,
            doc: "",
            with: "",
            stored_as: StoredAs::Unknown,
            aliases: &[],
            when_absent: WhenAbsent::AsNone,
        }
    }

    /// The same, of this type.
    #[doc(hidden)]
    #[must_use]
    pub const fn typed<T: 'static>(self) -> Self {
        Self {
            type_id: Some(TypeId::of::<T>()),
            ..self
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

    /// The same, but in the keys of indexes.
    #[doc(hidden)]
    #[must_use]
    pub const fn index_only(self) -> Self {
        Self {
            index_only: true,
            ..self
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

    /// Whether another field is stored in the same way, so that a condition on one is a condition on the other.
    pub(crate) fn is_stored_like(&self, other: &Self) -> bool {
        let how = |field: &Self| (field.type_id, field.with, field.key_only, field.stored_as);
        let aliases = |field: &Self| {
            field
                .aliases
                .iter()
                .map(|alias| alias.attribute)
                .collect::<Vec<_>>()
        };
        how(self) == how(other) && aliases(self) == aliases(other)
    }

    /// The field that an attribute is a name of: its own, or an alias.
    pub(crate) fn named<'f>(fields: &'f [Self], attribute: &str) -> Option<&'f Self> {
        let is_name = |field: &&Self| field.stored().all().any(|name| name.attribute == attribute);
        fields.iter().find(is_name)
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
            when_absent: WhenAbsent::Asked,
            ..self
        }
    }

    /// The same, but serde may read it as something else than `None` where it is not stored.
    #[doc(hidden)]
    #[must_use]
    pub const fn defaulted(self) -> Self {
        Self {
            when_absent: WhenAbsent::Defaulted,
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

/// Whom the tag of an item names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// The entity that is asked.
    This,
    /// Another entity, or something that is no tag.
    Another,
    /// There is no tag, or NULL.
    Nobody,
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
        variants: None,
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
            let is_fed = |index: &IndexMeta| {
                is_in(&index.keys, feed.path) || self.managed.is_input(n, feed.path)
            };
            index.is_some_and(is_fed) && !feed.is_known
        })
    }

    /// Whether the key of an index has a field that is stored in such keys alone.
    pub(crate) fn has_index_only(&self, index: &IndexMeta) -> bool {
        let mut fields = self.fields.iter().filter(|field| field.index_only);
        fields.any(|field| is_in(&index.keys, field.name))
    }

    /// The attributes that fields which are stored in the keys of indexes alone are read from, of those that these are named by.
    pub(crate) fn index_only_attributes(
        &'static self,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<&'static KeyAttribute> {
        let fields = self.fields.iter().filter(|field| field.index_only);
        let fields: Vec<_> = fields.filter(|field| is_wanted(field.attribute)).collect();
        let indexes = self.indexes.iter();
        let indexes =
            indexes.filter(|index| fields.iter().any(|field| is_in(&index.keys, field.name)));
        indexes
            .flat_map(|index| index.schema.attributes())
            .collect()
    }

    /// The identity of the entity: two of one name may be in two tables, or be told apart by their keys alone.
    pub(crate) fn id(&self) -> EntityId {
        let text = |templates: &'static [Template]| templates.first().map_or("", |one| one.text);
        let key = [text(self.key.pk), text(self.key.sk)];
        EntityId::new([self.schema.name, self.name, self.tag, key[0], key[1]])
    }

    /// A request for items of the entity by their primary keys, for its errors.
    pub(crate) fn asked<'r>(&self, table: &'r str) -> RequestContext<'r> {
        self.asked_by(table, "")
    }

    /// A request by the key of an index, or of the table if its name is empty, for its errors.
    pub(crate) fn asked_by<'r>(&self, table: &'r str, index: &'static str) -> RequestContext<'r> {
        let mut indexes = self.indexes.iter();
        let used = indexes.find(|one| one.schema.name == index && !index.is_empty());
        RequestContext {
            table,
            index,
            partition: used.map_or(self.key.pk, |used| used.keys.pk),
        }
    }

    /// How many keys it has: the primary key, and one for each index.
    pub(crate) const fn key_count(&self) -> usize {
        self.indexes.len() + 1
    }

    /// The templates of a key.
    pub(crate) const fn templates(&'static self, key: KeyRef) -> &'static KeyTemplates {
        match key {
            KeyRef::PrimaryKey => &self.key,
            KeyRef::Index(n) => &self.indexes[n].keys,
        }
    }

    /// The table's key or the index that a key belongs to.
    pub(crate) const fn index(&'static self, key: KeyRef) -> &'static IndexSchema {
        match key {
            KeyRef::PrimaryKey => &self.schema.key,
            KeyRef::Index(n) => self.indexes[n].schema,
        }
    }

    /// Its key in this table or index, if it is there.
    pub(crate) const fn key_ref(&'static self, index: &IndexSchema) -> Option<KeyRef> {
        let mut n = 0;
        while n < self.key_count() {
            let key = KeyRef::nth(n);
            if shape::same(self.index(key).name, index.name) {
                return Some(key);
            }
            n += 1;
        }
        None
    }

    /// The attributes of the primary key and of all indexes of the table: an item is in every index whose attributes it has, whether
    /// its entity declares the index or not.
    pub(crate) fn key_attributes(&self) -> impl Iterator<Item = &'static str> {
        let attributes = self.schema.keys().flat_map(IndexSchema::attributes);
        attributes.map(|attribute| attribute.name)
    }

    /// Whom the tag of an item names.
    pub(crate) fn named_by(&self, item: &ItemSource<'_, '_>) -> Named {
        let tag = self.schema.tag.map_or("", |tag| tag.attribute.name);
        match item.pick([tag]) {
            [Some(Some(Scalar::S(tag)))] if tag == self.tag => Named::This,
            [Some(_)] => Named::Another,
            [None] => Named::Nobody,
        }
    }

    /// Whether items of other entities may be under its keys, so that the tag alone tells them apart.
    pub(crate) const fn shares_key(&self) -> bool {
        !self.managed.shares_key_with.is_empty()
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
            patched |= self.fields[at].key_only
                || matches!(self.fields[at].when_absent, WhenAbsent::Asked);
            at += 1;
        }
        patched
    }

    /// Whether a field that is absent may be read as something else.
    pub(crate) const fn has_defaults(&self) -> bool {
        let mut has = self.has_defaults_in_variants();
        let mut at = 0;
        while at < self.fields.len() {
            has |= matches!(self.fields[at].when_absent, WhenAbsent::Defaulted);
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
