//! What the types of fields have inside of them: fields, elements, entries, text.

use serde::Serialize;
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
    message = "a `{T}` is not compared with a `{Self}`",
    label = "this field holds `{Self}`",
    note = "two fields of an item are compared if they have one type, or one of them has it in an `Option`"
)]
pub trait ComparableTo<T> {}

impl<T> ComparableTo<T> for T {}
impl<T> ComparableTo<T> for Option<T> {}
impl<T> ComparableTo<Option<T>> for T {}

/// A type that is stored as a list, and whose elements have numbers.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no elements to count",
    label = "`at`, `append` and `prepend` are for lists: `Vec`, `VecDeque`, arrays, slices, or an `Option` of one"
)]
pub trait List {
    /// The type of the elements.
    type Element: Serialize;
}

impl<T: Serialize> List for Vec<T> {
    type Element = T;
}

impl<T: Serialize> List for VecDeque<T> {
    type Element = T;
}

impl<T: Serialize> List for Box<[T]> {
    type Element = T;
}

impl<T: Serialize, const N: usize> List for [T; N] {
    type Element = T;
}

impl<L: List> List for Option<L> {
    type Element = L::Element;
}

/// A type that is stored as a map with text for keys.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no entries",
    label = "`entry` is for `HashMap<String, _>`, `BTreeMap<String, _>`, or an `Option` of one",
    note = "the fields of a struct are reached with `then`"
)]
pub trait Map {
    /// The type of the values.
    type Value: Serialize;
}

impl<V: Serialize, H> Map for HashMap<String, V, H> {
    type Value = V;
}

impl<V: Serialize> Map for BTreeMap<String, V> {
    type Value = V;
}

impl<M: Map> Map for Option<M> {
    type Value = M::Value;
}

/// A type that can contain something: text other text, a list or a set its elements.
///
/// Implement it for a type of your own that is stored as one of these.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` contains nothing to look for",
    label = "`contains` is for text, lists and sets, or an `Option` of one",
    note = "implement `dyna_runtime::expr::Container` for a type of your own that is stored as text, a list or a set"
)]
pub trait Container {
    /// What it can contain.
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
    note = "implement `dyna_runtime::expr::Text` for a type of your own that is stored as text"
)]
pub trait Text {}

impl<T: Text> Text for Option<T> {}

macro_rules! text {
    ($($type:ty),*) => {$(
        impl Text for $type {}

        impl Container for $type {
            type Element = String;
        }
    )*};
}

text!(String, Box<str>, Arc<str>, Cow<'static, str>);
