//! How often each fault happens.

use super::fault::Fault;
use super::replica::is_of_items;
use fastrand::Rng;
use std::time::Duration;

/// How often each kind of fault happens, as a part of the attempts that it can happen to: `0.1` is one in ten.
///
/// One attempt has at most one fault. If the rates of those that can happen to it are over 1 in total, some attempt has one always.
///
/// ```
/// use dyna_runtime::simulate::Faults;
/// use std::time::Duration;
///
/// let some = Faults::none().lost_responses(0.1).throttles(0.05);
/// let all = Faults::evenly(0.2);
/// let stale = Faults::none().stale_indexes(0.5, Duration::from_secs(2));
/// # assert!(some != all && all != stale);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    /// In total, for the faults without a rate of their own.
    even: f64,
    rates: Vec<(Fault, f64)>,
    /// How often the clock of a client jumps, and how far it is off then.
    jumps: (f64, Duration),
    stale_indexes: (f64, Duration),
    stale_reads: (f64, Duration),
}

/// The faults that are chosen by rate. A stale read is no failure, and has rates of its own.
const BY_RATE: [Fault; 12] = [
    Fault::Reset,
    Fault::LateArrival,
    Fault::LostResponse,
    Fault::TruncatedResponse,
    Fault::SlowResponse,
    Fault::InternalError,
    Fault::Unavailable,
    Fault::Throttled,
    Fault::TransactionConflict,
    Fault::TransactionInProgress,
    Fault::PartialBatch,
    Fault::ExpiredCredentials,
];

impl Default for Faults {
    /// One attempt in ten has a fault, one clock in a hundred attempts jumps by up to a minute, and every third read of a global index that is
    /// not consistent is up to a second old.
    fn default() -> Self {
        Self::evenly(0.1)
            .clock_jumps(0.01, Duration::from_mins(1))
            .stale_indexes(0.3, Duration::from_secs(1))
    }
}

impl Faults {
    /// No fault at all.
    pub fn none() -> Self {
        Self {
            even: 0.0,
            rates: Vec::new(),
            jumps: (0.0, Duration::ZERO),
            stale_indexes: (0.0, Duration::ZERO),
            stale_reads: (0.0, Duration::ZERO),
        }
    }

    /// Every fault but stale reads and clock jumps: this rate in total, in equal parts for those that can happen to an operation.
    pub fn evenly(rate: f64) -> Self {
        Self {
            even: rate,
            ..Self::none()
        }
    }

    /// Connections that are reset before the request arrives.
    pub fn resets(self, rate: f64) -> Self {
        self.with(Fault::Reset, rate)
    }

    /// Writes whose connection is reset, and that arrive at the server up to five seconds later.
    pub fn late_arrivals(self, rate: f64) -> Self {
        self.with(Fault::LateArrival, rate)
    }

    /// Requests that are applied, and whose responses are lost.
    pub fn lost_responses(self, rate: f64) -> Self {
        self.with(Fault::LostResponse, rate)
    }

    /// Requests that are applied, and whose responses end within their body.
    pub fn truncated_responses(self, rate: f64) -> Self {
        self.with(Fault::TruncatedResponse, rate)
    }

    /// Requests that are applied, and whose responses take up to three seconds, where a client waits for one.
    pub fn slow_responses(self, rate: f64) -> Self {
        self.with(Fault::SlowResponse, rate)
    }

    /// Errors of the server with status 500 and 503, half of the rate each. Every other one is applied.
    pub fn server_errors(self, rate: f64) -> Self {
        self.with(Fault::InternalError, rate / 2.0)
            .with(Fault::Unavailable, rate / 2.0)
    }

    /// Requests that are throttled.
    pub fn throttles(self, rate: f64) -> Self {
        self.with(Fault::Throttled, rate)
    }

    /// Transactions and single writes that conflict with another transaction.
    pub fn transaction_conflicts(self, rate: f64) -> Self {
        self.with(Fault::TransactionConflict, rate)
    }

    /// Transactions whose token is in use by an attempt that is still under way.
    pub fn transactions_in_progress(self, rate: f64) -> Self {
        self.with(Fault::TransactionInProgress, rate)
    }

    /// Batches of which some items come back as unprocessed.
    pub fn partial_batches(self, rate: f64) -> Self {
        self.with(Fault::PartialBatch, rate)
    }

    /// Requests that are refused because the credentials have expired.
    pub fn expired_credentials(self, rate: f64) -> Self {
        self.with(Fault::ExpiredCredentials, rate)
    }

    /// The clock of a client jumps, and is off by up to this much in either direction until it jumps again.
    pub fn clock_jumps(mut self, rate: f64, up_to: Duration) -> Self {
        self.jumps = (rate, up_to);
        self
    }

    /// Reads of an index that are not consistent return what it held up to this long ago.
    pub fn stale_indexes(mut self, rate: f64, up_to: Duration) -> Self {
        self.stale_indexes = (rate, up_to);
        self
    }

    /// Reads of the table that are not consistent return what it held up to this long ago.
    pub fn stale_reads(mut self, rate: f64, up_to: Duration) -> Self {
        self.stale_reads = (rate, up_to);
        self
    }

    /// This fault at this rate, instead of the rate that it had.
    pub fn with(mut self, fault: Fault, rate: f64) -> Self {
        self.rates.retain(|(other, _)| *other != fault);
        self.rates.push((fault, rate));
        // The order of calls makes no difference.
        self.rates.sort_unstable_by_key(|(fault, _)| *fault);
        self
    }

    /// The fault of an attempt, if it can happen to the operation.
    pub(super) fn choose(&self, rng: &mut Rng, operation: &str) -> Option<Fault> {
        let possible = BY_RATE.into_iter();
        let possible: Vec<Fault> = possible
            .filter(|fault| can_happen_to(*fault, operation))
            .collect();
        let even = self.even / f64::from(u32::try_from(possible.len()).unwrap_or(u32::MAX));
        let mut left = rng.f64();
        for fault in possible {
            let own = self.rates.iter().find(|(other, _)| *other == fault);
            let rate = own.map_or(even, |(_, rate)| *rate);
            if left < rate {
                return Some(fault);
            }
            left -= rate;
        }
        None
    }

    /// How far the clock of the client is off from now on, if it jumps.
    pub(super) fn choose_jump(&self, rng: &mut Rng) -> Option<i64> {
        let (rate, up_to) = self.jumps;
        let jumps = rng.f64() < rate;
        let most = i64::try_from(up_to.as_millis()).unwrap_or(i64::MAX / 2);
        let by = rng.i64(-most..=most);
        jumps.then_some(by)
    }

    /// How old the state is that a read returns.
    pub(super) fn choose_lag(&self, rng: &mut Rng, is_of_index: bool) -> Option<Duration> {
        let (rate, up_to) = if is_of_index {
            self.stale_indexes
        } else {
            self.stale_reads
        };
        let is_stale = rng.f64() < rate;
        let lag = up_to.mul_f64(rng.f64());
        is_stale.then_some(lag)
    }

    /// The oldest state that a read may return.
    pub(super) fn longest_lag(&self) -> Option<Duration> {
        let stale = [self.stale_indexes, self.stale_reads];
        let stale = stale.into_iter().filter(|(rate, _)| *rate > 0.0);
        stale.map(|(_, up_to)| up_to).max()
    }
}

fn can_happen_to(fault: Fault, operation: &str) -> bool {
    match fault {
        Fault::TransactionConflict => matches!(
            operation,
            "TransactWriteItems" | "TransactGetItems" | "PutItem" | "UpdateItem" | "DeleteItem"
        ),
        Fault::TransactionInProgress => operation == "TransactWriteItems",
        Fault::LateArrival => is_of_items(operation),
        Fault::PartialBatch => matches!(operation, "BatchWriteItem" | "BatchGetItem"),
        _ => true,
    }
}
