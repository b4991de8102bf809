//! What Dyna keeps by itself: versions, times, expiry and unique values.

mod expiry;
mod law;
mod moved;
mod paths;
mod times;
mod unique;
mod values;
mod versions;

use dyna_runtime::{DynaEntity, DynaTable, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "kept",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    ttl = "ttl",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Office {
    Account(Account),
    Note(Note),
    Session(Session),
    Grant(Grant),
    Lease(Lease),
    User(User),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Office, pk = "ACCOUNT#<id>", sk = "ACCOUNT", gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<plan>"))]
struct Account {
    id: String,
    owner: String,
    plan: String,
    balance: i64,
    #[dyna(version)]
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Office, pk = "NOTE#<id>", sk = "NOTE")]
struct Note {
    id: String,
    text: String,
    #[dyna(created_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    created: Timestamp,
    #[dyna(updated_at)]
    updated: Option<u64>,
}

/// The time of expiry stands beside the field that it follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Office, pk = "SESSION#<id>", sk = "SESSION#<n:03>")]
struct Session {
    id: String,
    n: u16,
    #[dyna(ttl)]
    ends: Option<Timestamp>,
}

/// So long from the time of the write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Office, pk = "GRANT#<id>", sk = "GRANT")]
struct Grant {
    id: String,
    #[dyna(ttl)]
    lasts: Duration,
}

/// The field is the time of expiry itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Office, pk = "LEASE#<id>", sk = "LEASE")]
struct Lease {
    id: String,
    #[dyna(ttl)]
    ttl: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Office, pk = "USER#<id>", sk = "USER", gsi1(as = by_email, pk = "EMAIL#<email..>", sk = "USER"))]
struct User {
    id: String,
    #[dyna(unique)]
    email: String,
    #[dyna(unique)]
    phone: Option<u64>,
    name: String,
}

/// A clock that a test sets, in seconds.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::Relaxed);
    }
}

async fn db() -> (Table<Office>, Clock) {
    let clock = Clock::default();
    clock.set(1_000);
    let told = clock.clone();
    let db = Office::embedded().await.unwrap();
    let now = move || SystemTime::UNIX_EPOCH + Duration::from_secs(told.0.load(Ordering::Relaxed));
    (db.with_clock(now), clock)
}

fn account(id: &str) -> Account {
    Account {
        id: id.to_owned(),
        owner: "ann".to_owned(),
        plan: "free".to_owned(),
        balance: 0,
        version: 0,
    }
}

/// How many items the table holds, of whatever kind.
async fn items(db: &Table<Office>) -> i32 {
    let raw = db.client().scan().table_name(db.name().unwrap());
    raw.send().await.unwrap().count
}
