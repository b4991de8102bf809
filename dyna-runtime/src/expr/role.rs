//! What a field is to an update: an attribute of its own, a part of a key, or kept by Dyna. Only types, so that what an update may
//! change is known when the program is compiled.

use std::marker::PhantomData;

/// An attribute of its own, which updates change as they like.
#[derive(Debug)]
pub enum Free {}

/// A field of a struct that is stored in an attribute.
#[derive(Debug)]
pub enum Nested {}

/// An element of a list, or an entry of a map.
#[derive(Debug)]
pub enum Element {}

/// A part of the primary key.
#[derive(Debug)]
pub enum InKey {}

/// A part of an index key. If the key is `DERIVED`, it is stored apart from the field and has to follow it; otherwise the attribute
/// of the field is the key. `S` is called like the function that sets the fields of the index together.
#[derive(Debug)]
pub struct InIndex<const DERIVED: bool, S>(PhantomData<S>);

/// The same, but a field of the index is unique or filled in, so that nothing sets its fields by the key of the item alone.
#[derive(Debug)]
pub enum InKeptIndex<const DERIVED: bool> {}

/// The version, the time of creation or of the last change: filled in by every write.
#[derive(Debug)]
pub enum Kept {}

/// A value that no other item has.
#[derive(Debug)]
pub enum Unique {}

/// When the item expires, and its unique values with it.
#[derive(Debug)]
pub enum UniqueExpiry {}

/// An update of an item of which only the key is known: `Task::update(..)`.
#[derive(Debug)]
pub enum ByKey {}

/// An update of an item that was loaded: `Task::update_loaded(&task)`.
#[derive(Debug)]
pub enum Loaded {}

/// A field that an update of kind `M`, [`ByKey`] or [`Loaded`], may set.
#[diagnostic::on_unimplemented(message = "this field cannot be set", label = "not a field to set")]
pub trait SetIn<M> {}

impl<M> SetIn<M> for Free {}
impl<M> SetIn<M> for Nested {}
impl<M> SetIn<M> for Element {}
impl<M, S> SetIn<M> for InIndex<false, S> {}
impl<M: KnowsIndexFields<S>, S> SetIn<M> for InIndex<true, S> {}
impl<M> SetIn<M> for InKeptIndex<false> {}
impl<M: KnowsOldValue> SetIn<M> for InKeptIndex<true> {}
impl<M: KnowsOldValue> SetIn<M> for Unique {}
impl<M: KnowsUniqueValues> SetIn<M> for UniqueExpiry {}
impl<M: ChangesKeys> SetIn<M> for InKey {}
impl<M: ChangesKept> SetIn<M> for Kept {}

/// A field that DynamoDB may change in place, from its stored value.
#[diagnostic::on_unimplemented(
    message = "this field cannot be changed in place",
    label = "not a field to change"
)]
pub trait ChangedIn<M> {}

impl<M> ChangedIn<M> for Free {}
impl<M> ChangedIn<M> for Nested {}
impl<M> ChangedIn<M> for Element {}
impl<M, S> ChangedIn<M> for InIndex<false, S> {}
impl<M: FollowsInPlace<S>, S> ChangedIn<M> for InIndex<true, S> {}
impl<M> ChangedIn<M> for InKeptIndex<false> {}
impl<M: HandsOverInPlace> ChangedIn<M> for InKeptIndex<true> {}
impl<M: HandsOverInPlace> ChangedIn<M> for Unique {}
impl<M: ExpiresInPlace> ChangedIn<M> for UniqueExpiry {}
impl<M: ChangesKeys> ChangedIn<M> for InKey {}
impl<M: ChangesKept> ChangedIn<M> for Kept {}

/// An update that knows all fields of an index key.
#[diagnostic::on_unimplemented(
    message = "this field is part of an index key, which must follow it",
    label = "set alone, it would leave a stale index key",
    note = "set it together with the other fields of the index: `.{S}(..)`",
    note = "or load the item and start with `update_loaded(&item)`, which knows the other fields"
)]
pub trait KnowsIndexFields<S> {}
impl<S> KnowsIndexFields<S> for Loaded {}

/// An update that knows the value that a unique field has had.
#[diagnostic::on_unimplemented(
    message = "this field is unique, or in an index key with one that is, whose old value must be given up together with the change",
    label = "the old value is not known here",
    note = "load the item and start with `update_loaded(&item)`, which knows it"
)]
pub trait KnowsOldValue {}
impl KnowsOldValue for Loaded {}

/// An update that knows the unique values of the item.
#[diagnostic::on_unimplemented(
    message = "this field says when the item expires, and its unique values must expire with it",
    label = "the unique values of the item are not known here",
    note = "load the item and start with `update_loaded(&item)`, which knows them"
)]
pub trait KnowsUniqueValues {}
impl KnowsUniqueValues for Loaded {}

/// An update that could let unique values follow a change of the expiry in place: there is none.
#[diagnostic::on_unimplemented(
    message = "this field says when the item and its unique values expire, and cannot be changed in place",
    label = "its new value is not known here",
    note = "load the item and set it to a value, or to `None`: `update_loaded(&item).set(..)`"
)]
pub trait ExpiresInPlace {}

/// An update that could change a primary key: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is part of the primary key, which no update can change",
    label = "part of the primary key",
    note = "an item with another key is another item: `rekey(old_key, &new)` replaces the one by the other in one transaction"
)]
pub trait ChangesKeys {}

/// An update that could change what Dyna keeps: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is filled in by every write, so an update cannot set it",
    label = "a version, or a time of creation or change",
    note = "leave it out: the update counts the version on and fills the times in by itself"
)]
pub trait ChangesKept {}

/// An update that could make an index key follow a change in place: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is part of a key, which cannot follow a change that DynamoDB makes in place",
    label = "its new value is not known here",
    note = "set it to a value, or to `None`: with the other fields of the index, `.{S}(..)`, or with `update_loaded(&item).set(..)`"
)]
pub trait FollowsInPlace<S> {}

/// An update that could hand a unique value over in place: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is unique, or in an index key with one that is, and cannot be changed in place",
    label = "its old and its new value are not known here",
    note = "load the item and set it to a value, or to `None`: `update_loaded(&item).set(..)`"
)]
pub trait HandsOverInPlace {}

/// A field that has an attribute of its own.
#[diagnostic::on_unimplemented(
    message = "the elements of a set inside of another value cannot be changed one by one",
    label = "not an attribute of its own",
    note = "DynamoDB adds elements to attributes alone: set the whole of it with `set`"
)]
pub trait WholeAttribute {}
impl WholeAttribute for Free {}
impl WholeAttribute for InKey {}
impl<const DERIVED: bool, S> WholeAttribute for InIndex<DERIVED, S> {}
impl<const DERIVED: bool> WholeAttribute for InKeptIndex<DERIVED> {}
impl WholeAttribute for Unique {}
impl WholeAttribute for UniqueExpiry {}
impl WholeAttribute for Kept {}

/// A place that can be empty: an `Option`, an element of a list, an entry of a map. Implemented for a type and what the field is.
#[diagnostic::on_unimplemented(
    message = "this field cannot be removed: without it the item could not be read any more",
    label = "not an `Option`, an element of a list or an entry of a map",
    note = "set it to an empty value instead"
)]
pub trait Removable {}

impl<T> Removable for (Option<T>, Free) {}
impl<T> Removable for (Option<T>, Nested) {}
impl<T, const DERIVED: bool, S> Removable for (Option<T>, InIndex<DERIVED, S>) {}
impl<T, const DERIVED: bool> Removable for (Option<T>, InKeptIndex<DERIVED>) {}
impl<T> Removable for (Option<T>, Unique) {}
impl<T> Removable for (Option<T>, UniqueExpiry) {}
impl<T> Removable for (Option<T>, Kept) {}
impl<T> Removable for (T, Element) {}
