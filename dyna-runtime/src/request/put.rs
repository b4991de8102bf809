//! Writing one whole item.

use crate::codec::Item;
use crate::entity::fill;
use crate::entity::fill::Precondition;
use crate::entity::fill::{Filling, VersionCheck};
use crate::entity::{AnyEntity, Entity, Expiring, Replaceable};
use crate::error::{Error, Result};
use crate::expr::{Condition, Expr};
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::{ResponseFuture, finish};
use crate::write::encode;
use crate::write::encode::WriteExtras;
use crate::write::returning::{New, Nothing, Old, Once, OnceNew, Returns, Which};
use crate::write::{Write, WriteKind};
use std::marker::PhantomData;
use std::time::SystemTime;

/// A write of a whole item: `message.put()`, `message.create()` if it must not exist, `message.replace()` if it must exist.
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
///
/// What it consumes is counted by a [metered handle](crate::Table::metered).
///
#[doc = include_str!("../guide/lost/put.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Put<'e, E, R = Nothing> {
    entity: &'e E,
    spec: PutSpec,
    returns: PhantomData<fn() -> R>,
}

/// How an entity is written.
struct PutSpec {
    precondition: Precondition,
    /// Whether an expired item counts as missing.
    over_expired: bool,
    condition: Expr,
}

impl<'e, E: Entity + Replaceable> Put<'e, E> {
    /// Writes the entity. **An item with the same key is replaced as a whole**, including attributes that others wrote. An entity with a
    /// version replaces only the version that it was loaded with or, with version zero, an item without a version.
    pub fn new(entity: &'e E) -> Self {
        Self::with(entity, Precondition::None)
    }

    /// Writes the entity over the item with its key; fails with
    /// [`is_condition_failed`](crate::Error::is_condition_failed) if there is none.
    pub fn replace(entity: &'e E) -> Self {
        Self::with(entity, Precondition::MustExist)
    }
}

impl<'e, E: Entity> Put<'e, E> {
    /// Writes the entity if there is no item with its key; fails with
    /// [`is_condition_failed`](crate::Error::is_condition_failed) otherwise. The version starts at 1, whatever the entity says.
    pub fn create(entity: &'e E) -> Self {
        Self::with(entity, Precondition::MustNotExist)
    }

    fn with(entity: &'e E, precondition: Precondition) -> Self {
        Self {
            entity,
            spec: PutSpec::new(precondition),
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

    /// Applies the write exactly once, even if a response is lost: it is sent as a one-operation transaction with a client request token,
    /// which DynamoDB remembers for ten minutes. A failed condition or version conflict is then somebody else's write. It takes twice the write
    /// capacity. See [lost responses](crate::guide::lost_responses).
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let db = User::embedded().await?;
    /// let user = User { id: "ann".to_owned() };
    /// user.create().once().send(&db).await?;
    /// let taken = user.create().once().send(&db).await.unwrap_err();
    /// assert!(taken.is_condition_failed()); // by another request than this one
    /// # Ok(()) }
    /// ```
    pub fn once(self) -> Put<'e, E, Once> {
        self.returning()
    }
}

impl<'e, E: Entity> Put<'e, E, Once> {
    /// Returns the entity as it is stored, which is what was sent.
    pub fn returning_new(self) -> Put<'e, E, OnceNew> {
        self.returning()
    }
}

impl<'e, E: Entity, R> Put<'e, E, R> {
    fn returning<S>(self) -> Put<'e, E, S> {
        Put {
            entity: self.entity,
            spec: self.spec,
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
    /// each, blocks the write until it is. `put` and `replace` do not check whether an item has expired: there it changes nothing.
    pub fn or_expired(mut self) -> Self
    where
        E: Expiring,
    {
        self.spec.over_expired = true;
        self
    }
}

impl<E: Entity, R: Returns<E>> Put<'_, E, R> {
    /// Only if this is true of the item that is there.
    pub(super) fn only_if(mut self, condition: Expr) -> Self {
        self.spec.also(condition);
        self
    }

    /// Writes only if the stored item matches the condition; without an item, comparisons are false. Several conditions are combined with AND.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.spec.also(condition.into_expr());
        self
    }

    /// Writes the item.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        let db = db.handle();
        finish(Write::answer(self.write(db.now()), db, R::WHICH), R::read)
    }

    /// The request, without sending it.
    pub fn explain(&self) -> Explain {
        explain_single("PutItem", E::META, self.write(SystemTime::now()), R::WHICH)
    }

    pub(super) fn write(&self, now: SystemTime) -> Result<Write> {
        self.spec.write(self.entity, R::WHICH, None, now)
    }
}

/// The write of an entity that moves to another key: what it keeps goes on as if the item were replaced, and counts on the version of an
/// item that was loaded, if there is one.
pub(super) fn moved(
    entity: &dyn AnyEntity,
    loaded: Option<&Item>,
    now: SystemTime,
) -> Result<Write> {
    PutSpec::new(Precondition::MustExist).write(entity, Which::Neither, loaded, now)
}

impl PutSpec {
    fn new(precondition: Precondition) -> Self {
        Self {
            precondition,
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
            precondition: self.precondition,
            now,
            loaded,
            over_expired: self.over_expired,
        };
        let (
            item,
            WriteExtras {
                version_check,
                companions,
            },
        ) = encode::write(entity, filling)?;
        if self.over_expired && which == Which::Old && !companions.is_empty() {
            // The item that has expired would be wanted, and a transaction returns none.
            return Err(Error::CannotReturnItem { entity: meta.name });
        }
        let locked = version_check
            .as_ref()
            .map(VersionCheck::condition)
            .unwrap_or_default();
        let mut precondition = self.precondition.condition(meta.schema);
        if self.over_expired && self.precondition == Precondition::MustNotExist {
            precondition = precondition.or(fill::gives_way_at(meta, now));
        }
        let condition = precondition.and(locked);
        Ok(Write {
            condition: condition.and(self.condition.clone()),
            companions,
            version_check,
            operation: match self.precondition {
                Precondition::None => "put",
                Precondition::MustNotExist => "create",
                Precondition::MustExist => "replace",
            },
            precondition: self.precondition,
            ..Write::new(meta, WriteKind::Put(item))
        })
    }
}

/// Without the entity, which may be personal data.
impl<E: Entity, R> std::fmt::Debug for Put<'_, E, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Put({})", E::META.name)
    }
}
