//! A table as data, which the derive emits, and as types: its key, its indexes, its stream, its settings.
//!
//! The parts of a schema print as people call them: `partition pk (S), sort sk (S)`, `global index`, `all attributes`. The package
//! `dyna-cli` prints whole schemas, as CloudFormation, Terraform, Markdown and more.

mod difference;
pub(crate) mod display;
mod entity_id;
mod name;
mod settings;

pub use difference::{Difference, DifferenceKind, Differences};
pub(crate) use entity_id::EntityId;
pub use name::{AttributeName, StoredAs};
pub use settings::{BillingMode, Encryption, Settings, TableClass, Throughput};

use crate::derived::Derived;
use std::marker::PhantomData;

/// A table as it is declared with `#[derive(DynaTable)]`.
#[derive(Debug)]
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
    /// What the stream of the table carries.
    pub stream: Option<StreamViewType>,
    /// How it is billed, kept, protected and labelled.
    pub settings: Settings,
    /// What separates the fields of a key.
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
    pub fn indexes_of(&self, scope: IndexKind) -> impl Iterator<Item = &'static IndexSchema> {
        let indexes = self.indexes.iter().copied();
        indexes.filter(move |index| index.scope == scope)
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

    /// Stands in for a table with errors.
    #[doc(hidden)]
    pub const BROKEN: Self = Self {
        type_name: "",
        doc: "",
        name: "",
        key: IndexSchema {
            name: "",
            scope: IndexKind::Table,
            pk: &[KeyAttribute {
                name: "",
                expr: "",
                kind: ScalarType::S,
            }],
            sk: &[],
            projection: Projection::All,
            throughput: None,
            conditions: &[KeyConditions {
                all: "",
                equals: "",
                begins_with: "",
                between: "",
                at_least: "",
                at_most: "",
            }],
        },
        indexes: &[],
        tag: None,
        ttl: None,
        stream: None,
        settings: Settings::DEFAULT,
        delimiter: b'#',
        stores_null: false,
    };
}

/// The attribute that says of which entity an item is.
#[derive(Debug, Clone, Copy)]
pub struct TagAttribute {
    /// The attribute.
    pub attribute: KeyAttribute,
    /// The condition that it says `:e`, or is `:null`, or is not there.
    pub is: &'static str,
}

/// The key of a table or of a secondary index.
#[derive(Debug)]
pub struct IndexSchema {
    /// The name of the index; empty for the table's own key.
    pub name: &'static str,
    /// Whose key it is.
    pub scope: IndexKind,
    /// The attributes of the partition key: one, or up to four of a global index.
    pub pk: &'static [KeyAttribute],
    /// The attributes of the sort key, in their order: none, one, or up to four of a global index.
    pub sk: &'static [KeyAttribute],
    /// Which attributes a read through the index yields.
    pub projection: Projection,
    /// What is provisioned for it: only global indexes of a provisioned table have a throughput of their own.
    pub throughput: Option<Throughput>,
    /// The key conditions of queries: one set for each attribute of the sort key, and one if it has none.
    pub conditions: &'static [KeyConditions],
}

impl IndexSchema {
    /// Its attributes: those of the partition key, then those of the sort key.
    pub fn attributes(&self) -> impl Iterator<Item = &'static KeyAttribute> + use<> {
        self.pk.iter().chain(self.sk)
    }
}

/// A key attribute.
#[derive(Debug, Clone, Copy)]
pub struct KeyAttribute {
    /// Its name.
    pub name: &'static str,
    /// How expressions name it: an alias such as `#status` if its name is a reserved word.
    pub expr: &'static str,
    /// Its type.
    pub kind: ScalarType,
}

impl KeyAttribute {
    /// The alias and the name, if expressions need an alias.
    pub fn alias(&self) -> Option<(&'static str, &'static str)> {
        (self.expr != self.name).then_some((self.expr, self.name))
    }
}

/// The type of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarType {
    /// A string.
    S,
    /// A number.
    N,
    /// Bytes.
    B,
}

/// Whose key an [`IndexSchema`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// The table's own.
    Table,
    /// A local secondary index's: the partition key is the table's.
    Local,
    /// A global secondary index's.
    Global,
}

/// Which attributes an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// All of them.
    All,
    /// The keys of the table and of the index.
    KeysOnly,
    /// The keys, and these.
    Include(&'static [&'static str]),
}

/// What a stream record carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// The key condition expressions of an index, complete: `:p` is the partition, `:s` and `:t` bound an attribute of the sort key.
///
/// Further attributes of the partition key are `:p1` to `:p3`, and those of the sort key that come before the bounded one `:k0` to `:k2`.
#[derive(Debug)]
pub struct KeyConditions {
    /// The whole partition.
    pub all: &'static str,
    /// One sort key.
    pub equals: &'static str,
    /// All sort keys with a prefix.
    pub begins_with: &'static str,
    /// All sort keys from `:s` to `:t`.
    pub between: &'static str,
    /// All sort keys from `:s` on.
    pub at_least: &'static str,
    /// All sort keys up to `:s`.
    pub at_most: &'static str,
}

/// A string key.
#[derive(Debug)]
pub enum StringKey {}
/// A number key.
#[derive(Debug)]
pub enum NumberKey {}
/// A binary key.
#[derive(Debug)]
pub enum BinaryKey {}
/// The sort key of a table or index that has none.
#[derive(Debug)]
pub enum NoSort {}

/// The types of a key that may have several attributes: the type of attribute `N`.
#[diagnostic::on_unimplemented(
    message = "the index has fewer attributes in this key than it is given templates",
    label = "more templates than attributes"
)]
pub trait At<const N: usize> {
    /// The type of the attribute.
    type Kind;
}

macro_rules! at {
    ($($key:ty: $n:tt $kind:ty, [$($generic:ident),*];)*) => {$(
        impl<$($generic),*> At<$n> for $key {
            type Kind = $kind;
        }
    )*};
}

// How many attributes there are is checked elsewhere.
impl<const N: usize> At<N> for StringKey {
    type Kind = Self;
}
impl<const N: usize> At<N> for NumberKey {
    type Kind = Self;
}
impl<const N: usize> At<N> for BinaryKey {
    type Kind = Self;
}
impl<const N: usize> At<N> for NoSort {
    type Kind = Self;
}

at! {
    (A, B): 0 A, [A, B];
    (A, B): 1 B, [A, B];
    (A, B, C): 0 A, [A, B, C];
    (A, B, C): 1 B, [A, B, C];
    (A, B, C): 2 C, [A, B, C];
    (A, B, C, D): 0 A, [A, B, C, D];
    (A, B, C, D): 1 B, [A, B, C, D];
    (A, B, C, D): 2 C, [A, B, C, D];
    (A, B, C, D): 3 D, [A, B, C, D];
}

/// A declared table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "this type does not derive `DynaTable`",
    note = "a table is an enum of its entities: `#[derive(DynaTable)] enum Shop {{ User(User), .. }}`, or one entity that is its own table and derives both"
)]
pub trait Schema: 'static {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The type of the partition key.
    type Pk;
    /// The type of the sort key.
    type Sk;
    /// The table.
    const SCHEMA: &'static TableSchema;
}

/// A struct with a field called `N`, which templates can reach: `<data.email>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no such field for a key template",
    label = "the fields of this type are not known here",
    note = "derive `DynaFields` on `{Self}`, and see whether the field is spelled right and as visible as the struct"
)]
pub trait HasField<N> {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The type of the field.
    type Type;
    /// Its name in what is stored.
    const NAME: AttributeName;
}

/// The name of an index or a field, as a type.
#[derive(Debug)]
pub struct Name<
    const C0: char,
    const C1: char = '\0',
    const C2: char = '\0',
    const C3: char = '\0',
    const C4: char = '\0',
    const C5: char = '\0',
    const C6: char = '\0',
    const C7: char = '\0',
    const C8: char = '\0',
    const C9: char = '\0',
    const C10: char = '\0',
    const C11: char = '\0',
    const C12: char = '\0',
    const C13: char = '\0',
    const C14: char = '\0',
    const C15: char = '\0',
    const C16: char = '\0',
    const C17: char = '\0',
    const C18: char = '\0',
    const C19: char = '\0',
    const C20: char = '\0',
    const C21: char = '\0',
    const C22: char = '\0',
    const C23: char = '\0',
    const C24: char = '\0',
    const C25: char = '\0',
    const C26: char = '\0',
    const C27: char = '\0',
    const C28: char = '\0',
    const C29: char = '\0',
    const C30: char = '\0',
    const C31: char = '\0',
>;

/// A table that has the index called `N`.
#[diagnostic::on_unimplemented(
    message = "table `{Self}` has no such index",
    label = "not an index of `{Self}`",
    note = "an entity uses the names that its table declares: `index(name, pk = \"..\", sk = \"..\")`"
)]
pub trait HasIndex<N>: Schema {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The type of the partition key.
    type Pk;
    /// The type of the sort key.
    type Sk;
    /// [`Strong`] or [`Eventual`].
    type Reads;
    /// [`AllAttributes`] or [`SomeAttributes`].
    type Yields;
    /// The index.
    const INDEX: &'static IndexSchema;
}

/// Something that can be queried: the table by its own key, or an index.
pub trait Queryable {
    /// Only this crate implements it.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The type of the partition key.
    type Pk;
    /// The type of the sort key.
    type Sk;
    /// [`Strong`] or [`Eventual`].
    type Reads;
    /// [`AllAttributes`] or [`SomeAttributes`].
    type Yields;
    /// Its key.
    const INDEX: &'static IndexSchema;
}

/// The table by its own key.
#[derive(Debug)]
pub struct Primary<T>(PhantomData<T>);

impl<T: Schema> Queryable for Primary<T> {
    const ONLY_BY_DERIVE: Derived = Derived;
    type Pk = T::Pk;
    type Sk = T::Sk;
    type Reads = Strong;
    type Yields = AllAttributes;
    const INDEX: &'static IndexSchema = &T::SCHEMA.key;
}

/// The table by its index `N`: also a value, `Shop::BY_EMAIL`, that names the index of a scan.
#[derive(Debug)]
pub struct Secondary<T, N>(PhantomData<fn() -> (T, N)>);

impl<T: HasIndex<N>, N> Secondary<T, N> {
    /// The index.
    #[doc(hidden)]
    pub const INDEX: Self = Self(PhantomData);
}

impl<T: HasIndex<N>, N> Queryable for Secondary<T, N> {
    const ONLY_BY_DERIVE: Derived = Derived;
    type Pk = <T as HasIndex<N>>::Pk;
    type Sk = <T as HasIndex<N>>::Sk;
    type Reads = T::Reads;
    type Yields = T::Yields;
    const INDEX: &'static IndexSchema = T::INDEX;
}

/// The keys of an index, and by them the whole items of the table: `.hydrate()`.
#[derive(Debug)]
pub struct Hydrated<K>(PhantomData<fn() -> K>);

impl<K: Queryable> Queryable for Hydrated<K> {
    const ONLY_BY_DERIVE: Derived = Derived;
    type Pk = K::Pk;
    type Sk = K::Sk;
    type Reads = K::Reads;
    type Yields = AllAttributes;
    const INDEX: &'static IndexSchema = K::INDEX;
}

/// Reads can be strongly consistent: the table, and local indexes.
#[derive(Debug)]
pub enum Strong {}
/// Reads are eventually consistent: global indexes.
#[derive(Debug)]
pub enum Eventual {}
/// Reads yield whole items.
#[derive(Debug)]
pub enum AllAttributes {}
/// Reads yield some attributes.
#[derive(Debug)]
pub enum SomeAttributes {}

/// Where `consistent()` can be asked for.
#[diagnostic::on_unimplemented(
    message = "a global secondary index has no strongly consistent reads",
    label = "this goes through a global secondary index",
    note = "read the table by its own key, or through a local index"
)]
pub trait Consistent {}
impl Consistent for Strong {}

/// Two names of one table.
#[diagnostic::on_unimplemented(
    message = "this entity belongs to table `{Self}`, not to `{T}`",
    label = "an entity of another table",
    note = "list it in the table that its `#[dyna(table = ..)]` names, or change that"
)]
pub trait SameTable<T> {
    /// Only this crate implements it.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// Only there to be named where the trait is required.
    const IS_SAME: bool = true;
}
impl<T> SameTable<T> for T {
    const ONLY_BY_DERIVE: Derived = Derived;
}
