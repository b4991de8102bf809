//! What a transaction takes, and what the compiler says of what it does not take.

use crate::entity::DynaEntity;
use crate::request::put::Put;
use crate::request::returns::{Nothing, Returns};

/// What a transaction can put: a reference to an entity, or a put of one.
#[diagnostic::on_unimplemented(
    message = "a transaction cannot put `{Self}`",
    label = "expected `&entity`, or a put such as `entity.put().when(..)`",
    note = "a transaction returns no items: leave out `returning_old` and `returning_new`"
)]
pub trait ToPut {
    /// The entity.
    type Entity: DynaEntity;

    /// The put.
    #[doc(hidden)]
    fn to_put(&self) -> Put<'_, Self::Entity>;
}

impl<E: DynaEntity> ToPut for &E {
    type Entity = E;

    fn to_put(&self) -> Put<'_, E> {
        Put::new(self)
    }
}

impl<E: DynaEntity> ToPut for Put<'_, E> {
    type Entity = E;

    fn to_put(&self) -> Put<'_, E> {
        self.clone()
    }
}

/// A request that returns nothing, as all of a transaction do.
#[diagnostic::on_unimplemented(
    message = "a transaction returns no items",
    label = "this request returns one",
    note = "leave out `returning_old` and `returning_new`, and read the items before or after"
)]
pub trait ReturnsNothing<E>: Returns<E> {}
impl<E: DynaEntity> ReturnsNothing<E> for Nothing {}
