//! Deleting one item by its key.

use crate::codec::Item;
use crate::entity::Key;
use crate::entity::changes::InvalidChange;
use crate::entity::fill::Precondition;
use crate::entity::fill::VersionCheck;
use crate::entity::loaded::LoadedItem;
use crate::entity::owner::claim::Claim;
use crate::entity::{AnyEntity, DeletableByKey, Entity, Functions, encode};
use crate::error::{Error, Result};
use crate::expr::{Condition, Expr};
use crate::key::{KeyError, KeyId};
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::{ResponseFuture, finish};
use crate::write::returning::{Nothing, Old, Once, Returns};
use crate::write::sentinel;
use crate::write::{Write, WriteKind};
use std::marker::PhantomData;
use std::time::SystemTime;

/// A delete of one item by its primary key: `Message::delete(..)`. It succeeds if there is no such item.
///
/// What it consumes is counted by a [metered handle](crate::Table::metered).
///
#[doc = include_str!("../guide/lost/delete.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Delete<E: Entity, R = Nothing> {
    spec: DeleteSpec,
    types: PhantomData<fn() -> (E, R)>,
}

/// The key and condition of a delete.
#[derive(Clone)]
pub(super) struct DeleteSpec {
    functions: &'static Functions,
    key: Result<KeyId, Box<KeyError>>,
    condition: Expr,
    /// The item as it was loaded, if it was.
    loaded: Option<Result<Item, InvalidChange>>,
    /// Whether the key was given as it is stored, and is none of the entity's own.
    claim: Claim,
}

impl<E: Entity> Delete<E> {
    /// Deletes the item that was loaded as this entity, if it still has the loaded version, and releases the values of its unique fields.
    pub fn loaded(entity: &E) -> Self {
        Self::with(DeleteSpec::loaded(entity))
    }
}

impl<E: Entity + DeletableByKey> Delete<E> {
    /// Deletes the item with this key, whatever its version.
    pub fn new(key: Key<E>) -> Self {
        let claim = key.claim();
        let spec = DeleteSpec::new(Functions::of::<E>(), key.into_id());
        Self::with(spec.with_claim(claim))
    }
}

impl<E: Entity> Delete<E> {
    /// Returns the item that was deleted, if there was one.
    pub fn returning_old(self) -> Delete<E, Old> {
        Delete::with(self.spec)
    }

    /// Applies the write exactly once, even if a response is lost: it is sent as a one-operation transaction with a client request token,
    /// which DynamoDB remembers for ten minutes. A failed condition or version conflict is then somebody else's write. It takes twice the write
    /// capacity, and returns no item. See [lost responses](crate::guide::lost_responses).
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "invites", pk = "pk"), pk = "INVITE#<code>")]
    /// # struct Invite { code: String, uses: u32 }
    /// # async fn run(db: &dyna_runtime::Table<Invite>) -> dyna_runtime::Result<()> {
    /// Invite::delete("x").when(Invite::USES.eq(0)).once().send(db).await?;
    /// # Ok(()) }
    /// ```
    pub fn once(self) -> Delete<E, Once> {
        Delete::with(self.spec)
    }
}

impl<E: Entity, R> Delete<E, R> {
    fn with(spec: DeleteSpec) -> Self {
        Self {
            spec,
            types: PhantomData,
        }
    }
}

impl<E: Entity, R: Returns<E>> Delete<E, R> {
    /// Deletes only if the item matches the condition; without an item, comparisons are false. Several conditions are combined with AND.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.spec.also(condition.into_expr());
        self
    }

    /// Deletes the item.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        let db = db.handle();
        finish(Write::answer(self.write(db.now()), db, R::WHICH), R::read)
    }

    /// The request, without sending it.
    pub fn explain(&self) -> Explain {
        let write = self.spec.clone().write(SystemTime::now());
        explain_single("DeleteItem", E::META, write, R::WHICH)
    }

    pub(super) fn write(self, now: SystemTime) -> Result<Write> {
        self.spec.write(now)
    }
}

impl DeleteSpec {
    pub(super) fn new(functions: &'static Functions, key: Result<KeyId, Box<KeyError>>) -> Self {
        Self {
            functions,
            key,
            condition: Expr::default(),
            loaded: None,
            claim: Claim::Own,
        }
    }

    /// Of an item that must be there.
    pub(super) fn present(
        functions: &'static Functions,
        key: Result<KeyId, Box<KeyError>>,
    ) -> Self {
        Self {
            condition: Precondition::MustExist.condition(functions.meta.schema),
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
            Err(error) => (Err(InvalidChange::of(error)), KeyId::default()),
        };
        Self {
            loaded: Some(loaded),
            ..Self::present(functions, Ok(id))
        }
    }

    /// The same, with the claim of its key.
    pub(super) fn with_claim(self, claim: Claim) -> Self {
        Self { claim, ..self }
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
        let action = WriteKind::Delete(self.key?.into_item(&meta.schema.key));
        let Some(loaded) = loaded else {
            return Ok(Write {
                condition: self.condition,
                claim: self.claim,
                ..Write::new(meta, action)
            });
        };
        let version_check = VersionCheck::of(meta, &loaded);
        let locked = version_check
            .as_ref()
            .map(VersionCheck::condition)
            .unwrap_or_default();
        let (companions, held) = sentinel::release_all(
            meta,
            LoadedItem {
                item: &loaded,
                reread: self.functions.reread,
            },
            now,
        )?;
        Ok(Write {
            condition: self.condition.and(locked).and(held),
            companions,
            version_check,
            precondition: Precondition::MustExist,
            ..Write::new(meta, action)
        })
    }
}

impl<E: Entity, R> Clone for Delete<E, R> {
    fn clone(&self) -> Self {
        Self::with(self.spec.clone())
    }
}

/// Without the key, which may be personal data.
impl<E: Entity, R> std::fmt::Debug for Delete<E, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.spec.key {
            Ok(_) => write!(f, "Delete(Key({}))", E::META.name),
            Err(error) => write!(f, "Delete(Key({error}))"),
        }
    }
}
