//! What a field is to an update: an attribute of its own, a part of a key, or kept by Dyna. Only types, so that what an update may
//! change is known when the program is compiled.

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
/// of the field is the key.
#[derive(Debug)]
pub enum InIndex<const DERIVED: bool> {}

/// The version, the time of creation or of the last change: filled in by every write.
#[derive(Debug)]
pub enum Kept {}

/// A value that no other item has.
#[derive(Debug)]
pub enum Unique {}

/// An update of an item of which only the key is known: `Task::update(..)`.
#[derive(Debug)]
pub enum ByKey {}

/// An update of an item that was loaded: `Task::update_of(&task)`.
#[derive(Debug)]
pub enum Loaded {}

/// A field that an update of kind `M`, [`ByKey`] or [`Loaded`], may set.
#[diagnostic::on_unimplemented(message = "this field cannot be set", label = "not a field to set")]
pub trait SetIn<M> {}

impl<M> SetIn<M> for Free {}
impl<M> SetIn<M> for Nested {}
impl<M> SetIn<M> for Element {}
impl<M> SetIn<M> for InIndex<false> {}
impl<M: KnowsIndexFields> SetIn<M> for InIndex<true> {}
impl<M: KnowsOldValue> SetIn<M> for Unique {}
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
impl<M> ChangedIn<M> for InIndex<false> {}
impl<M: FollowsInPlace> ChangedIn<M> for InIndex<true> {}
impl<M: FollowsInPlace> ChangedIn<M> for Unique {}
impl<M: ChangesKeys> ChangedIn<M> for InKey {}
impl<M: ChangesKept> ChangedIn<M> for Kept {}

/// An update that knows all fields of an index key.
#[diagnostic::on_unimplemented(
    message = "this field is part of an index key, which must follow it",
    label = "set alone, it would leave a stale index key",
    note = "set it with the other fields of the index: the index `by_status` is set by `.set_by_status(..)`",
    note = "or load the item and start with `update_of(&item)`, which knows the other fields"
)]
pub trait KnowsIndexFields {}
impl KnowsIndexFields for Loaded {}

/// An update that knows the value that a unique field has had.
#[diagnostic::on_unimplemented(
    message = "this field is unique, and its old value must be given up together with the change",
    label = "the old value is not known here",
    note = "load the item and start with `update_of(&item)`, which knows it"
)]
pub trait KnowsOldValue {}
impl KnowsOldValue for Loaded {}

/// An update that could change a primary key: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is part of the primary key, which no update can change",
    label = "part of the primary key",
    note = "an item with another key is another item: `move_to(old_key, &new)` replaces the one by the other in one transaction"
)]
pub trait ChangesKeys {}

/// An update that could change what Dyna keeps: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is filled in by every write, so an update cannot set it",
    label = "a version, or a time of creation or change"
)]
pub trait ChangesKept {}

/// An update that could make an index key follow a change in place: there is none.
#[diagnostic::on_unimplemented(
    message = "this field is part of a key, which cannot follow a change that DynamoDB makes in place",
    label = "its new value is not known here",
    note = "set it to a value: with the other fields of the index, `.set_<index>(..)`, or with `update_of(&item)`"
)]
pub trait FollowsInPlace {}

/// A place that can be empty: an `Option`, an element of a list, an entry of a map. Implemented for a type and what the field is.
#[diagnostic::on_unimplemented(
    message = "this field cannot be removed: without it the item could not be read any more",
    label = "not an `Option`, an element of a list or an entry of a map",
    note = "set it to an empty value instead"
)]
pub trait Removable {}

impl<T> Removable for (Option<T>, Free) {}
impl<T> Removable for (Option<T>, Nested) {}
impl<T> Removable for (Option<T>, InIndex<false>) {}
impl<T> Removable for (T, Element) {}
