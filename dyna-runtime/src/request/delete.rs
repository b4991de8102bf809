//! Deleting one item by its key.

use crate::codec::Item;
use crate::entity::Key;
use crate::entity::changes::Refused;
use crate::entity::fill::Presence;
use crate::entity::fill::{Loaded, Lock};
use crate::entity::{AnyEntity, Entity, Functions, Replaceable, encode};
use crate::error::{Error, Result};
use crate::expr::{Condition, Expr};
use crate::key::{KeyError, KeyId};
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::{ResponseFuture, finish};
use crate::write::returning::{Nothing, Old, Returns};
use crate::write::sentinel;
use crate::write::{Action, Write};
use std::marker::PhantomData;
use std::time::SystemTime;

/// Deletes one item by its primary key: `Message::delete(..)`. It is no error if there is none.
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Delete<E: Entity, R = Nothing> {
    how: How,
    types: PhantomData<fn() -> (E, R)>,
}

/// What is deleted, and when.
#[derive(Clone)]
pub(super) struct How {
    functions: &'static Functions,
    key: Result<KeyId, Box<KeyError>>,
    condition: Expr,
    /// The item as it was loaded, if it was.
    loaded: Option<Result<Item, Refused>>,
}

impl<E: Entity> Delete<E> {
    /// Deletes the item that was loaded as this entity, if it is still there: with its version, and with the values of unique fields
    /// that it gives up.
    pub fn loaded(entity: &E) -> Self {
        Self::with(How::loaded(entity))
    }
}

impl<E: Entity + Replaceable> Delete<E> {
    /// Deletes the item with this key, whatever its version.
    pub fn new(key: Key<E>) -> Self {
        Self::with(How::new(Functions::of::<E>(), key.into_id()))
    }
}

impl<E: Entity> Delete<E> {
    /// Returns the item that was deleted, if there was one.
    pub fn returning_old(self) -> Delete<E, Old> {
        Delete::with(self.how)
    }
}

impl<E: Entity, R> Delete<E, R> {
    fn with(how: How) -> Self {
        Self {
            how,
            types: PhantomData,
        }
    }
}

impl<E: Entity, R: Returns<E>> Delete<E, R> {
    /// Only if this is true of the item; of no item, comparisons are false. Several conditions must all be true.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.how.also(condition.into_expr());
        self
    }

    /// Deletes the item.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        let db = db.handle();
        finish(Write::answer(self.write(db.now()), db, R::WHICH), R::read)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let write = self.how.clone().write(SystemTime::now());
        explain_single("DeleteItem", E::META, write)
    }

    pub(super) fn write(self, now: SystemTime) -> Result<Write> {
        self.how.write(now)
    }
}

impl How {
    pub(super) fn new(functions: &'static Functions, key: Result<KeyId, Box<KeyError>>) -> Self {
        Self {
            functions,
            key,
            condition: Expr::default(),
            loaded: None,
        }
    }

    /// Of an item that must be there.
    pub(super) fn present(
        functions: &'static Functions,
        key: Result<KeyId, Box<KeyError>>,
    ) -> Self {
        Self {
            condition: Presence::Present.condition(functions.meta.schema),
            ..Self::new(functions, key)
        }
    }

    /// Of the item that was loaded as this entity.
    pub(super) fn loaded(entity: &dyn AnyEntity) -> Self {
        let functions = entity.functions();
        let meta = functions.meta;
        let keyed = encode(entity).and_then(|item| {
            let id = KeyId::of_item(&meta.schema.key, &item);
            let id = id.ok_or(Error::Internal {
                entity: meta.name,
                what: "an item was written without its key",
            })?;
            Ok((item, id))
        });
        let (loaded, id) = match keyed {
            Ok((item, id)) => (Ok(item), id),
            // The request fails with it, whatever its key.
            Err(error) => (Err(Refused::of(error)), KeyId::default()),
        };
        Self {
            loaded: Some(loaded),
            ..Self::present(functions, Ok(id))
        }
    }

    pub(super) fn also(&mut self, condition: Expr) {
        self.condition = std::mem::take(&mut self.condition).and(condition);
    }

    /// The item that was loaded, if it is of one.
    pub(super) fn loaded_item(&self) -> Option<&Item> {
        self.loaded.as_ref()?.as_ref().ok()
    }

    pub(super) fn write(self, now: SystemTime) -> Result<Write> {
        let meta = self.functions.meta;
        let loaded = self.loaded.transpose();
        let loaded = loaded.map_err(|refused| refused.into_error(meta))?;
        let action = Action::Delete(self.key?.into_item(&meta.schema.key));
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
                reread: self.functions.reread,
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
        Self::with(self.how.clone())
    }
}

/// Without the key, which may be personal data.
impl<E: Entity, R> std::fmt::Debug for Delete<E, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.how.key {
            Ok(_) => write!(f, "Delete(Key({}))", E::META.name),
            Err(error) => write!(f, "Delete(Key({error}))"),
        }
    }
}
