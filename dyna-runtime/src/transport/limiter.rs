//! A limit on the capacity that a request consumes per second: a token bucket, fed by what DynamoDB says that each response consumed.
//!
//! A call takes what calls before it have consumed on average, waits until the bucket has as much, and settles the difference when its
//! response is there. So the rate holds on average, whatever a single call turns out to consume.

use crate::transport::backoff::SleepProbe;
use crate::transport::capacity;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

/// The longest sleep: what other calls give back is there for those that wait.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);
/// An adaptive limit does not fall below this part of what was asked for.
const LEAST_SHARE: f64 = 1.0 / 64.0;
/// How long an adaptive limit takes from nothing to what was asked for.
const RECOVERY: f64 = 30.0;
/// Throttled calls within this time are one reason to slow down.
const ONE_EVENT: f64 = 0.5;

/// Read capacity units per second: [`rcu`]. Requests that are given clones of one limit share it.
#[derive(Debug, Clone)]
pub struct ReadLimit(pub(crate) Limiter);

/// Write capacity units per second: [`wcu`]. Requests that are given clones of one limit share it.
#[derive(Debug, Clone)]
pub struct WriteLimit(pub(crate) Limiter);

/// A limit of so many read capacity units per second, for `at_most` of queries, scans and batches of reads.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable, rcu};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
/// # async fn run(db: &dyna_runtime::Table<User>) -> dyna_runtime::Result<()> {
/// let users = User::scan().segments(4).at_most(rcu(50)).all(db).await?; // all four segments together
/// # Ok(()) }
/// ```
///
/// The rate holds on average: one response may consume more than a second's worth, and the next call waits for it. Waiting is done with the
/// client's own sleep; a client without one does not wait.
pub fn rcu(units: u32) -> ReadLimit {
    ReadLimit(Limiter::new(units))
}

/// A limit of so many write capacity units per second, for `at_most` of a batch of writes. See [`rcu`].
pub fn wcu(units: u32) -> WriteLimit {
    WriteLimit(Limiter::new(units))
}

macro_rules! limits {
    ($($type:ident)*) => {$(
        impl $type {
            /// Halves the rate whenever DynamoDB throttles, and lets it grow back to what was asked for within 30 seconds.
            pub fn adaptive(self) -> Self {
                self.0.lock().adaptive = true;
                self
            }

            /// The units per second that requests may consume now: fewer than asked for, if the limit is [adaptive](Self::adaptive)
            /// and DynamoDB throttled requests.
            pub fn units_per_second(&self) -> f64 {
                self.0.lock().rate
            }
        }
    )*};
}

limits!(ReadLimit WriteLimit);

/// The bucket that calls share.
#[derive(Debug, Clone)]
pub(crate) struct Limiter {
    bucket: Arc<Mutex<Bucket>>,
    clock: SleepProbe,
}

#[derive(Debug)]
struct Bucket {
    /// Units per second that were asked for.
    most: f64,
    /// Units per second now.
    rate: f64,
    adaptive: bool,
    /// Units that may be consumed now; less than none after a call that consumed more than there was.
    tokens: f64,
    /// What a call consumes, as far as is known.
    expected: f64,
    /// Whether no call has shown it yet.
    is_first: bool,
    /// Seconds by the client's clock, when the bucket was filled last. Time never goes back; nothing before a call brings the clock.
    now: Option<f64>,
    /// When the rate was lowered last.
    slowed: Option<f64>,
}

impl Bucket {
    fn fill(&mut self, now: f64) {
        let before = self.now.unwrap_or(now);
        let passed = (now - before).max(0.0);
        self.now = Some(before.max(now));
        self.tokens = (self.tokens + passed * self.rate).min(self.most);
        if self.adaptive {
            self.rate = (self.rate + passed * self.most / RECOVERY).min(self.most);
        }
    }

    fn slow_down(&mut self) {
        let is_same = |slowed: f64| self.now.is_some_and(|now| now - slowed < ONE_EVENT);
        if self.adaptive && !self.slowed.is_some_and(is_same) {
            self.slowed = self.now;
            self.rate = (self.rate / 2.0).max(self.most * LEAST_SHARE);
            self.tokens = self.tokens.min(0.0);
        }
    }
}

impl Limiter {
    fn new(units: u32) -> Self {
        let most = f64::from(units.max(1));
        Self {
            bucket: Arc::new(Mutex::new(Bucket {
                most,
                rate: most,
                adaptive: false,
                tokens: most,
                // The first call goes alone, and shows what one consumes.
                expected: most,
                is_first: true,
                now: None,
                slowed: None,
            })),
            clock: SleepProbe::default(),
        }
    }

    /// Waits until another call may be made, if there is a limit.
    pub(crate) async fn acquire(limiter: Option<&Self>) -> Option<Reservation> {
        match limiter {
            Some(limiter) => limiter.wait().await,
            None => None,
        }
    }

    async fn wait(&self) -> Option<Reservation> {
        loop {
            let (start, wait) = {
                let mut bucket = self.filled();
                let units = bucket.expected.min(bucket.most);
                let missing = units - bucket.tokens;
                if missing <= 0.0 {
                    bucket.tokens -= units;
                    let limiter = self.clone();
                    return Some(Reservation { limiter, units });
                }
                (bucket.now, missing / bucket.rate)
            };
            let wait = Duration::from_secs_f64(wait.clamp(0.001, 1.0)).min(LONGEST_SLEEP);
            // A client without a clock cannot wait.
            if !self.clock.sleep(wait).await {
                return None;
            }
            // A clock that stands still does not keep it waiting for ever.
            let start = start.unwrap_or_default();
            self.lock().fill(start + wait.as_secs_f64());
        }
    }

    /// By which clock it waits, for the calls to bring it.
    pub(crate) fn clock(&self) -> SleepProbe {
        self.clock.clone()
    }

    /// Takes what an attempt consumed from the bucket.
    pub(crate) fn attempted(&self, response: &HttpResponse) {
        let mut bucket = self.filled();
        if capacity::is_throttled(response) {
            bucket.slow_down();
        } else if response.status().is_success() {
            let units = capacity::consumed_units(response).unwrap_or(bucket.expected);
            bucket.tokens -= units;
            bucket.expected = if bucket.is_first {
                units
            } else {
                bucket.expected * 0.7 + units * 0.3
            };
            bucket.is_first = false;
        }
    }

    /// DynamoDB left something undone.
    pub(crate) fn left_undone(&self) {
        self.filled().slow_down();
    }

    fn filled(&self) -> MutexGuard<'_, Bucket> {
        let time = self.clock.time();
        let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut bucket = self.lock();
        if let Some(since) = since {
            bucket.fill(since.as_secs_f64());
        }
        bucket
    }

    fn lock(&self) -> MutexGuard<'_, Bucket> {
        // Nothing panics while it is locked.
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call that is under way is expected to consume. It is given back when the call ends: what it did consume was taken by then.
pub(crate) struct Reservation {
    limiter: Limiter,
    units: f64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut bucket = self.limiter.lock();
        bucket.tokens = (bucket.tokens + self.units).min(bucket.most);
    }
}
