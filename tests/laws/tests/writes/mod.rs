//! What writes fill in and hold: unique values, versions, times, transactions, and the arguments that updates take.

mod arguments;
mod clock;
mod defaults;
mod expiry;
mod or_expired;
mod outside;
mod transactions;
mod unique_law;
mod unique_numbers;
mod unique_ttl;
mod versions;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::managed::TtlField;
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Table};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "writes",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    ttl = "ttl",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk", sk = "gsi2sk")
)]
enum Venue {
    Seat(Seat),
    Lease(Lease),
    Grant(Grant),
    Price(Price),
    Level(Level),
    Small(Small),
    Big(Big),
    Signed(Signed),
    Session(Session),
    Pass(Pass),
    Visit(Visit),
    Mailbox(Mailbox),
    Wallet(Wallet),
}

/// Unique values, and an instant of expiry beside the table's attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "SEAT#<id>", sk = "SEAT")]
struct Seat {
    id: String,
    #[dyna(unique)]
    code: String,
    #[dyna(unique)]
    row: Option<u64>,
    #[dyna(ttl)]
    ends: Option<Timestamp>,
    note: String,
}

/// The field is the table's TTL attribute itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "LEASE#<id>", sk = "LEASE")]
struct Lease {
    id: String,
    #[dyna(unique)]
    host: String,
    #[dyna(ttl)]
    ttl: Option<u64>,
    #[dyna(version)]
    version: u32,
}

/// Expires so long after the write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "GRANT#<id>", sk = "GRANT")]
struct Grant {
    id: String,
    #[dyna(unique)]
    code: String,
    #[dyna(unique)]
    holder: String,
    #[dyna(ttl)]
    lasts: Duration,
    note: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "PRICE#<id>", sk = "PRICE")]
struct Price {
    id: String,
    #[dyna(unique)]
    #[serde(with = "dyna_runtime::serde::decimal")]
    amount: Decimal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "LEVEL#<id>", sk = "LEVEL")]
struct Level {
    id: String,
    #[dyna(unique)]
    height: f64,
}

macro_rules! versioned {
    ($name:ident, $type:ty, $pk:literal) => {
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
        #[dyna(table = Venue, pk = $pk, sk = "V")]
        struct $name {
            id: String,
            n: u32,
            #[dyna(version)]
            version: $type,
        }

        impl $name {
            fn at(version: $type) -> Self {
                Self {
                    id: "a".to_owned(),
                    n: 0,
                    version,
                }
            }
        }
    };
}

versioned!(Small, u32, "SMALL#<id>");
versioned!(Big, u64, "BIG#<id>");
versioned!(Signed, i64, "SIGNED#<id>");

/// Everything that is filled in, and no unique value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "SESSION#<id>", sk = "SESSION")]
struct Session {
    id: String,
    hits: u32,
    #[dyna(ttl)]
    ends: Option<Timestamp>,
    #[dyna(version)]
    version: u32,
    #[dyna(created_at)]
    created: u64,
    #[dyna(updated_at)]
    updated: u64,
}

/// The field is the table's TTL attribute, and always there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "PASS#<id>", sk = "PASS")]
struct Pass {
    id: String,
    #[dyna(ttl)]
    ttl: u64,
}

/// The instant of expiry is inside of a struct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "VISIT#<id>", sk = "VISIT")]
struct Visit {
    id: String,
    #[dyna(unique)]
    badge: String,
    #[dyna(ttl)]
    span: Span,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Span {
    from: u64,
    to: u64,
}

impl TtlField for Span {
    fn expires_at(&self, _: SystemTime) -> Option<i64> {
        i64::try_from(self.to).ok()
    }
}

/// A primary key of functions, which does not give its fields back, and indexes that apply the same functions, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Venue,
    pk = "BOX#<address|lower>",
    sk = "<opened:%Y-%m>",
    gsi1(as = by_rank, pk = "RANK#<address|lower>", sk = "<opened:%Y-%m>#<rank:03>#<host|upper>"),
    gsi2(as = by_size, pk = "SIZE#<address>", sk = "<size:05>"),
)]
struct Mailbox {
    address: String,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    opened: Timestamp,
    rank: u8,
    host: String,
    size: u16,
}

/// What `add`, `add_elements` and their opposites change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Venue, pk = "WALLET#<id>", sk = "WALLET")]
struct Wallet {
    id: String,
    #[serde(with = "dyna_runtime::serde::decimal")]
    balance: Decimal,
    #[serde(with = "dyna_runtime::serde::decimal")]
    limit: Option<Decimal>,
    #[serde(with = "as_text")]
    text: Decimal,
    #[serde(
        with = "dyna_runtime::serde::string_set",
        default,
        skip_serializing_if = "BTreeSet::is_empty"
    )]
    tags: BTreeSet<String>,
    #[serde(
        with = "dyna_runtime::serde::number_set",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    days: Option<HashSet<u16>>,
    #[serde(
        with = "dyna_runtime::serde::binary_set",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    hashes: Vec<Vec<u8>>,
}

/// A decimal as text, as its own serde has it.
mod as_text {
    use rust_decimal::Decimal;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(value: &Decimal, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// A clock that a test sets, in seconds.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::Relaxed);
    }
}

fn time(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

/// An empty table whose clock says 1000.
async fn db() -> (Table<Venue>, Clock) {
    let clock = Clock::default();
    clock.set(1_000);
    let told = clock.clone();
    let db = Venue::embedded().await.unwrap();
    let now = move || time(told.0.load(Ordering::Relaxed));
    (db.with_clock(now), clock)
}

type Raw = HashMap<String, AttributeValue>;

/// All items as they are stored, by partition key.
async fn raw(db: &Table<Venue>) -> BTreeMap<String, Raw> {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let items = scan.send().await.unwrap().items.unwrap();
    let items = items.into_iter();
    items
        .map(|item| (item["pk"].as_s().unwrap().clone(), item))
        .collect()
}

/// The TTL attribute of every item.
async fn ttls(db: &Table<Venue>) -> BTreeMap<String, Option<u64>> {
    let ttl = |item: &Raw| Some(item.get("ttl")?.as_n().unwrap().parse().unwrap());
    let items = raw(db).await;
    items
        .iter()
        .map(|(pk, item)| (pk.clone(), ttl(item)))
        .collect()
}

/// The partition keys of the sentinels.
async fn sentinels(db: &Table<Venue>) -> Vec<String> {
    let keys = raw(db).await.into_keys();
    keys.filter(|pk| pk.starts_with("UNIQUE#")).collect()
}

/// Deletes an item as DynamoDB does when its TTL has passed: without a condition, and nothing else with it.
async fn reap(db: &Table<Venue>, pk: &str) {
    let item = raw(db).await.remove(pk).unwrap();
    let delete = db.client().delete_item().table_name(db.name().unwrap());
    let delete = delete
        .key("pk", item["pk"].clone())
        .key("sk", item["sk"].clone());
    delete.send().await.unwrap();
}
