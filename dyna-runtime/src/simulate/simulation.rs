//! A simulation: one server, and any number of clients.

use super::client;
use super::clock::{ClientClock, VirtualTime};
use super::connector::{Connector, seed_of};
use super::fault::Fault;
use super::faults::Faults;
use super::record::{AppliedWrite, Record};
use super::server::{Server, outcome};
use super::trace::{Attempt, Trace};
use crate::admin::create_or_verify;
use crate::error::Result;
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Builder;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// A table in the embedded engine, behind a network with a seeded schedule of faults. See the [module](super).
///
/// Clones are the same simulation. If the test panics, its seed and the end of its trace are printed to the standard error output.
pub struct Simulation<T> {
    core: Arc<Core>,
    tables: PhantomData<fn() -> T>,
}

/// What all clients share.
pub(super) struct Core {
    pub(super) seed: u64,
    pub(super) time: VirtualTime,
    faults: Faults,
    server: Mutex<Server>,
    trace: Mutex<Trace>,
    clients: AtomicU64,
}

impl<T: DynaTable> Simulation<T> {
    /// A simulation with these faults, in which the table is created. `Chat::simulated(seed)` is the same with [`Faults::default`].
    ///
    /// Fails outside of a tokio runtime whose time is paused: `#[tokio::test(start_paused = true)]`.
    pub async fn new(seed: u64, faults: Faults) -> Result<Self> {
        let time = VirtualTime::begin()?;
        fastrand::seed(seed_of(&[seed]));
        let server = Mutex::new(Server::new(time, faults.longest_lag())?);
        let core = Core {
            seed,
            time,
            faults,
            server,
            trace: Mutex::default(),
            clients: AtomicU64::new(1),
        };
        Self::create(Arc::new(core)).await
    }

    /// The same simulation, with another table in it.
    pub async fn with_table<U: DynaTable>(&self) -> Result<Simulation<U>> {
        Simulation::create(self.core.clone()).await
    }

    async fn create(core: Arc<Core>) -> Result<Self> {
        let simulation = Self {
            core,
            tables: PhantomData,
        };
        // What it takes to create a table is not what is simulated.
        let connector = Connector {
            is_traced: false,
            ..simulation.connector(0, None)
        };
        let table = Self::open(connector, |config| config);
        create_or_verify(table.client(), Table::<T>::SCHEMA, table.name()?).await?;
        Ok(simulation)
    }

    /// The table through a client of its own, to whose requests faults happen. Each call is another client, as of another process: with its
    /// own clock, its own quota of retries and its own part of the schedule, which depends on the number of the client alone.
    pub fn client(&self) -> Table<T> {
        self.client_with(|config| config)
    }

    /// As [`client`](Self::client), with changes to its configuration: other retries, or timeouts.
    pub fn client_with(&self, change: impl FnOnce(Builder) -> Builder) -> Table<T> {
        let number = self.core.clients.fetch_add(1, Ordering::Relaxed);
        Self::open(
            self.connector(number, Some(self.core.faults.clone())),
            change,
        )
    }

    /// The client with this number, which is new to the server each time. A program that makes its clients by number keeps the schedule of
    /// each when others are left out.
    pub fn numbered_client(&self, number: u64) -> Table<T> {
        let connector = self.connector(number, Some(self.core.faults.clone()));
        Self::open(connector, |config| config)
    }

    /// The table without faults, as a test needs it to prepare and to check. No time passes.
    pub fn direct(&self) -> Table<T> {
        Self::open(self.connector(0, None), |config| config)
    }

    fn connector(&self, client: u64, faults: Option<Faults>) -> Connector {
        Connector {
            core: self.core.clone(),
            client,
            clock: ClientClock::new(self.core.time),
            faults,
            attempts: Arc::default(),
            is_traced: true,
        }
    }

    fn open(connector: Connector, change: impl FnOnce(Builder) -> Builder) -> Table<T> {
        let clock = connector.clock.clone();
        let config = change(client::config(connector));
        Table::open(Client::from_conf(config.build()))
            .with_all_variables("simulated")
            .with_clock(move || clock.read())
    }

    /// Everything that happened until now.
    pub fn trace(&self) -> Trace {
        self.core.settle();
        self.core.trace().clone()
    }

    /// The seed of its schedule.
    pub fn seed(&self) -> u64 {
        self.core.seed
    }

    /// The time of the server. Simulations begin on 2026-01-01.
    pub fn now(&self) -> SystemTime {
        self.core.time.now()
    }

    /// Lets virtual time pass.
    pub async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    /// From now on, keeps every write that is applied.
    #[doc(hidden)]
    pub fn record_writes(&self) -> Result<()> {
        let table = self.direct().name()?.to_owned();
        self.core.server().record = Some(Record::of(table));
        Ok(())
    }

    /// How many writes were applied since [`record_writes`](Self::record_writes).
    #[doc(hidden)]
    pub fn applied_writes(&self) -> usize {
        self.core.settle();
        let server = self.core.server();
        server.record.as_ref().map_or(0, |it| it.writes.len())
    }

    /// The writes that were applied since [`record_writes`](Self::record_writes), in the order of the server.
    #[doc(hidden)]
    pub fn recorded_writes(&self) -> Vec<AppliedWrite> {
        self.core.settle();
        let server = self.core.server();
        let record = server.record.as_ref();
        record.map_or_else(Vec::new, |it| it.writes.clone())
    }

    /// Deletes the items whose TTL has passed by the time of the server, as DynamoDB does at some time. Returns how many.
    pub fn delete_expired(&self) -> Result<usize> {
        self.core.settle();
        Ok(self.core.server().sweep()?)
    }
}

impl Core {
    pub(super) fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets everything arrive that is due.
    pub(super) fn settle(&self) {
        let now = self.time.elapsed();
        while let Some((late, reply)) = self.server().apply_late(now) {
            self.trace().push(Attempt {
                at: late.due,
                client: late.client,
                operation: late.operation,
                fault: Some(Fault::LateArrival),
                outcome: outcome(&reply),
                clock_off_by_ms: None,
            });
        }
    }

    pub(super) fn trace(&self) -> MutexGuard<'_, Trace> {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Simulation<T> {
    fn clone(&self) -> Self {
        Self {
            core: self.core.clone(),
            tables: PhantomData,
        }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seed, attempts) = (self.seed, self.trace().attempts().len());
        write!(f, "Simulation {{ seed: {seed}, attempts: {attempts} }}")
    }
}

impl<T> fmt::Debug for Simulation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.core.fmt(f)
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let tail = self.trace().tail(20);
            eprintln!("failed with {self:?}; its last attempts:\n{tail}");
        }
    }
}
