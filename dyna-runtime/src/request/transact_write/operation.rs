//! The operations of a transaction, and the compiler's message for others.

use crate::entity::{Entity, Replaceable};
use crate::request::put::Put;
use crate::write::returning::{Nothing, Returns};

/// An argument of a transaction's `put`: a reference to an entity, or a `Put` of one.
#[diagnostic::on_unimplemented(
    message = "a transaction cannot put `{Self}`",
    label = "expected `&entity`, or a put such as `entity.put().when(..)`",
    note = "a transaction returns no items and is applied once by itself: leave out `returning_old`, `returning_new` and `once`"
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
    message = "a transaction returns no items and is applied once by itself",
    label = "this request returns an item, or has `.once()`",
    note = "leave out `returning_old`, `returning_new` and `once`, and read the items before or after"
)]
pub trait NotReturning<E>: Returns<E> {}
impl<E: Entity> NotReturning<E> for Nothing {}
