//! Reading one item by its key.

use crate::entity::Entity;
use crate::entity::Key;
use crate::entity::projection::View;
use crate::error::Result;
use crate::read;
use crate::read::attributes::Attributes;
use crate::read::{Consistency, Expired};
use crate::request::Explain;
use crate::table::{HasEntity, Table};
use crate::transport::{ItemFormat, RawItem, ResponseFuture, finish};
use std::marker::PhantomData;

/// Reads one item by its primary key: `Message::get(..)`.
///
#[doc = include_str!("../guide/lost/read.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Get<E: Entity, V = E> {
    key: Key<E>,
    consistency: Consistency,
    expired: Expired,
    yields: PhantomData<fn() -> V>,
}

impl<E: Entity> Get<E> {
    /// Reads the item with this key.
    pub fn new(key: Key<E>) -> Self {
        Self {
            key,
            consistency: Consistency::Eventual,
            expired: Expired::Returned,
            yields: PhantomData,
        }
    }
}

impl<E: Entity, V: View<E>> Get<E, V> {
    /// Returns only the fields of the projection `P`. DynamoDB still reads and bills the whole item.
    pub fn project<P: View<E>>(self) -> Get<E, P> {
        Get {
            key: self.key,
            consistency: self.consistency,
            expired: self.expired,
            yields: PhantomData,
        }
    }

    /// Returns `None` for an expired item. DynamoDB deletes it some time after it expires, and returns it until then.
    pub fn skip_expired(mut self) -> Self {
        self.expired = Expired::LeftOut;
        self
    }

    /// Reads consistently: sees every write that succeeded before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistency = Consistency::Strong;
        self
    }

    /// Fetches the item; `None` if no item has this key, or if its tag names another entity. If entities share the key, an item without a
    /// tag is [`Error::Misfit`](crate::Error::Misfit).
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Option<V>> {
        let item = read::get::item(db.handle(), self.ask());
        finish(item, optional::<E, V>)
    }

    /// The request, without sending it.
    pub fn explain(&self) -> Explain {
        explain(self.clone().ask())
    }

    fn ask(self) -> read::get::GetRequest {
        read::get::GetRequest {
            meta: E::META,
            claim: self.key.claim(),
            key: self.key.into_id(),
            what: Attributes::of::<E, V>(),
            consistency: self.consistency,
            expired: self.expired,
        }
    }
}

/// Decodes an item, if there is one.
fn optional<E, V: View<E>>(item: Option<RawItem>) -> Result<Option<V>> {
    match item {
        Some(item) => Ok(Some(item.decode(V::read)?)),
        None => Ok(None),
    }
}

fn explain(get: read::get::GetRequest) -> Explain {
    let mut explain = Explain::new("GetItem", get.meta.schema.name);
    let projection = get.projection(ItemFormat::Bytes);
    match get.key {
        Ok(key) => explain.item("Key", &key.into_item(&get.meta.schema.key)),
        Err(error) => explain.error(&error),
    }
    if let Some(projection) = projection {
        explain.expression("ProjectionExpression", projection);
    }
    if get.consistency == Consistency::Strong {
        explain.parameter("ConsistentRead", "true");
    }
    explain
}

impl<E: Entity, V> Clone for Get<E, V> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            consistency: self.consistency,
            expired: self.expired,
            yields: PhantomData,
        }
    }
}

impl<E: Entity, V> std::fmt::Debug for Get<E, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Get({:?})", self.key)
    }
}
