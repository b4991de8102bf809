//! Reading one item by its key.

use crate::entity::Entity;
use crate::entity::Key;
use crate::entity::projection::View;
use crate::error::Result;
use crate::expr::Rendered;
use crate::read::expiry::is_expired;
use crate::read::expressions::Expressions;
use crate::read::what::What;
use crate::request::Explain;
use crate::table::{HasEntity, Table};
use crate::transport::ResponseFuture;
use crate::transport::{CapturedResponse, Form, Raw};
use std::marker::PhantomData;

/// Reads one item by its primary key: `Message::get(..)`.
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Get<E: Entity, V = E> {
    key: Key<E>,
    consistent: bool,
    live: bool,
    yields: PhantomData<fn() -> V>,
}

impl<E: Entity> Get<E> {
    /// Reads the item with this key.
    pub fn new(key: Key<E>) -> Self {
        Self {
            key,
            consistent: false,
            live: false,
            yields: PhantomData,
        }
    }
}

impl<E: Entity, V: View<E>> Get<E, V> {
    /// Reads only the fields of the projection `P`. DynamoDB bills the whole item all the same.
    pub fn project<P: View<E>>(self) -> Get<E, P> {
        Get {
            key: self.key,
            consistent: self.consistent,
            live: self.live,
            yields: PhantomData,
        }
    }

    /// Takes an item that has expired for none: DynamoDB deletes it some time later, and returns it until then.
    pub fn skip_expired(mut self) -> Self {
        self.live = true;
        self
    }

    /// Sees every write that was answered before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Reads the item; `None` if there is none with this key, or if its tag is another entity's.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Option<V>> {
        Box::pin(self.run(db))
    }

    async fn run<T: HasEntity<E>>(self, db: &Table<T>) -> Result<Option<V>> {
        let Expressions {
            projection, names, ..
        } = Expressions::new(None, self.projection(db.form()));
        let key = self.key.into_item()?;
        let request = db
            .client()
            .get_item()
            .table_name(db.name()?)
            .set_key(Some(key))
            .set_projection_expression(projection)
            .set_expression_attribute_names(names)
            .set_consistent_read(self.consistent.then_some(true));
        let kept = CapturedResponse::new(db.form());
        let asked = E::META.asked(db.name()?);
        let sent = request.customize().interceptor(kept.hook()).send().await;
        let output = kept.sent(sent, asked)?;
        let item = kept.item(output, asked)?;
        let is_wanted = |item: &Raw| {
            item.look(|item| E::META.is_tag_of(item))
                && (!self.live || !is_expired(E::META, item, db.now()))
        };
        let item = item.filter(is_wanted);
        let item = item.map(|item| item.check_keys(db.checks_keys()));
        item.map(|item| item.read(V::read)).transpose()
    }

    /// What is read of the item, and if it matters, when it expires.
    fn projection(&self, form: Form) -> Option<Rendered> {
        let mut projection = projection::<E, V>(form)?;
        if let (true, Some(ttl)) = (self.live, &E::META.schema.ttl) {
            projection.also(ttl.into());
        }
        Some(projection)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let mut explain = Explain::new("GetItem", E::META.schema.name);
        match self.key.clone().into_item() {
            Ok(key) => explain.item("Key", &key),
            Err(error) => explain.error(&error),
        }
        if let Some(projection) = self.projection(Form::Bytes) {
            explain.expression("ProjectionExpression", projection);
        }
        if self.consistent {
            explain.member("ConsistentRead", "true");
        }
        explain
    }
}

/// What is read of an item that is known by its key: its tag, and the key only if a field is stored in it alone, or for interceptors,
/// which may need it to tell whose item it is.
pub(super) fn projection<E: Entity, V: View<E>>(form: Form) -> Option<Rendered> {
    What::of::<E, V>().render(E::META, &E::META.schema.key, form == Form::Maps)
}

impl<E: Entity, V> Clone for Get<E, V> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            consistent: self.consistent,
            live: self.live,
            yields: PhantomData,
        }
    }
}

impl<E: Entity, V> std::fmt::Debug for Get<E, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Get({:?})", self.key)
    }
}
