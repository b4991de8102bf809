//! Ranges over sort keys are exact: against a model of byte-ordered keys, and in the engine among other items.

mod model;
mod paging;
mod stored;

use dyna_runtime::{DynaEntity, DynaTable, Ordered};
use jiff::civil::Date;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::{Bound, RangeBounds};
use ulid::Ulid;

/// Entities that share their partitions, so that each is a neighbour of the others.
#[derive(DynaTable)]
#[dyna(name = "ranges", pk = "pk", sk = "sk")]
enum Log {
    Msg(Msg),
    Sorted(Sorted),
    Titled(Titled),
    Counted(Counted),
    Closed(Closed),
    Dotted(Dotted),
    Balance(Balance),
    Dated(Dated),
    Version(Version),
    Sized(Sized),
    File(File),
}

macro_rules! entities {
    ($($entity:ident, $sk:literal { $($field:ident: $type:ty),* };)*) => {$(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
        #[dyna(table = Log, pk = "C#<c>", sk = $sk)]
        struct $entity {
            c: String,
            $($field: $type,)*
        }
    )*};
}

entities! {
    Msg, "MSG#<t:04>#<id>" { t: u32, id: String };
    Sorted, "ULID#<id>" { id: Ulid };
    Titled, "T#<title>" { title: String };
    Counted, "N#<n:05>" { n: u32 };
    Closed, "END#<n:03>#END" { n: u16 };
    Dotted, "D<n:03>.x" { n: u16 };
    Balance, "B#<v>" { v: Ordered<i16> };
    Dated, "DAY#<day>#<x>" { day: Date, x: String };
    Version, "v<major:03>.<minor:03>" { major: u16, minor: u16 };
    Sized, "LEN#<iso:len=4>#<x>" { iso: String, x: String };
    File, "F#<path..>" { path: String };
}

/// A number key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "events", pk = "room", sk = number("n")), pk = "<room>", sk = "<n>")]
struct Event {
    room: String,
    n: i64,
}

/// A text key without any prefix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "docs", pk = "owner", sk = "name"),
    pk = "<owner>",
    sk = "<name>"
)]
struct Doc {
    owner: String,
    name: String,
}

/// A range as a pair of bounds.
type Ends<T> = (Bound<T>, Bound<T>);

/// All kinds of ranges with ends from the strategy, which should often give the same values.
fn ends<T: Clone + std::fmt::Debug>(
    ends: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Ends<T>> {
    let bound = move || {
        let end = ends.clone();
        (end, 0..3_u8).prop_map(|(end, kind)| match kind {
            0 => Bound::Included(end),
            1 => Bound::Excluded(end),
            _ => Bound::Unbounded,
        })
    };
    (bound(), bound())
}

fn within<T: PartialOrd>(ends: &Ends<T>, value: &T) -> bool {
    ends.contains(value)
}

/// Whether nothing can lie between the ends, whatever the type.
fn nothing_between<T: PartialOrd>((low, high): &Ends<T>) -> bool {
    match (low, high) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (
            Bound::Included(low) | Bound::Excluded(low),
            Bound::Included(high) | Bound::Excluded(high),
        ) => low >= high,
    }
}

/// The query with this range, in Rust's own syntax where it has one.
macro_rules! ranged {
    ($query:expr, $method:ident, $ends:expr) => {{
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let query = $query;
        match $ends {
            (Unbounded, Unbounded) => query.$method(..),
            (Included(low), Unbounded) => query.$method(low..),
            (Unbounded, Excluded(high)) => query.$method(..high),
            (Unbounded, Included(high)) => query.$method(..=high),
            (Included(low), Excluded(high)) => query.$method(low..high),
            (Included(low), Included(high)) => query.$method(low..=high),
            ends => query.$method(ends),
        }
    }};
}
use ranged;

/// Few texts, many of them next to each other in the order of bytes.
fn text() -> BoxedStrategy<String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "a\0",
        "\0",
        "!",
        "$",
        "~",
        "é",
        "\u{D7FF}",
        "\u{E000}",
        "\u{FFFF}",
        "\u{10000}",
        "\u{10FFFE}",
    ]);
    prop::collection::vec(piece, 1..3)
        .prop_map(|pieces| pieces.concat())
        .boxed()
}

/// Text that may contain the delimiter.
fn path() -> BoxedStrategy<String> {
    (
        text(),
        prop_oneof![Just(""), Just("#"), Just("#a"), Just("/b#")],
    )
        .prop_map(|(text, end)| text + end)
        .boxed()
}

fn day() -> BoxedStrategy<Date> {
    let any = (0..=9999_i16, 1..=12_i8, 1..=28_i8);
    let near = (2024..=2025_i16, 12..=12_i8, 1..=5_i8);
    prop_oneof![any, near]
        .prop_map(|(year, month, day)| Date::new(year, month, day).unwrap())
        .boxed()
}

fn signed() -> BoxedStrategy<i64> {
    prop_oneof![-12..12_i64, any::<i64>(), Just(i64::MIN), Just(i64::MAX)].boxed()
}

fn ulid() -> BoxedStrategy<Ulid> {
    prop_oneof![0..12_u128, any::<u128>(), Just(u128::MAX)]
        .prop_map(Ulid)
        .boxed()
}
