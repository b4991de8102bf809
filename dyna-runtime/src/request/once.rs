//! Operations that run once per key: a record says of each whether it is under way, and what it returned.

use crate::codec::{EncodeError, Item};
use crate::entity::owner::claim::Claim;
use crate::entity::{Entity, EntityMeta, Expiring, Functions, Replaceable, decode};
use crate::error::{Error, Result};
use crate::expr::{Expr, Path};
use crate::key::KeyId;
use crate::read::attributes::Attributes;
use crate::read::get::GetRequest;
use crate::read::{Consistency, Expired};
use crate::request::delete;
use crate::request::put::Put;
use crate::schema::IndexSchema;
use crate::table::{Handle, HasEntity, Table};
use crate::transport::{RawItem, ResponseFuture};
use crate::write::as_written::is_same_item;
use crate::write::returning::Which;
use crate::write::transaction::random_token;
use crate::write::{Write, WriteKind};
use std::time::{Duration, SystemTime};

/// An entity whose items are records of operations that run once per key: [`Table::once`].
///
/// The entity has a key of its own, as all entities of a table do, and a field that says when it expires. A record of an operation that is
/// under way expires when its lock ends, and one that is done when it may be forgotten.
///
/// ```
/// use dyna_runtime::request::{OnceRecord, OnceState};
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::{SystemTime, UNIX_EPOCH};
///
/// #[derive(Clone, Serialize, Deserialize, DynaEntity, DynaTable)]
/// #[dyna(table(name = "requests", pk = "pk", ttl = "expires"), pk = "REQUEST#<id>")]
/// struct Request {
///     id: String,
///     holder: Option<String>,
///     receipt: Option<String>,
///     #[dyna(ttl)]
///     expires: u64,
/// }
///
/// impl OnceRecord for Request {
///     type Output = String;
///
///     fn state(&self) -> OnceState<String> {
///         match &self.receipt {
///             Some(receipt) => OnceState::Done(receipt.clone()),
///             None => OnceState::Running { holder: self.holder.clone().unwrap_or_default() },
///         }
///     }
///
///     fn set_state(&mut self, state: OnceState<String>, expires: SystemTime) {
///         (self.holder, self.receipt) = match state {
///             OnceState::Running { holder } => (Some(holder), None),
///             OnceState::Done(receipt) => (None, Some(receipt)),
///         };
///         self.expires = expires.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> dyna_runtime::Result<()> {
/// # let db = Request::embedded().await?;
/// # async fn charge() -> dyna_runtime::Result<String> { Ok("receipt 7".to_owned()) }
/// let request = Request { id: "order-42".to_owned(), holder: None, receipt: None, expires: 0 };
/// let receipt = db.once(request.clone()).run(charge).await?;
/// // The second time nothing is charged.
/// assert_eq!(db.once(request).run(charge).await?, receipt);
/// # Ok(()) }
/// ```
pub trait OnceRecord: Entity + Replaceable + Expiring + Clone + Send + Sync + 'static {
    /// The result of the operation, as the record stores it.
    type Output: Send;

    /// Returns the state that the record stores.
    fn state(&self) -> OnceState<Self::Output>;

    /// Stores the state in the record, until it expires. Two holders must be stored as different values.
    fn set_state(&mut self, state: OnceState<Self::Output>, expires: SystemTime);
}

/// The state of an operation, as its record stores it. There are no other states: a record is made of each by [`OnceRecord::set_state`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnceState<T> {
    /// It is running.
    Running {
        /// The holder of the lock: a text that is made anew for each try.
        holder: String,
    },
    /// It is done, and returned this.
    Done(T),
}

/// An operation that runs once per key: [`Table::once`].
#[must_use = "an operation does nothing until it runs: add `.run(..).await?`"]
pub struct RunOnce<'t, E> {
    db: &'t Handle,
    record: E,
    keep: Duration,
    lock: Duration,
}

/// An operation that was begun: done before, or to be done now. That another process runs it is an error.
#[derive(Debug)]
pub enum Begun<'t, E: OnceRecord> {
    /// It was done before, and returned this.
    Done(E::Output),
    /// It is to be done now, by whoever has this.
    Started(Started<'t, E>),
}

/// An operation that is under way, and that no one else runs until its lock ends. Dropped, it keeps its lock until then.
#[must_use = "an operation is under way until it is finished or abandoned"]
pub struct Started<'t, E> {
    db: &'t Handle,
    /// The record as it is stored.
    record: E,
    item: Item,
    keep: Duration,
}

/// The record of an operation that is done, to be written: [`Started::complete`].
pub struct Completed<E> {
    record: E,
    held: Expr,
}

impl<T> Table<T> {
    /// An operation that runs once for the key of this record. The other fields of the record are overwritten.
    ///
    /// ```
    /// # use dyna_runtime::request::OnceRecord;
    /// # use std::time::Duration;
    /// # async fn run<E: OnceRecord<Output = String>, T: dyna_runtime::request::HasEntity<E>>(
    /// #     db: dyna_runtime::Table<T>,
    /// #     record: E,
    /// # ) -> dyna_runtime::Result<()> {
    /// # async fn charge() -> dyna_runtime::Result<String> { Ok(String::new()) }
    /// let receipt = db
    ///     .once(record)
    ///     .lock_for(Duration::from_secs(30))
    ///     .keep_for(Duration::from_secs(24 * 60 * 60))
    ///     .run(charge)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    ///
    /// - A repeat returns what the operation returned, until the record expires.
    /// - While another process runs it, the error is [`is_operation_running`](Error::is_operation_running).
    /// - If it fails, nothing is stored: the next try runs it again.
    /// - If the process stops in the midst of it, the next try after the end of the lock runs it again: across a crash it runs **at least
    ///   once**. It also runs again if it takes longer than its lock and another process takes over. Its writes to tables are applied
    ///   exactly once if they are in one transaction with the record: [`begin`](RunOnce::begin).
    /// - The records are written with [`once`](Put::once), so that a lost response changes nothing of this.
    pub fn once<E: OnceRecord>(&self, record: E) -> RunOnce<'_, E>
    where
        T: HasEntity<E>,
    {
        RunOnce {
            db: self.handle(),
            record,
            keep: Duration::from_hours(24),
            lock: Duration::from_mins(1),
        }
    }
}

impl<'t, E: OnceRecord> RunOnce<'t, E> {
    /// How long a repeat returns the stored result: 24 hours if this is not called.
    pub fn keep_for(self, keep: Duration) -> Self {
        Self { keep, ..self }
    }

    /// How long no one else runs the operation if it is not finished: one minute if this is not called. It should be longer than the
    /// operation ever takes.
    pub fn lock_for(self, lock: Duration) -> Self {
        Self { lock, ..self }
    }

    /// Runs the operation, or returns what it returned before.
    pub async fn run<W, F, X>(self, work: W) -> Result<E::Output, X>
    where
        W: FnOnce() -> F,
        F: Future<Output = Result<E::Output, X>>,
        X: From<Error>,
    {
        let started = match self.begin().await? {
            Begun::Done(output) => return Ok(output),
            Begun::Started(started) => started,
        };
        match work().await {
            Ok(output) => Ok(started.finish(output).await?),
            Err(error) => {
                // If it cannot be given up, it expires.
                let _ = started.abandon().await;
                Err(error)
            }
        }
    }

    /// Begins the operation, to be finished by [`Started::finish`], or in a transaction with what it writes:
    ///
    /// ```
    /// # use dyna_runtime::request::{Begun, OnceRecord};
    /// # use dyna_runtime::{DynaEntity, DynaTable, Table};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity)]
    /// # #[dyna(table = Shop, pk = "ORDER#<id>")]
    /// # struct Order { id: String }
    /// # #[derive(DynaTable)]
    /// # #[dyna(name = "shop", pk = "pk")]
    /// # enum Shop { Order(Order) }
    /// # async fn run<E: OnceRecord<Output = String>, T: dyna_runtime::request::HasEntity<E>>(
    /// #     requests: Table<T>,
    /// #     db: Table<Shop>,
    /// #     record: E,
    /// #     order: Order,
    /// # ) -> dyna_runtime::Result<String> {
    /// match requests.once(record).begin().await? {
    ///     Begun::Done(id) => Ok(id),
    ///     Begun::Started(started) => {
    ///         let done = started.complete(order.id.clone());
    ///         requests.transact().put(done.put()).on(&db).create(&order).send().await?;
    ///         Ok(order.id)
    ///     }
    /// }
    /// # }
    /// ```
    ///
    /// Then a crash leaves both or neither: the order is created exactly once.
    pub fn begin(self) -> ResponseFuture<'t, Begun<'t, E>> {
        Box::pin(async move {
            let Self {
                db,
                record,
                keep,
                lock,
            } = self;
            let (now, holder) = (db.now(), random_token()?);
            let mut record = record;
            let running = OnceState::Running {
                holder: holder.clone(),
            };
            record.set_state(running, after(now, lock));
            let write = Put::create(&record).or_expired().write(now)?;
            let WriteKind::Put(item) = &write.action else {
                return Err(internal(E::META));
            };
            let (item, key) = (item.map(E::META.name)?, write.key());
            let record: E = decode(item.clone())?;
            if !is_held_by(&record, &holder) {
                let problem = "`state` does not return the holder that `set_state` was given";
                return Err(Error::Encode {
                    entity: E::META.name,
                    source: EncodeError::new(problem),
                });
            }
            let found = match Write::answer(Ok(write), db, Which::Once).await {
                Ok(_) => None,
                // Someone else's record is there, also if the response does not show it.
                Err(error) if error.is_condition_failed() => {
                    match error.current_item::<E>().transpose()? {
                        Some(found) => Some(found),
                        None => Some(stored::<E>(db, key).await?.ok_or(error)?),
                    }
                }
                // The stored record decides: no one else has this holder.
                Err(error) if error.is_outcome_unknown() => match stored::<E>(db, key).await {
                    Ok(Some(found)) if is_held_by(&found, &holder) => None,
                    Ok(Some(found)) => Some(found),
                    // If it cannot be read, the outcome is unknown still.
                    Ok(None) | Err(_) => return Err(error),
                },
                Err(error) => return Err(error),
            };
            match found.map(|found| found.state()) {
                None => Ok(Begun::Started(Started {
                    db,
                    record,
                    item,
                    keep,
                })),
                Some(OnceState::Done(output)) => Ok(Begun::Done(output)),
                Some(OnceState::Running { .. }) => Err(Error::OperationRunning {
                    entity: E::META.name,
                }),
            }
        })
    }
}

/// The last second that all formats of instants can write: 9999-12-31T23:59:59Z.
const LAST_SECOND: Duration = Duration::from_secs(253_402_300_799);

/// The instant after a time that may be any, such as [`Duration::MAX`] for what is never to be forgotten. A whole second, as TTL attributes
/// store it, and not before the time is over.
fn after(now: SystemTime, time: Duration) -> SystemTime {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    let since = since.unwrap_or_default().saturating_add(time);
    let whole = since
        .as_secs()
        .saturating_add(u64::from(since.subsec_nanos() > 0));
    SystemTime::UNIX_EPOCH + Duration::from_secs(whole).min(LAST_SECOND)
}

fn is_held_by<E: OnceRecord>(record: &E, holder: &str) -> bool {
    matches!(record.state(), OnceState::Running { holder: found } if found == holder)
}

/// Whether the record of a finished operation is stored, after this error of its write.
async fn finished<E: OnceRecord>(
    db: &Handle,
    key: Option<KeyId>,
    item: &Item,
    holder: &str,
    error: Error,
) -> Result<()> {
    let taken_over = Error::OperationTakenOver {
        entity: E::META.name,
    };
    if error.is_condition_failed() || error.is_version_conflict() {
        return Err(taken_over);
    }
    if !error.is_outcome_unknown() {
        return Err(error);
    }
    let Ok(Some(found)) = stored_item(db, E::META, key).await else {
        return Err(error);
    };
    if (found.clone().into_attributes()).is_some_and(|found| is_same_item(item, &found)) {
        return Ok(());
    }
    match found.decode(crate::entity::read::<E>) {
        Ok(found) if !is_held_by(&found, holder) => Err(taken_over),
        _ => Err(error),
    }
}

/// The record as it is stored now.
async fn stored<E: OnceRecord>(db: &Handle, key: Option<KeyId>) -> Result<Option<E>> {
    let item = stored_item(db, E::META, key).await?;
    item.map(|item| item.decode(crate::entity::read))
        .transpose()
}

async fn stored_item(
    db: &Handle,
    meta: &'static EntityMeta,
    key: Option<KeyId>,
) -> Result<Option<RawItem>> {
    let get = GetRequest {
        meta,
        key: Ok(key.ok_or_else(|| internal(meta))?),
        claim: Claim::Own,
        what: Attributes::Whole,
        consistency: Consistency::Strong,
        expired: Expired::LeftOut,
    };
    crate::read::get::item(db, get).await
}

fn internal(meta: &EntityMeta) -> Error {
    Error::Internal {
        entity: meta.name,
        what: "the record of an operation was written without its key",
    }
}

impl<'t, E: OnceRecord> Started<'t, E> {
    /// The record of the operation when it has returned this, to be put in a transaction with what the operation writes.
    pub fn complete(self, output: E::Output) -> Completed<E> {
        let held = held(E::META, &self.item);
        let mut record = self.record;
        record.set_state(OnceState::Done(output), after(self.db.now(), self.keep));
        Completed { record, held }
    }

    /// Stores what the operation returned, and returns it. If the response is lost, the record tells whether it is stored.
    pub fn finish(self, output: E::Output) -> ResponseFuture<'t, E::Output> {
        Box::pin(async move {
            let db = self.db;
            let OnceState::Running { holder } = self.record.state() else {
                return Err(internal(E::META));
            };
            let completed = self.complete(output);
            let write = completed.put().write(db.now())?;
            let WriteKind::Put(item) = &write.action else {
                return Err(internal(E::META));
            };
            let (item, key) = (item.map(E::META.name)?, write.key());
            if let Err(error) = Write::answer(Ok(write), db, Which::Once).await {
                finished::<E>(db, key, &item, &holder, error).await?;
            }
            match completed.record.state() {
                OnceState::Done(output) => Ok(output),
                OnceState::Running { .. } => Err(internal(E::META)),
            }
        })
    }

    /// Abandons the operation: the next try runs it.
    pub fn abandon(self) -> ResponseFuture<'t, ()> {
        let meta = E::META;
        let key = KeyId::of_item(&meta.schema.key, &self.item);
        let write = key.ok_or_else(|| internal(meta)).and_then(|key| {
            let mut delete = delete::DeleteSpec::new(Functions::of::<E>(), Ok(key));
            delete.also(held(meta, &self.item));
            delete.write(self.db.now())
        });
        Box::pin(async move { Write::answer(write, self.db, Which::Once).await.map(|_| ()) })
    }
}

impl<E: OnceRecord> Completed<E> {
    /// Puts the record, if the operation is still the one that was started: otherwise the condition fails, and with it the transaction.
    pub fn put(&self) -> Put<'_, E> {
        Put::replace(&self.record).only_if(self.held.clone())
    }
}

/// The condition that a record is still the one that was stored when its operation was started: all of its attributes, those of flattened fields
/// and of variants too. Its keys, times and version say nothing of that.
fn held(meta: &EntityMeta, item: &Item) -> Expr {
    let field_of = |name: &str| meta.fields.iter().find(|field| field.attribute == name);
    let is_said = |name: &str| {
        let schema = meta.schema;
        let is_key = |key: &IndexSchema| key.attributes().any(|key| key.name == name);
        let mut indexes = meta.indexes.iter();
        let is_made = field_of(name).is_none() && indexes.any(|index| is_key(index.schema));
        let is_ttl = schema.ttl.is_some_and(|ttl| ttl.name == name);
        let is_managed = meta.managed.attributes().any(|managed| managed == name);
        !(is_key(&schema.key) || is_made || is_ttl || is_managed || schema.is_tag(name))
    };
    let stored = item.iter().filter(|(name, _)| is_said(name));
    let stored = stored.map(|(name, value)| match field_of(name) {
        Some(field) => Expr::is(&Path::attribute(field.stored()), Some(value.clone())),
        None => Expr::attribute_is(name, value),
    });
    let absent = meta.fields.iter().filter(|field| {
        !field.key_only && is_said(field.attribute) && !item.contains_key(field.attribute)
    });
    let absent = absent.map(|field| Expr::missing(&Path::attribute(field.stored())));
    stored.chain(absent).fold(Expr::default(), Expr::and)
}

/// Without the record, which may be personal data.
impl<E: OnceRecord> std::fmt::Debug for RunOnce<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RunOnce({})", E::META.name)
    }
}

impl<E: OnceRecord> std::fmt::Debug for Started<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Started({})", E::META.name)
    }
}

impl<E: OnceRecord> std::fmt::Debug for Completed<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Completed({})", E::META.name)
    }
}
