//! Transactions of writes: all of them, or none.

mod operation;

pub use operation::{IntoPut, NotReturning};

use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::request::check::{ConditionCheck, HasCondition};
use crate::request::delete::Delete;
use crate::request::explain::{Explain, explain_transaction};
use crate::request::put::Put;
use crate::request::rekey::Rekey;
use crate::request::update::Update;
use crate::table::{DynaTable, Handle, HasEntity, Table};
use crate::transport::{ItemFormat, ResponseFuture};
use crate::write::Write;
use crate::write::transaction::send;
use crate::write::transaction::{Operation, Sending};
use aws_sdk_dynamodb::Client;
use std::marker::PhantomData;
use std::time::SystemTime;

/// Up to 100 writes that are made together or not at all: [`Table::transact`].
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(DynaTable)]
/// # #[dyna(name = "shop", pk = "pk")]
/// # enum Shop { User(User), Order(Order) }
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity)]
/// # #[dyna(table = Shop, pk = "USER#<id>")]
/// # struct User { id: String, age: u8 }
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity)]
/// # #[dyna(table = Shop, pk = "ORDER#<id>")]
/// # struct Order { id: String, total: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> dyna_runtime::Result<()> {
/// # let db = Shop::embedded().await?;
/// let order = Order { id: "1".to_owned(), total: 7 };
/// let sent = db
///     .transact()
///     .create(&order)
///     .check(User::check("ann").when(User::AGE.ge(18)))
///     .send()
///     .await;
///
/// let error = sent.unwrap_err();
/// assert!(error.is_condition_failed());
/// assert_eq!(error.failures()[0].index, 1);
/// assert_eq!(error.to_string(), "the transaction was cancelled: operation 1 (check User): its condition is not met");
/// # Ok(()) }
/// ```
///
/// No two operations may be on one item: that is an error before anything is sent, and so is whatever is wrong with an operation
/// itself. Every operation is checked by its condition against what was stored before the transaction.
///
#[doc = include_str!("../../guide/lost/transact.md")]
#[must_use = "a transaction does nothing until it is sent: add `.send().await?`"]
pub struct TransactWrite<'t, T> {
    spec: TransactionSpec<'t>,
    table: PhantomData<fn() -> T>,
}

/// A transaction under construction.
pub(super) struct TransactionSpec<'t> {
    /// The table that the next operation is on.
    db: &'t Handle,
    client: &'t Client,
    format: ItemFormat,
    /// The time that all operations fill in.
    pub(super) now: SystemTime,
    operations: Vec<Operation>,
    /// How many operations were called for; one may take several writes.
    calls: usize,
    /// The error of the first operation that cannot be sent.
    error: Option<Error>,
    sending: Sending,
}

impl<T: DynaTable> Table<T> {
    /// Begins a transaction: up to 100 writes that are applied together or not at all.
    pub fn transact(&self) -> TransactWrite<'_, T> {
        TransactWrite::of(TransactionSpec::new(self.handle()))
    }
}

impl<'t, T> TransactWrite<'t, T> {
    fn of(spec: TransactionSpec<'t>) -> Self {
        Self {
            spec,
            table: PhantomData,
        }
    }
}

impl<'t, T: DynaTable> TransactWrite<'t, T> {
    /// Goes on with another table of the same account and region: what follows is written there. The client of the first
    /// table sends it all.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable, Table};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "logs", pk = "pk"), pk = "LOG#<id>")]
    /// # struct Log { id: String }
    /// # async fn run(users: Table<User>, logs: Table<Log>, user: User, log: Log) -> dyna_runtime::Result<()> {
    /// users.transact().create(&user).on(&logs).put(&log).send().await?;
    /// # Ok(()) }
    /// ```
    pub fn on<U: DynaTable>(self, db: &'t Table<U>) -> TransactWrite<'t, U> {
        let db = db.handle();
        TransactWrite::of(TransactionSpec { db, ..self.spec })
    }

    /// Writes an entity, whether there is an item with its key or not; or makes a put that has a condition, such as
    /// `user.replace()`, `user.put().when(..)` or `lock.create().or_expired()`.
    pub fn put<'e, P: IntoPut<'e>>(self, put: P) -> Self
    where
        T: HasEntity<P::Entity>,
    {
        let write = put.into_put().write(self.spec.now);
        self.push(write)
    }

    /// Writes an entity that must be new: fails if there is an item with its key.
    pub fn create<E: Entity>(self, entity: &E) -> Self
    where
        T: HasEntity<E>,
    {
        let write = Put::create(entity).write(self.spec.now);
        self.push(write)
    }

    /// Changes some fields of an item.
    pub fn update<E: Entity, R: NotReturning<E>, M>(self, update: Update<E, R, M>) -> Self
    where
        T: HasEntity<E>,
    {
        let write = update.write(self.spec.now);
        self.push(write)
    }

    /// Deletes an item.
    pub fn delete<E: Entity, R: NotReturning<E>>(self, delete: Delete<E, R>) -> Self
    where
        T: HasEntity<E>,
    {
        let write = delete.write(self.spec.now);
        self.push(write)
    }

    /// Writes nothing, and fails unless the condition holds.
    pub fn check<E: Entity, C: HasCondition>(self, check: ConditionCheck<E, C>) -> Self
    where
        T: HasEntity<E>,
    {
        self.push(check.write())
    }

    /// Changes the primary key of an item. It is two operations: that of the old item, and that of the new one.
    pub fn rekey<E: Entity>(mut self, moved: Rekey<'_, E>) -> Self
    where
        T: HasEntity<E>,
    {
        let writes = moved.writes(self.spec.now);
        self.spec.push_all(writes);
        self
    }

    /// Fixes the time that the operations fill in: `created_at`, `updated_at`, a TTL from a duration, and what has expired. Without it,
    /// that is the time at which the transaction was begun. Call it before the first operation.
    ///
    /// The same transaction with the same [token](Self::token) is then the same request, whenever it is sent.
    pub fn at(mut self, time: impl Into<SystemTime>) -> Self {
        self.spec.set_time(time.into());
        self
    }

    /// Sets the client request token, which DynamoDB remembers for ten minutes: sent again with the same token, it succeeds without writing
    /// again. Of 1 to 36 characters. Without one, each `send` has its own.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # use std::time::SystemTime;
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "orders", pk = "pk"), pk = "ORDER#<id>")]
    /// # struct Order {
    /// #     id: String,
    /// #     #[dyna(created_at)]
    /// #     created: u64,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let db = Order::embedded().await?;
    /// # let (order, received) = (Order { id: "1".to_owned(), created: 0 }, SystemTime::now());
    /// // `received` came with the order, so that every try has the same.
    /// let buy = || db.transact().at(received).create(&order).token("order-1");
    /// buy().send().await?;
    /// buy().send().await?; // no error, and no second write
    /// # Ok(()) }
    /// ```
    ///
    /// DynamoDB compares what is sent: where Dyna fills in a time, fix it with [`at`](Self::at). Otherwise the second request is
    /// another one, and fails with the code `IdempotentParameterMismatchException` without writing.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.spec.set_token(token.into());
        self
    }

    /// The number of retries, with backoff, if the only reasons are conflicts with other writes or throttling:
    /// 3 times if this is not called. Conditions are checked anew each time.
    pub fn retries(mut self, retries: u32) -> Self {
        self.spec.sending.retries = retries;
        self
    }

    fn push(mut self, write: Result<Write>) -> Self {
        self.spec.push(write);
        self
    }

    /// Applies all writes, or none. Without an operation, no request is sent.
    pub fn send(self) -> ResponseFuture<'t, ()> {
        self.spec.send()
    }

    /// The request, without sending it: each operation under its number.
    pub fn explain(&self) -> Explain {
        explain_transaction(&self.spec.operations, self.spec.error.as_ref())
    }
}

impl<'t> TransactionSpec<'t> {
    pub(super) fn new(db: &'t Handle) -> Self {
        Self {
            db,
            client: db.client(),
            format: db.format(),
            now: db.now(),
            operations: Vec::new(),
            calls: 0,
            error: None,
            sending: Sending::default(),
        }
    }

    fn set_time(&mut self, time: SystemTime) {
        if self.calls > 0 {
            self.refuse(
                "call `at(..)` before the first operation: operations added earlier already have their time",
            );
        } else {
            self.now = time;
        }
    }

    fn set_token(&mut self, token: String) {
        match token.chars().count() {
            1..=36 => self.sending.token = Some(token),
            0 => self.refuse("its token is empty; DynamoDB allows 1 to 36 characters"),
            _ => self.refuse("its token is too long; DynamoDB allows 1 to 36 characters"),
        }
    }

    fn refuse(&mut self, problem: &'static str) {
        self.error.get_or_insert(Error::Transaction { problem });
    }

    fn push(&mut self, write: Result<Write>) {
        if self.error.is_none() {
            match self.operations_of(write) {
                Ok(operations) => self.operations.extend(operations),
                Err(error) => self.error = Some(error),
            }
        }
        self.calls += 1;
    }

    /// Several operations, of one call each.
    pub(super) fn push_all(&mut self, writes: Result<Vec<Write>>) {
        match writes {
            Ok(writes) => writes.into_iter().for_each(|write| self.push(Ok(write))),
            Err(error) => self.push(Err(error)),
        }
    }

    fn operations_of(&self, write: Result<Write>) -> Result<Vec<Operation>> {
        let write = write?.judged_by(self.db.entities());
        Ok(Operation::all(self.db.name()?, write, self.calls))
    }

    pub(super) fn send(self) -> ResponseFuture<'t, ()> {
        Box::pin(async move {
            match self.error {
                Some(error) => Err(error),
                None => send(self.client, self.format, self.operations, self.sending).await,
            }
        })
    }
}

/// Without the items, which may be personal data.
impl<T> std::fmt::Debug for TransactWrite<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Transact({} operations)", self.spec.calls)
    }
}
