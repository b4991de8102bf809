//! Deleting one item by its key.

use super::Explain;
use crate::entity::DynaEntity;
use crate::error::{Result, of_write};
use crate::key::Key;
use crate::table::{Lists, Table};

/// Deletes one item by its primary key: `Message::delete(..)`. It is no error if there is none.
#[must_use = "a request does nothing until it is sent"]
pub struct Delete<E: DynaEntity> {
    key: Key<E>,
}

impl<E: DynaEntity> Delete<E> {
    /// Deletes the item with this key.
    pub fn new(key: Key<E>) -> Self {
        Self { key }
    }

    /// Deletes the item.
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<()> {
        let key = self.key.into_item()?;
        let request = db
            .client()
            .delete_item()
            .table_name(db.name()?)
            .set_key(Some(key));
        request
            .send()
            .await
            .map_err(|error| of_write(E::META.name, error))?;
        Ok(())
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let mut explain = Explain::new("DeleteItem", E::META.schema.name);
        match self.key.clone().into_item() {
            Ok(key) => explain.item("Key", &key),
            Err(error) => explain.error(&error),
        }
        explain
    }
}

impl<E: DynaEntity> Clone for Delete<E> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
        }
    }
}

impl<E: DynaEntity> std::fmt::Debug for Delete<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Delete({:?})", self.key)
    }
}
