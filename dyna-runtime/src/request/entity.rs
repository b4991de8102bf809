//! The requests of an entity, for code that is generic over entities.

use crate::entity::{Entity, Replaceable};
use crate::expr::role::Loaded;
use crate::request::advice::{DeletedByKey, UpdatedByKey};
use crate::request::{Delete, Put, Update};
use crate::write::returning::Nothing;

/// A struct that is stored in a table. Derived, never written by hand.
///
/// See the [crate documentation](crate) for the attribute and what it generates. What it is as data is in [`Entity`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "this type does not derive `DynaEntity`"
)]
pub trait DynaEntity: Entity {
    /// What `put` of the entity does, for generic code.
    fn put(&self) -> Put<'_, Self>
    where
        Self: Replaceable,
    {
        Put::new(self)
    }

    /// What `create` of the entity does, for generic code.
    fn create(&self) -> Put<'_, Self> {
        Put::create(self)
    }

    /// Only there for its message: `delete` takes the fields of the key, and `delete_loaded` an entity.
    #[doc(hidden)]
    fn delete(&self) -> Delete<Self>
    where
        Self: DeletedByKey,
    {
        Delete::loaded(self)
    }

    /// Only there for its message: `update` takes the fields of the key, and `update_loaded` an entity.
    #[doc(hidden)]
    fn update(&self) -> Update<Self, Nothing, Loaded>
    where
        Self: UpdatedByKey,
    {
        Update::loaded(self)
    }
}

impl<E: Entity> DynaEntity for E {}
