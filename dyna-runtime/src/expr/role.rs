//! The role of a field in an update: an attribute of its own, a part of a key, or managed. Only types, so that what an update may
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
pub enum InManagedIndex<const DERIVED: bool> {}

/// It may decide whether the item is in an index, by the function of its `when`, which is given the whole entity.
#[derive(Debug)]
pub enum DecidesIndex {}

/// The version, the time of creation or of the last change: filled in by every write.
#[derive(Debug)]
pub enum ManagedField {}

/// The tag of an entity that is an enum: which variant it is.
#[derive(Debug)]
pub enum VariantTag {}

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
pub trait Settable<M> {}

impl<M> Settable<M> for Free {}
impl<M> Settable<M> for Nested {}
impl<M> Settable<M> for Element {}
impl<M, S> Settable<M> for InIndex<false, S> {}
impl<M: KnowsIndexFields<S>, S> Settable<M> for InIndex<true, S> {}
impl<M> Settable<M> for InManagedIndex<false> {}
impl<M: KnowsOldValue> Settable<M> for InManagedIndex<true> {}
impl<M: KnowsAllFields> Settable<M> for DecidesIndex {}
impl<M: KnowsOldValue> Settable<M> for Unique {}
impl<M: KnowsUniqueValues> Settable<M> for UniqueExpiry {}
impl<M: ChangesKeys> Settable<M> for InKey {}
impl<M: ChangesManaged> Settable<M> for ManagedField {}
impl<M: ChangesVariant> Settable<M> for VariantTag {}

/// A field that DynamoDB may change in place, from its stored value.
#[diagnostic::on_unimplemented(
    message = "this field cannot be changed in place",
    label = "not a field to change"
)]
pub trait Modifiable<M> {}

impl<M> Modifiable<M> for Free {}
impl<M> Modifiable<M> for Nested {}
impl<M> Modifiable<M> for Element {}
impl<M, S> Modifiable<M> for InIndex<false, S> {}
impl<M: FollowsInPlace<S>, S> Modifiable<M> for InIndex<true, S> {}
impl<M> Modifiable<M> for InManagedIndex<false> {}
impl<M: HandsOverInPlace> Modifiable<M> for InManagedIndex<true> {}
impl<M: DecidesInPlace> Modifiable<M> for DecidesIndex {}
impl<M: HandsOverInPlace> Modifiable<M> for Unique {}
impl<M: ExpiresInPlace> Modifiable<M> for UniqueExpiry {}
impl<M: ChangesKeys> Modifiable<M> for InKey {}
impl<M: ChangesManaged> Modifiable<M> for ManagedField {}
impl<M: ChangesVariant> Modifiable<M> for VariantTag {}

/// An update that knows all fields of an index key.
#[diagnostic::on_unimplemented(
    message = "this field is part of an index key and cannot be set alone",
    label = "set alone, it would leave a stale index key",
    note = "set it together with the other fields of the index: `.{S}(..)`",
    note = "or load the item and start with `update_loaded(&item)`, which knows the other fields"
)]
pub trait KnowsIndexFields<S> {}
impl<S> KnowsIndexFields<S> for Loaded {}

/// An update that knows all fields of the item.
#[diagnostic::on_unimplemented(
    message = "this field may decide whether the item is in an index: the `when` function reads the whole entity",
    label = "the other fields of the item are not known here",
    note = "load the item and start with `update_loaded(&item)`, which knows them"
)]
pub trait KnowsAllFields {}
impl KnowsAllFields for Loaded {}

/// An update that could ask the function of a `when` about a change in place: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field may decide whether the item is in an index, and cannot be changed in place",
    label = "its new value is not known here",
    note = "load the item and set it to a value, or to `None`: `update_loaded(&item).set(..)`"
)]
pub trait DecidesInPlace {}

/// An update that knows the value that a unique field has had.
#[diagnostic::on_unimplemented(
    message = "this field is unique, or in an index key with a unique field: the update must know its old value",
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

/// An update that could let unique values follow a change of the expiry in place: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field is the TTL of the item and its unique values: it cannot be changed in place",
    label = "its new value is not known here",
    note = "load the item and set it to a value, or to `None`: `update_loaded(&item).set(..)`"
)]
pub trait ExpiresInPlace {}

/// An update that could change a primary key: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field is part of the primary key, which no update can change",
    label = "part of the primary key",
    note = "an item with another key is another item: `rekey(old_key, &new)` replaces the one by the other in one transaction"
)]
pub trait ChangesKeys {}

/// An update that could set a managed attribute: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field is filled in by every write, so an update cannot set it",
    label = "managed field: `version`, `created_at` or `updated_at`",
    note = "leave it out: every update increments the version and sets the timestamps itself"
)]
pub trait ChangesManaged {}

/// An update that could make an item another variant: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field says which variant the item is, and an update cannot set it",
    label = "the tag of an entity that is an enum",
    note = "write the item as the other variant: with `put`, `replace` or `create`"
)]
pub trait ChangesVariant {}

/// An update that could make an index key follow a change in place: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field is part of an index key, which a change in place, such as `add`, would leave stale",
    label = "its new value is not known here",
    note = "set it to a value, or to `None`: with the other fields of the index, `.{S}(..)`, or with `update_loaded(&item).set(..)`"
)]
pub trait FollowsInPlace<S> {}

/// An update that could hand a unique value over in place: no update implements it.
#[diagnostic::on_unimplemented(
    message = "this field is unique, or in an index key with one that is, and cannot be changed in place",
    label = "its old and its new value are not known here",
    note = "load the item and set it to a value, or to `None`: `update_loaded(&item).set(..)`"
)]
pub trait HandsOverInPlace {}

/// A field that has an attribute of its own.
#[diagnostic::on_unimplemented(
    message = "a set inside another attribute cannot be changed element by element",
    label = "not an attribute of its own",
    note = "DynamoDB adds elements only to top-level attributes: set the whole value with `set`"
)]
pub trait WholeAttribute {}
impl WholeAttribute for Free {}
impl WholeAttribute for InKey {}
impl<const DERIVED: bool, S> WholeAttribute for InIndex<DERIVED, S> {}
impl<const DERIVED: bool> WholeAttribute for InManagedIndex<DERIVED> {}
impl WholeAttribute for DecidesIndex {}
impl WholeAttribute for Unique {}
impl WholeAttribute for UniqueExpiry {}
impl WholeAttribute for ManagedField {}
impl WholeAttribute for VariantTag {}

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
impl<T, const DERIVED: bool> Removable for (Option<T>, InManagedIndex<DERIVED>) {}
impl<T> Removable for (Option<T>, DecidesIndex) {}
impl<T> Removable for (Option<T>, Unique) {}
impl<T> Removable for (Option<T>, UniqueExpiry) {}
impl<T> Removable for (Option<T>, ManagedField) {}
impl<T> Removable for (T, Element) {}
