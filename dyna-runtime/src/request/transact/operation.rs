//! What a transaction takes, and what the compiler says of what it does not take.

use crate::entity::{Entity, Replaceable};
use crate::request::put::Put;
use crate::write::returning::{Nothing, Returns};

/// What a transaction can put: a reference to an entity, or a put of one.
#[diagnostic::on_unimplemented(
    message = "a transaction cannot put `{Self}`",
    label = "expected `&entity`, or a put such as `entity.put().when(..)`",
    note = "a transaction returns no items: leave out `returning_old` and `returning_new`"
)]
pub trait IntoPut<'e> {
    /// The entity.
    type Entity: Entity;

    /// The put.
    #[doc(hidden)]
    fn into_put(self) -> Put<'e, Self::Entity>;
}

impl<'e, E: Entity + Replaceable> IntoPut<'e> for &'e E {
    type Entity = E;

    fn into_put(self) -> Put<'e, E> {
        Put::new(self)
    }
}

impl<'e, E: Entity> IntoPut<'e> for Put<'e, E> {
    type Entity = E;

    fn into_put(self) -> Self {
        self
    }
}

/// A request that returns nothing, as all of a transaction do.
#[diagnostic::on_unimplemented(
    message = "a transaction returns no items",
    label = "this request returns one",
    note = "leave out `returning_old` and `returning_new`, and read the items before or after"
)]
pub trait NotReturning<E>: Returns<E> {}
impl<E: Entity> NotReturning<E> for Nothing {}
