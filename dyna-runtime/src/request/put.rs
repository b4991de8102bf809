//! Writing one whole item.

use crate::codec::Item;
use crate::entity::fill;
use crate::entity::fill::Presence;
use crate::entity::fill::{Filling, Lock};
use crate::entity::{AnyEntity, Entity, Expiring, Replaceable};
use crate::error::{Error, Result};
use crate::expr::{Condition, Expr};
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::{ResponseFuture, finish};
use crate::write::encode;
use crate::write::encode::Beside;
use crate::write::returning::{New, Nothing, Old, Returns, Which};
use crate::write::{Action, Write};
use std::marker::PhantomData;
use std::time::SystemTime;

/// Writes a whole entity: `message.put()`, `message.create()` if it must be new, `message.replace()` if it must be there.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String, age: u8 }
/// # async fn run(db: &dyna_runtime::Table<User>) -> dyna_runtime::Result<()> {
/// let user = User { id: "ann".to_owned(), age: 7 };
/// user.create().send(db).await?;
/// let before = user.put().when(User::AGE.lt(7)).returning_old().send(db).await;
/// if let Err(error) = before {
///     // The item that failed the condition.
///     assert_eq!(error.current_item::<User>().transpose()?, Some(user));
/// }
/// # Ok(()) }
/// ```
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Put<'e, E, R = Nothing> {
    entity: &'e E,
    how: How,
    returns: PhantomData<fn() -> R>,
}

/// How an entity is written.
struct How {
    presence: Presence,
    /// Whether an item that has expired counts as none.
    over_expired: bool,
    condition: Expr,
}

impl<'e, E: Entity + Replaceable> Put<'e, E> {
    /// Writes the entity. **An item with the same key is replaced as a whole**, with whatever else wrote to it. An entity with a version
    /// replaces only the version that it was loaded with, or, with version zero, no version at all.
    pub fn new(entity: &'e E) -> Self {
        Self::with(entity, Presence::Any)
    }

    /// Writes the entity over the item with its key; fails with
    /// [`is_condition_failed`](crate::Error::is_condition_failed) if there is none.
    pub fn replace(entity: &'e E) -> Self {
        Self::with(entity, Presence::Present)
    }
}

impl<'e, E: Entity> Put<'e, E> {
    /// Writes the entity if there is no item with its key; fails with
    /// [`is_condition_failed`](crate::Error::is_condition_failed) otherwise. A version starts at 1, whatever the entity brings.
    pub fn create(entity: &'e E) -> Self {
        Self::with(entity, Presence::Absent)
    }

    fn with(entity: &'e E, presence: Presence) -> Self {
        Self {
            entity,
            how: How::new(presence),
            returns: PhantomData,
        }
    }

    /// Returns the item that was replaced, if there was one.
    pub fn returning_old(self) -> Put<'e, E, Old> {
        self.returning()
    }

    /// Returns the entity as it is stored.
    pub fn returning_new(self) -> Put<'e, E, New> {
        self.returning()
    }

    fn returning<R>(self) -> Put<'e, E, R> {
        Put {
            entity: self.entity,
            how: self.how,
            returns: PhantomData,
        }
    }
}

impl<E: Entity, R> Put<'_, E, R> {
    /// After `create`: also writes over an item that has expired and that DynamoDB has not deleted yet. Where `get(..).skip_expired()` finds
    /// nothing, this creates.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # use std::time::{Duration, SystemTime};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "locks", pk = "pk", ttl = "ttl"), pk = "LOCK#<name>")]
    /// # struct Lock {
    /// #     name: String,
    /// #     #[dyna(ttl)]
    /// #     lasts: Duration,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let db = Lock::embedded().await?;
    /// let lock = Lock { name: "daily".to_owned(), lasts: Duration::from_secs(60) };
    /// lock.create().or_expired().send(&db).await?;
    /// let taken = lock.create().or_expired().send(&db).await;
    /// assert!(taken.unwrap_err().is_condition_failed());
    ///
    /// let later = db.with_clock(|| SystemTime::now() + Duration::from_secs(61));
    /// lock.create().or_expired().send(&later).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// In a transaction: `.put(lock.create().or_expired())`. The unique values of the expired item are free, whoever takes them. A version
    /// starts at the second of the write (as in 1763424000) instead of 1, so that whoever has loaded the expired item cannot write over
    /// the new one. An expired item whose version is not below that, because it was made in the same second or written more than once in
    /// each, is in the way until it is. `put` and `replace` do not ask whether an item has expired: there it changes nothing.
    pub fn or_expired(mut self) -> Self
    where
        E: Expiring,
    {
        self.how.over_expired = true;
        self
    }
}

impl<E: Entity, R: Returns<E>> Put<'_, E, R> {
    /// Only if this is true of the item that is there; of no item, comparisons are false. Several conditions must all be true.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.how.also(condition.into_expr());
        self
    }

    /// Writes the item.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        let db = db.handle();
        finish(Write::answer(self.write(db.now()), db, R::WHICH), R::read)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        explain_single("PutItem", E::META, self.write(SystemTime::now()))
    }

    pub(super) fn write(&self, now: SystemTime) -> Result<Write> {
        self.how.write(self.entity, R::WHICH, None, now)
    }
}

/// The write of an entity that moves to another key: what it keeps goes on as if the item were replaced, and counts on the version of an
/// item that was loaded, if there is one.
pub(super) fn moved(
    entity: &dyn AnyEntity,
    loaded: Option<&Item>,
    now: SystemTime,
) -> Result<Write> {
    How::new(Presence::Present).write(entity, Which::Neither, loaded, now)
}

impl How {
    fn new(presence: Presence) -> Self {
        Self {
            presence,
            over_expired: false,
            condition: Expr::default(),
        }
    }

    fn also(&mut self, condition: Expr) {
        self.condition = std::mem::take(&mut self.condition).and(condition);
    }

    fn write(
        &self,
        entity: &dyn AnyEntity,
        which: Which,
        loaded: Option<&Item>,
        now: SystemTime,
    ) -> Result<Write> {
        let meta = entity.functions().meta;
        let filling = Filling {
            presence: self.presence,
            now,
            loaded,
            over_expired: self.over_expired,
        };
        let (item, Beside { lock, companions }) = encode::write(entity, filling)?;
        if self.over_expired && which == Which::Old && !companions.is_empty() {
            // The item that has expired would be wanted, and a transaction returns none.
            return Err(Error::CannotReturnItem { entity: meta.name });
        }
        let locked = lock.as_ref().map(Lock::condition).unwrap_or_default();
        let mut presence = self.presence.condition(meta.schema);
        if self.over_expired && self.presence == Presence::Absent {
            presence = presence.or(fill::gives_way_at(meta, now));
        }
        let condition = presence.and(locked);
        Ok(Write {
            condition: condition.and(self.condition.clone()),
            companions,
            lock,
            operation: match self.presence {
                Presence::Any => "put",
                Presence::Absent => "create",
                Presence::Present => "replace",
            },
            presence: self.presence,
            ..Write::new(meta, Action::Put(item))
        })
    }
}

/// Without the entity, which may be personal data.
impl<E: Entity, R> std::fmt::Debug for Put<'_, E, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Put({})", E::META.name)
    }
}
