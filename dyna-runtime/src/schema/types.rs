//! A table and its indexes as types.

use crate::derived::Derived;
use crate::schema::AttributeName;
use crate::schema::index::IndexSchema;
use crate::schema::stream::StreamView;
use crate::schema::table::TableSchema;
use std::marker::PhantomData;

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
    message = "more templates than the index has key attributes",
    label = "one template per key attribute"
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
    /// What its stream carries: [`NewAndOldImages`](crate::schema::NewAndOldImages), .., [`NoStream`](crate::schema::NoStream).
    type Stream: StreamView;
    /// The table.
    const SCHEMA: &'static TableSchema;
}

/// A struct with a field called `N`, which templates can reach: `<data.email>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no such field for a key template",
    label = "the fields of this type are not known here",
    note = "derive `DynaFields` on `{Self}`; check the spelling of the field, and that it is as visible as the struct"
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
    note = "the indexes of `{Self}` are declared where it derives `DynaTable`: `index(name, pk = \"..\", sk = \"..\")`"
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
    type Consistency;
    /// [`AllAttributes`] or [`SomeAttributes`].
    type Coverage;
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
    type Consistency;
    /// [`AllAttributes`] or [`SomeAttributes`].
    type Coverage;
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
    type Consistency = Strong;
    type Coverage = AllAttributes;
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
    type Consistency = T::Consistency;
    type Coverage = T::Coverage;
    const INDEX: &'static IndexSchema = T::INDEX;
}

/// The keys of an index, and by them the whole items of the table: `.hydrate()`.
#[derive(Debug)]
pub struct Hydrated<K>(PhantomData<fn() -> K>);

impl<K: Queryable> Queryable for Hydrated<K> {
    const ONLY_BY_DERIVE: Derived = Derived;
    type Pk = K::Pk;
    type Sk = K::Sk;
    type Consistency = K::Consistency;
    type Coverage = AllAttributes;
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
