//! The constants of fields that are stored in a key alone: they say why nothing can be asked of them.

use super::Condition;
use crate::derived::Derived;
use std::marker::PhantomData;

/// A `#[dyna(key_only)]` field of `E`, which has no attribute of its own: it cannot be compared or set, only looked up by its key.
pub struct KeyOnlyField<E>(PhantomData<fn() -> E>);

/// An entity whose `key_only` fields have attributes: nothing implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this field of `{Self}` is `key_only`: it has no attribute that a condition could look at",
    label = "stored in a key alone",
    note = "query by the key that it is part of, or remove `key_only`, so that the value is stored in an attribute too"
)]
pub trait HasOwnAttribute: Sized {
    /// There is none.
    fn never() -> Condition<Self>;
}

impl<E> KeyOnlyField<E> {
    /// The constant of a field.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(_: Derived) -> Self {
        Self(PhantomData)
    }
}

#[doc(hidden)]
#[allow(
    clippy::should_implement_trait,
    reason = "they are called like those of `Field`"
)]
impl<E> KeyOnlyField<E> {
    /// Has no attribute to look at.
    pub fn eq<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn ne<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn lt<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn le<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn gt<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn ge<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn starts_with<V>(self, _text: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn contains<V>(self, _value: V) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn exists(self) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }

    /// Has no attribute to look at.
    pub fn missing(self) -> Condition<E>
    where
        E: HasOwnAttribute,
    {
        E::never()
    }
}

impl<E> std::fmt::Debug for KeyOnlyField<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyOnlyField")
    }
}
