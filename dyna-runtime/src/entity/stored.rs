//! Entities through serde: the only place that requires `Serialize` and `Deserialize`, so that a missing derive is one error.

use super::Entity;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An entity to serde.
pub(crate) struct Serialized<'e, E>(pub(crate) &'e E);

impl<E: Entity> Serialize for Serialized<'_, E> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.__serialize(to)
    }
}

/// An entity from serde.
pub(crate) struct Deserialized<E>(pub(crate) E);

impl<'de, E: Entity> Deserialize<'de> for Deserialized<E> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        E::__deserialize(from).map(Self)
    }
}

/// Serializes an entity for generated code.
#[inline]
pub fn serialize<T: Written, S: Serializer>(
    entity: &T,
    to: S,
) -> std::result::Result<S::Ok, S::Error> {
    entity.serialize(to)
}

/// Deserializes an entity for generated code.
#[inline]
pub fn deserialize<'de, T: Read, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<T, D::Error> {
    T::deserialize(from)
}

/// A type that serde serializes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored: an entity is written through serde",
    label = "derive `serde::Serialize` on it"
)]
pub trait Written: Serialize {}
impl<T: Serialize> Written for T {}

/// A type that serde deserializes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read: an entity is read through serde",
    label = "derive `serde::Deserialize` on it"
)]
pub trait Read: DeserializeOwned {}
impl<T: DeserializeOwned> Read for T {}
