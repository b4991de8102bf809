//! Types of other crates in keys, each behind its feature.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "time-utc")]
mod time_utc;
#[cfg(feature = "ulid")]
mod ulid;
#[cfg(feature = "uuid")]
mod uuid;
