//! The kinds of faults.

use std::fmt;

/// What happens to one attempt of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The connection is reset before the request arrives. Not applied.
    Reset,
    /// The connection is reset, and a write arrives at the server up to five seconds later. Applied then, if its condition holds.
    LateArrival,
    /// The request is applied, and the connection is reset before its response arrives.
    LostResponse,
    /// The request is applied, and the connection is reset within the body of its response.
    TruncatedResponse,
    /// The request is applied, and its response takes up to three seconds; the clients of a simulation wait one second for an attempt.
    SlowResponse,
    /// `InternalServerError` with status 500. Applied every other time.
    InternalError,
    /// `ServiceUnavailable` with status 503. Applied every other time.
    Unavailable,
    /// `ProvisionedThroughputExceededException`, `RequestLimitExceeded` or `ThrottlingException`, the first two with throttling reasons, of
    /// the table or an index. A transaction may also be cancelled with the reason `ThrottlingError` or `ProvisionedThroughputExceeded`. Not
    /// applied.
    Throttled,
    /// A transaction is cancelled with the reason `TransactionConflict`; a single write fails with `TransactionConflictException`. Not
    /// applied.
    TransactionConflict,
    /// `TransactionInProgressException` for a transaction with a token. Not applied.
    TransactionInProgress,
    /// DynamoDB returns some of the items of a batch as unprocessed. They are not applied, the others are.
    PartialBatch,
    /// `ExpiredTokenException`. Not applied.
    ExpiredCredentials,
    /// The read returns an older state of the table or the index.
    StaleRead,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reset => "reset",
            Self::LateArrival => "late arrival",
            Self::LostResponse => "lost response",
            Self::TruncatedResponse => "truncated response",
            Self::SlowResponse => "slow response",
            Self::InternalError => "status 500",
            Self::Unavailable => "status 503",
            Self::Throttled => "throttled",
            Self::TransactionConflict => "transaction conflict",
            Self::TransactionInProgress => "transaction in progress",
            Self::PartialBatch => "partial batch",
            Self::ExpiredCredentials => "expired credentials",
            Self::StaleRead => "stale read",
        })
    }
}
