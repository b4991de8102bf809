//! Deleting one item by its key.

use crate::codec::Item;
use crate::entity::Key;
use crate::entity::changes::Refused;
use crate::entity::fill::Presence;
use crate::entity::fill::{Loaded, Lock};
use crate::entity::{Entity, Replaceable};
use crate::entity::{encode, reread};
use crate::error::Result;
use crate::expr::{Condition, Expr};
use crate::key::KeyId;
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::ResponseFuture;
use crate::write::returning::{Nothing, Old, Returns};
use crate::write::sentinel;
use crate::write::{Action, Write};
use std::marker::PhantomData;
use std::time::SystemTime;

/// Deletes one item by its primary key: `Message::delete(..)`. It is no error if there is none.
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Delete<E: Entity, R = Nothing> {
    key: Key<E>,
    condition: Expr,
    /// The item as it was loaded, if it was.
    loaded: Option<Result<Item, Refused>>,
    returns: PhantomData<fn() -> R>,
}

impl<E: Entity> Delete<E> {
    /// Deletes the item that was loaded as this entity, if it is still there: with its version, and with the values of unique fields
    /// that it gives up.
    pub fn loaded(entity: &E) -> Self {
        let loaded = encode(entity).map_err(Refused::of);
        let id = loaded.as_ref().ok();
        let id = id.and_then(|item| KeyId::of_item(&E::META.schema.key, item));
        Self {
            key: Key::from_id(id.unwrap_or_default()),
            condition: Presence::Present.condition(E::META.schema),
            loaded: Some(loaded),
            returns: PhantomData,
        }
    }
}

impl<E: Entity + Replaceable> Delete<E> {
    /// Deletes the item with this key, whatever its version.
    pub fn new(key: Key<E>) -> Self {
        Self {
            key,
            condition: Expr::default(),
            loaded: None,
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
}

impl<E: Entity> Delete<E> {
    /// Returns the item that was deleted, if there was one.
    pub fn returning_old(self) -> Delete<E, Old> {
        Delete {
            key: self.key,
            condition: self.condition,
            loaded: self.loaded,
            returns: PhantomData,
        }
    }
}

impl<E: Entity, R: Returns<E>> Delete<E, R> {
    /// Only if this is true of the item; of no item, comparisons are false. Several conditions must all be true.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.condition = std::mem::take(&mut self.condition).and(condition.into_expr());
        self
    }

    /// Deletes the item.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        Write::answer::<E, R, T>(self.write(db.now()), db)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        explain_single("DeleteItem", E::META, self.clone().write(SystemTime::now()))
    }

    /// The item that was loaded, if it is of one.
    pub(super) fn loaded_item(&self) -> Option<&Item> {
        self.loaded.as_ref()?.as_ref().ok()
    }

    pub(super) fn write(self, now: SystemTime) -> Result<Write> {
        let meta = E::META;
        let loaded = self.loaded.transpose();
        let loaded = loaded.map_err(|refused| refused.into_error(meta))?;
        let action = Action::Delete(self.key.into_item()?);
        let Some(loaded) = loaded else {
            return Ok(Write {
                condition: self.condition,
                ..Write::new(meta, action)
            });
        };
        let lock = Lock::of(meta, &loaded);
        let locked = lock.as_ref().map(Lock::condition).unwrap_or_default();
        let (companions, held) = sentinel::release_all(
            meta,
            Loaded {
                item: &loaded,
                reread: reread::<E>,
            },
            now,
        )?;
        Ok(Write {
            condition: self.condition.and(locked).and(held),
            companions,
            lock,
            presence: Presence::Present,
            ..Write::new(meta, action)
        })
    }
}

impl<E: Entity, R> Clone for Delete<E, R> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            condition: self.condition.clone(),
            loaded: self.loaded.clone(),
            returns: PhantomData,
        }
    }
}

impl<E: Entity, R> std::fmt::Debug for Delete<E, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Delete({:?})", self.key)
    }
}
