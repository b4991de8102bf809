//! Deleting one item by its key.

use super::Explain;
use super::returns::{Nothing, Old, Returns};
use super::write::{self, Action, Presence, Write};
use crate::entity::DynaEntity;
use crate::error::Result;
use crate::expr::{Condition, Expr};
use crate::key::Key;
use crate::table::{Lists, Table};
use std::marker::PhantomData;

/// Deletes one item by its primary key: `Message::delete(..)`. It is no error if there is none.
#[must_use = "a request does nothing until it is sent"]
pub struct Delete<E: DynaEntity, R = Nothing> {
    key: Key<E>,
    condition: Expr,
    returns: PhantomData<fn() -> R>,
}

impl<E: DynaEntity> Delete<E> {
    /// Deletes the item with this key.
    pub fn new(key: Key<E>) -> Self {
        Self {
            key,
            condition: Expr::default(),
            returns: PhantomData,
        }
    }

    /// Deletes the item with this key, which must be there.
    pub(super) fn present(key: Key<E>) -> Self {
        Self {
            condition: Presence::Present.condition(E::META.schema),
            ..Self::new(key)
        }
    }

    /// Returns the item that was deleted, if there was one.
    pub fn returning_old(self) -> Delete<E, Old> {
        Delete {
            key: self.key,
            condition: self.condition,
            returns: PhantomData,
        }
    }
}

impl<E: DynaEntity, R: Returns<E>> Delete<E, R> {
    /// Only if this is true of the item; of no item, comparisons are false. Several conditions must all be true.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.condition = std::mem::take(&mut self.condition).and(condition.into_expr());
        self
    }

    /// Deletes the item.
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<R::Output> {
        let table = db.name()?;
        let item = self.write()?.send(db.client(), table, R::WHICH).await?;
        R::read(item)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        write::explain("DeleteItem", E::META, self.clone().write())
    }

    pub(super) fn write(self) -> Result<Write> {
        Ok(Write {
            meta: E::META,
            action: Action::Delete(self.key.into_item()?),
            condition: self.condition,
        })
    }
}

impl<E: DynaEntity, R> Clone for Delete<E, R> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            condition: self.condition.clone(),
            returns: PhantomData,
        }
    }
}

impl<E: DynaEntity, R> std::fmt::Debug for Delete<E, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Delete({:?})", self.key)
    }
}
