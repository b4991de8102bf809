//! Pages in both directions, over one partition and over several.

mod backward;
mod each;
mod flight;
mod scans;

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use jiff::civil::Date;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "paging",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(by_n, pk = "gsi1pk", sk = number("n"))
)]
enum Bank {
    Payment(Payment),
    Fee(Fee),
    Order(Order),
}

/// A partition for each month of a user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Bank,
    pk = "USER#<user>#<at:%Y-%m>",
    sk = "PAY#<at>#<id>",
    by_n(as = by_colour, pk = "COLOUR#<colour>", sk = "<n>"),
)]
struct Payment {
    user: String,
    at: Date,
    id: String,
    colour: String,
    n: i64,
    wanted: bool,
}

/// Stands between the payments, so that queries of payments have to leave it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "USER#<user>#<at:%Y-%m>", sk = "PAY#<at>#<id>#FEE")]
struct Fee {
    user: String,
    at: Date,
    id: String,
}

/// All of a month.
#[derive(Debug, Clone, PartialEq, DynaCollection)]
enum Month {
    Payment(Payment),
    Fee(Fee),
}

/// A month without its payments.
#[derive(Debug, Clone, PartialEq, DynaCollection)]
enum Fees {
    Fee(Fee),
}

/// Spread over four partitions, with the newest in each of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "ORDERS#<shop>#<id|shard(4)>", sk = "<at:06>#<id>")]
struct Order {
    shop: String,
    at: u32,
    id: String,
}

async fn bank() -> (Embedded, Table<Bank>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::embedded_in(&engine).await.unwrap();
    (engine, db)
}

/// Payments of three months, about a third of them with a fee.
fn payments() -> impl Strategy<Value = Vec<Payment>> {
    let payment = (
        1..=3_i8,
        1..=4_i8,
        0..5_u8,
        0..3_u8,
        -3..3_i64,
        any::<bool>(),
    );
    let payment = payment.prop_map(|(month, day, id, colour, n, wanted)| Payment {
        user: "ann".to_owned(),
        at: jiff::civil::date(2025, month, day),
        id: id.to_string(),
        colour: colour.to_string(),
        n,
        wanted,
    });
    prop::collection::vec(payment, 0..30).prop_map(|mut payments| {
        payments.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        payments.dedup_by(|a, b| (a.at, &a.id) == (b.at, &b.id));
        payments
    })
}

/// The fee of a payment, if it has one.
fn fee(payment: &Payment) -> Option<Fee> {
    let Payment { user, at, id, .. } = payment.clone();
    (payment.n == 0).then_some(Fee { user, at, id })
}

async fn store(db: &Table<Bank>, payments: &[Payment]) {
    for payment in payments {
        payment.create().send(db).await.unwrap();
        if let Some(fee) = fee(payment) {
            fee.create().send(db).await.unwrap();
        }
    }
}

/// The engine needs a runtime of its own in a property test.
fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// A step from page to page: forward or back, and how many items then.
fn moves() -> impl Strategy<Value = Vec<(bool, usize)>> {
    prop::collection::vec((prop::bool::weighted(0.6), 1..6_usize), 1..12)
}

/// Goes from page to page, and holds that each is what comes right after or before the one it comes from.
macro_rules! walk {
    ($query:expr, $db:expr, $whole:expr, $moves:expr) => {{
        let whole: &[_] = $whole;
        let (mut low, mut high) = (0, 0);
        let (mut prev, mut next) = (None, None);
        for (n, (forward, limit)) in $moves.iter().copied().enumerate() {
            let page = if n == 0 {
                high = limit.min(whole.len());
                $query.limit(limit).send($db).await.unwrap()
            } else if forward {
                let Some(cursor) = next.take() else {
                    assert_eq!(high, whole.len(), "there is more, and no cursor for it");
                    break;
                };
                (low, high) = (high, (high + limit).min(whole.len()));
                $query
                    .limit(limit)
                    .after(Some(cursor))
                    .send($db)
                    .await
                    .unwrap()
            } else {
                let Some(cursor) = prev.take() else {
                    assert_eq!(low, 0, "there is something before, and no cursor for it");
                    break;
                };
                (low, high) = (low.saturating_sub(limit), low);
                $query
                    .limit(limit)
                    .before(Some(cursor))
                    .send($db)
                    .await
                    .unwrap()
            };
            assert_eq!(page.items, whole[low..high]);
            (prev, next) = (page.prev, page.next);
        }
    }};
}
use walk;

/// All pages forward, and from the last one all pages back; and how many items lie before that last one.
macro_rules! there_and_back {
    ($query:expr, $db:expr) => {{
        let (mut there, mut back) = (Vec::new(), Vec::new());
        let mut page = $query.send($db).await.unwrap();
        let before_last = loop {
            let before = there.len();
            there.extend(page.items);
            let Some(next) = page.next else { break before };
            page = $query.after(next).send($db).await.unwrap();
        };
        let mut prev = page.prev;
        while let Some(cursor) = prev {
            let page = $query.before(cursor).send($db).await.unwrap();
            back.splice(0..0, page.items);
            prev = page.prev;
        }
        (there, back, before_last)
    }};
}
use there_and_back;
