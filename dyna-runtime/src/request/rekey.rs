//! Changing the primary key of an item.

use crate::entity::Key;
use crate::entity::encode;
use crate::entity::fill::Precondition;
use crate::entity::fill::VersionCheck;
use crate::entity::{AnyEntity, Entity, EntityMeta, Functions, Replaceable};
use crate::error::{Error, Result};
use crate::expr::Condition;
use crate::request::Explain;
use crate::request::delete::DeleteSpec;
use crate::request::explain::explain_transaction;
use crate::request::put;
use crate::request::transact_write::TransactionSpec;
use crate::table::{HasEntity, Table};
use crate::transport::ResponseFuture;
use crate::write::Write;
use crate::write::sentinel;
use crate::write::transaction::Operation;
use std::time::SystemTime;

/// Deletes the item with one key and creates an entity with another, together: `Message::rekey(key, &message)`.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String, age: u8 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> dyna_runtime::Result<()> {
/// # let db = User::embedded().await?;
/// # User { id: "ann".to_owned(), age: 7 }.create().send(&db).await?;
/// let anna = User { id: "anna".to_owned(), age: 7 };
/// User::rekey(User::key("ann"), &anna).send(&db).await?;
/// assert_eq!(User::get("ann").send(&db).await?, None);
/// assert_eq!(User::get("anna").send(&db).await?, Some(anna));
/// # Ok(()) }
/// ```
///
/// It fails with [`is_condition_failed`](crate::Error::is_condition_failed) if there is no item with the old key, which is operation 0 of
/// the [failures](crate::Error::failures), or if there is one with the new key, which is operation 1. If the two keys are the same, the
/// item is replaced.
///
/// Its version is incremented, and the time of its creation stays. Unique values are handed from the one to the other by
/// `User::rekey_loaded(&loaded, &new)`, which also checks and increments the version that was loaded, whatever the new entity brings.
///
#[doc = include_str!("../guide/lost/transact.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Rekey<'e, E: Entity> {
    old: DeleteSpec,
    new: &'e E,
}

impl<'e, E: Entity + Replaceable> Rekey<'e, E> {
    /// From this key to the one of the entity.
    pub fn new(from: Key<E>, to: &'e E) -> Self {
        let claim = from.claim();
        Self {
            old: DeleteSpec::present(Functions::of::<E>(), from.into_id()).with_claim(claim),
            new: to,
        }
    }
}

impl<'e, E: Entity> Rekey<'e, E> {
    /// From the key of an item that was loaded to the one of the entity.
    pub fn loaded(from: &E, to: &'e E) -> Self {
        Self {
            old: DeleteSpec::loaded(from),
            new: to,
        }
    }
}

impl<E: Entity> Rekey<'_, E> {
    /// Moves only if the item with the old key matches the condition. Several conditions are combined with AND.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.old.also(condition.into_expr());
        self
    }

    /// Moves the item.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, ()> {
        let mut transaction = TransactionSpec::new(db.handle());
        transaction.push_all(self.writes(transaction.now));
        transaction.send()
    }

    /// The request, without sending it.
    pub fn explain(&self) -> Explain {
        explain(E::META, self.writes(SystemTime::now()))
    }

    /// The old item's write and the new one's; one alone if they are the same.
    pub(super) fn writes(&self, now: SystemTime) -> Result<Vec<Write>> {
        writes(&self.old, self.new, now)
    }
}

fn explain(meta: &EntityMeta, writes: Result<Vec<Write>>) -> Explain {
    match writes {
        Ok(writes) => {
            let writes = writes.into_iter().enumerate();
            let operations =
                writes.flat_map(|(n, write)| Operation::all(meta.schema.name, write, n));
            explain_transaction(&operations.collect::<Vec<_>>(), None)
        }
        Err(error) => explain_transaction(&[], Some(&error)),
    }
}

fn writes(from: &DeleteSpec, to: &dyn AnyEntity, now: SystemTime) -> Result<Vec<Write>> {
    let meta = to.functions().meta;
    if meta.managed.partial {
        return Err(Error::PartialTable {
            table: meta.schema.type_name.to_owned(),
            operation: "rekey",
        });
    }
    let mut old = from.clone().write(now)?;
    let loaded = from.loaded_item();
    let mut new = put::moved(to, loaded, now)?;
    if loaded.is_none() {
        old.version_check = VersionCheck::of(meta, &encode(to)?).filter(VersionCheck::is_known);
        let locked = old
            .version_check
            .as_ref()
            .map(VersionCheck::condition)
            .unwrap_or_default();
        old.condition = old.condition.and(locked);
    }
    sentinel::transfer_sentinels(&mut old, &mut new);
    (old.operation, old.precondition) = ("rekey", Precondition::MustExist);
    (new.operation, new.precondition) = ("rekey", Precondition::MustNotExist);
    if new.key() == old.key() {
        new.condition = old.condition;
        new.precondition = old.precondition;
        new.version_check = old.version_check;
        new.companions.extend(old.companions);
        return Ok(vec![new]);
    }
    new.condition = Precondition::MustNotExist.condition(meta.schema);
    new.version_check = None;
    Ok(vec![old, new])
}

impl<E: Entity> std::fmt::Debug for Rekey<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rekey({})", E::META.name)
    }
}
