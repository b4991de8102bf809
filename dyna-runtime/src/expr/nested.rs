//! The contents of field types: fields, elements, entries, text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// A type in which the fields of `S` are found: `S` itself, in a `Box`, or in an `Option`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` does not have the fields of `{S}`",
    label = "this is a field of `{S}`",
    note = "each step names a field of the step before it: `User::DATA.field(UserData::EMAIL)`"
)]
pub trait HasNested<S> {}

impl<S> HasNested<S> for S {}
impl<S> HasNested<S> for Box<S> {}
impl<S> HasNested<S> for Option<S> {}
impl<S> HasNested<S> for Option<Box<S>> {}

/// The type of a field that one of type `T` can be compared with: `T` itself, or one of the two in an `Option`.
#[diagnostic::on_unimplemented(
    message = "cannot compare a `{T}` with a `{Self}`",
    label = "this field holds `{Self}`",
    note = "two fields can be compared if they have the same type, or one is an `Option` of the other"
)]
pub trait ComparableTo<T> {}

impl<T> ComparableTo<T> for T {}
impl<T> ComparableTo<T> for Option<T> {}
impl<T> ComparableTo<Option<T>> for T {}

/// A type that is stored as a list, and whose elements have numbers.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not stored as a list",
    label = "`index`, `append` and `prepend` need a list: `Vec`, `VecDeque`, array, slice, or an `Option` of one"
)]
pub trait ListField {
    /// The type of the elements.
    type Element: Serialize + DeserializeOwned;
}

impl<T: Serialize + DeserializeOwned> ListField for Vec<T> {
    type Element = T;
}

impl<T: Serialize + DeserializeOwned> ListField for VecDeque<T> {
    type Element = T;
}

impl<T: Serialize + DeserializeOwned> ListField for Box<[T]> {
    type Element = T;
}

impl<T: Serialize + DeserializeOwned, const N: usize> ListField for [T; N] {
    type Element = T;
}

impl<L: ListField> ListField for Option<L> {
    type Element = L::Element;
}

/// A type that is stored as a map with text for keys.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not stored as a map",
    label = "`entry` is for `HashMap<String, _>`, `BTreeMap<String, _>`, or an `Option` of one",
    note = "reach the fields of a struct with `.field(..)`: `User::DATA.field(UserData::EMAIL)`"
)]
pub trait MapField {
    /// The type of the values.
    type Value: Serialize + DeserializeOwned;
}

impl<V: Serialize + DeserializeOwned, H> MapField for HashMap<String, V, H> {
    type Value = V;
}

impl<V: Serialize + DeserializeOwned> MapField for BTreeMap<String, V> {
    type Value = V;
}

impl<M: MapField> MapField for Option<M> {
    type Value = M::Value;
}

/// A type that can contain something: text other text, a list or a set its elements.
///
/// Implement it for a type of your own that is stored as one of these.
#[diagnostic::on_unimplemented(
    message = "`contains` is not possible on a `{Self}`",
    label = "`contains` is for text, lists and sets, or an `Option` of one",
    note = "implement `dyna_runtime::expr::Container` for a type of your own that is stored as text, a list or a set"
)]
pub trait Container {
    /// The type of its elements.
    type Element: Serialize;
}

impl<T: Serialize> Container for Vec<T> {
    type Element = T;
}

impl<T: Serialize> Container for VecDeque<T> {
    type Element = T;
}

impl<T: Serialize> Container for Box<[T]> {
    type Element = T;
}

impl<T: Serialize, const N: usize> Container for [T; N] {
    type Element = T;
}

impl<T: Serialize, H> Container for HashSet<T, H> {
    type Element = T;
}

impl<T: Serialize> Container for BTreeSet<T> {
    type Element = T;
}

impl<C: Container> Container for Option<C> {
    type Element = C::Element;
}

/// A type of a field that can be stored as a set.
///
/// Implement it for a type of your own that is.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not known to be a set",
    label = "`add_elements` and `delete_elements` are for `BTreeSet`, `HashSet`, `Vec`, or an `Option` of one",
    note = "implement `dyna_runtime::expr::Set` for a type of your own that is stored as a set"
)]
pub trait Set {
    /// The type of the elements.
    type Element;

    /// The set of these elements.
    fn of(elements: impl Iterator<Item = Self::Element>) -> Self;
}

impl<T> Set for Vec<T> {
    type Element = T;

    fn of(elements: impl Iterator<Item = T>) -> Self {
        elements.collect()
    }
}

impl<T: Eq + Hash, H: BuildHasher + Default> Set for HashSet<T, H> {
    type Element = T;

    fn of(elements: impl Iterator<Item = T>) -> Self {
        elements.collect()
    }
}

impl<T: Ord> Set for BTreeSet<T> {
    type Element = T;

    fn of(elements: impl Iterator<Item = T>) -> Self {
        elements.collect()
    }
}

impl<S: Set> Set for Option<S> {
    type Element = S::Element;

    fn of(elements: impl Iterator<Item = S::Element>) -> Self {
        Some(S::of(elements))
    }
}

/// A type that is stored as text. Implement it for one of your own that is.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not known to be text",
    label = "`starts_with` is for text",
    note = "implement `dyna_runtime::expr::TextField` for a type of your own that is stored as text"
)]
pub trait TextField {}

impl<T: TextField> TextField for Option<T> {}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl TextField for $type {}

        impl Container for $type {
            type Element = String;
        }
    )*};
}

text!(String, Box<str>, Arc<str>, Cow<'static, str>);
