//! The one form in which the models write times.

use dyna_runtime::KeyPart;
use dyna_runtime::expr::Sorted;
use dyna_runtime::managed::{TimestampField, TtlField};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result};
use std::ops::Add;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// An instant as `toISOString` writes it, `2026-01-07T12:00:00.000Z`: always 24 characters, so that its text sorts by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, KeyPart)]
#[serde(transparent)]
pub struct Time(#[serde(with = "dyna_runtime::serde::rfc3339")] pub Timestamp);

impl Sorted for Time {}

impl TimestampField for Time {
    fn from_time(time: SystemTime) -> Option<Self> {
        Timestamp::from_time(time).map(Self)
    }
}

impl TtlField for Time {
    fn expires_at(&self, now: SystemTime) -> Option<i64> {
        self.0.expires_at(now)
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:.3}", self.0)
    }
}

impl Add<SignedDuration> for Time {
    type Output = Self;

    fn add(self, later: SignedDuration) -> Self {
        Self(self.0 + later)
    }
}

/// What a clock tells. A time before 1970 is its first instant.
impl From<Time> for SystemTime {
    fn from(time: Time) -> Self {
        let millis = u64::try_from(time.0.as_millisecond());
        UNIX_EPOCH + Duration::from_millis(millis.unwrap_or_default())
    }
}
