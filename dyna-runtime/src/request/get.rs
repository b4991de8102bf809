//! Reading one item by its key.

use super::{Explain, decode};
use crate::entity::DynaEntity;
use crate::error::{Result, of_service};
use crate::key::Key;
use crate::table::{Lists, Table};

/// Reads one item by its primary key: `Message::get(..)`.
#[must_use = "a request does nothing until it is sent"]
pub struct Get<E: DynaEntity> {
    key: Key<E>,
    consistent: bool,
}

impl<E: DynaEntity> Get<E> {
    /// Reads the item with this key.
    pub fn new(key: Key<E>) -> Self {
        Self {
            key,
            consistent: false,
        }
    }

    /// Sees every write that was answered before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Reads the item; `None` if there is none with this key.
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<Option<E>> {
        let key = self.key.into_item()?;
        let request = db
            .client()
            .get_item()
            .table_name(db.name()?)
            .set_key(Some(key));
        let request = request.set_consistent_read(self.consistent.then_some(true));
        let output = request.send().await.map_err(of_service)?;
        output.item.map(decode).transpose()
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let mut explain = Explain::new("GetItem", E::META.schema.name);
        match self.key.clone().into_item() {
            Ok(key) => explain.item("Key", &key),
            Err(error) => explain.error(&error),
        }
        if self.consistent {
            explain.member("ConsistentRead", "true");
        }
        explain
    }
}

impl<E: DynaEntity> Clone for Get<E> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            consistent: self.consistent,
        }
    }
}

impl<E: DynaEntity> std::fmt::Debug for Get<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Get({:?})", self.key)
    }
}
