//! Writing one item.

use super::{Explain, encode};
use crate::entity::DynaEntity;
use crate::error::{Error, Result, of_write};
use crate::table::{Lists, Table};

/// Writes an entity: `message.put()`, or `message.create()` to write it only if it is new.
#[must_use = "a request does nothing until it is sent"]
pub struct Put<'e, E> {
    entity: &'e E,
    only_new: bool,
}

impl<'e, E: DynaEntity> Put<'e, E> {
    /// Writes the entity. **An item with the same key is replaced as a whole**, with whatever else wrote to it.
    pub fn new(entity: &'e E) -> Self {
        Self {
            entity,
            only_new: false,
        }
    }

    /// Writes the entity if there is no item with its key; fails with
    /// [`is_condition_failed`](Error::is_condition_failed) otherwise.
    pub fn create(entity: &'e E) -> Self {
        Self {
            entity,
            only_new: true,
        }
    }

    /// The condition, if there is one: the key attribute is missing exactly where the item is.
    fn condition(&self) -> Option<&'static str> {
        self.only_new.then_some(E::META.schema.absent)
    }

    /// Writes the item.
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<()> {
        let item = encode(self.entity)?;
        let mut request = db
            .client()
            .put_item()
            .table_name(db.name()?)
            .set_item(Some(item));
        if let Some(condition) = self.condition() {
            request = request.condition_expression(condition);
            if let Some((alias, name)) = E::META.schema.key.pk.alias() {
                request = request.expression_attribute_names(alias, name);
            }
        }
        request
            .send()
            .await
            .map_err(|error| of_write(E::META.name, error))?;
        Ok(())
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let mut explain = Explain::new("PutItem", E::META.schema.name);
        match encode(self.entity) {
            Ok(item) => explain.item("Item", &item),
            Err(Error::Key(error)) => explain.error(&error),
            Err(error) => explain.member("Error", error.to_string()),
        }
        if let Some(condition) = self.condition() {
            explain.member("ConditionExpression", condition);
            explain.alias(E::META.schema.key.pk.alias());
        }
        explain
    }
}

/// Without the entity, which may be personal data.
impl<E: DynaEntity> std::fmt::Debug for Put<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Put({})", E::META.name)
    }
}
