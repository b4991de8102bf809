//! One query over several partitions.

use super::{Order, Payment, bank, moves, payments, run, store, there_and_back, walk};
use dyna_runtime::error::CursorError;
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use jiff::civil::{Date, date};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const MONTHS: [i8; 3] = [1, 2, 3];

fn months() -> [(&'static str, Date); 3] {
    MONTHS.map(|month| ("ann", date(2025, month, 1)))
}

#[tokio::test]
async fn prefetch_continues_after_a_fully_filtered_page() {
    let (_, db) = bank().await;
    let payment = |day: i8| Payment {
        user: "ann".to_owned(),
        at: date(2025, 1, day),
        id: "0".to_owned(),
        colour: "0".to_owned(),
        n: 1,
        wanted: day == 1 || day == 5,
    };
    store(&db, &[1, 2, 3, 4, 5].map(payment)).await;
    let wanted = Payment::query_many(months())
        .filter(Payment::WANTED.eq(true))
        .page_size(2)
        .prefetch(2);
    assert_eq!(wanted.all(&db).await.unwrap(), [payment(1), payment(5)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Months merge to the order of the sort keys, whichever way one goes, and however few requests run at once.
    #[test]
    fn months_join_in_both_directions(
        stored in payments(),
        moves in moves(),
        page_size in 1..5_u32,
        concurrency in 1..5_usize,
        descending: bool,
        filtered: bool,
    ) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let mut whole = stored;
            whole.retain(|it| !filtered || it.wanted);
            if descending {
                whole.reverse();
            }
            let query = || {
                let mut query = Payment::query_many(months())
                    .page_size(page_size)
                    .concurrency(concurrency);
                if descending {
                    query = query.descending();
                }
                if filtered {
                    query = query.filter(Payment::WANTED.eq(true));
                }
                query
            };
            assert_eq!(query().all(&db).await.unwrap(), whole);
            assert_eq!(query().prefetch(2).all(&db).await.unwrap(), whole);
            assert_eq!(query().count(&db).await.unwrap(), whole.len());
            assert_eq!(query().first(&db).await.unwrap().as_ref(), whole.first());
            walk!(query(), &db, &whole, moves);
            let (there, back, before_last) = there_and_back!(query(), &db);
            assert_eq!(there, whole);
            assert_eq!(back[..], whole[..before_last]);
        });
    }

    /// In turn, the months come in the order that they are given in.
    #[test]
    fn months_in_turn_join_in_both_directions(stored in payments(), moves in moves()) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let order = [2, 3, 1];
            let partitions = order.map(|month| ("ann", date(2025, month, 9)));
            let query = || Payment::query_many(partitions).sequential();
            let whole: Vec<Payment> = order
                .iter()
                .flat_map(|month| stored.iter().filter(move |it| it.at.month() == *month))
                .cloned()
                .collect();
            assert_eq!(query().all(&db).await.unwrap(), whole);
            walk!(query(), &db, &whole, moves);
        });
    }

    /// The buckets of a shop merge to its orders, whichever way one goes.
    #[test]
    fn buckets_join_in_both_directions(
        at in prop::collection::btree_set(0..60_u32, 0..25),
        moves in moves(),
        page_size in 1..5_u32,
        descending: bool,
    ) {
        run(async {
            let (_, db) = bank().await;
            let order = |at: u32| Order { shop: "s".to_owned(), at, id: format!("o{at}") };
            let mut whole: Vec<Order> = at.into_iter().map(order).collect();
            for order in &whole {
                order.create().send(&db).await.unwrap();
            }
            if descending {
                whole.reverse();
            }
            let query = || {
                let query = Order::query_many(["s"]).page_size(page_size);
                if descending { query.descending() } else { query }
            };
            assert_eq!(query().all(&db).await.unwrap(), whole);
            walk!(query(), &db, &whole, moves);
            let (there, back, before_last) = there_and_back!(query(), &db);
            assert_eq!(there, whole);
            assert_eq!(back[..], whole[..before_last]);
        });
    }

    /// Through an index, by a number, which sorts as one; equal numbers come in the order of the partitions.
    #[test]
    fn colours_merge_by_number(stored in payments(), moves in moves(), descending: bool) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let query = || {
                let query = Payment::by_colour_many(["2", "0", "1"]);
                if descending { query.descending() } else { query }
            };
            let mut expected = Vec::new();
            for colour in ["2", "0", "1"] {
                let one = Payment::by_colour(colour);
                let one = if descending { one.descending() } else { one };
                expected.extend(one.all(&db).await.unwrap());
            }
            expected.sort_by_key(|it| if descending { -it.n } else { it.n });
            assert_eq!(query().all(&db).await.unwrap(), expected);
            walk!(query(), &db, &expected, moves);
        });
    }
}

#[tokio::test]
async fn all_buckets_are_read_without_naming_them() {
    let (engine, db) = bank().await;
    let order = |at: u32| Order {
        shop: "s1".to_owned(),
        at,
        id: format!("o{at}"),
    };
    for at in 0..20 {
        order(at).create().send(&db).await.unwrap();
    }
    let other = Order {
        shop: "s2".to_owned(),
        ..order(7)
    };
    other.create().send(&db).await.unwrap();
    let before = engine.requests();
    let newest = Order::query_many(["s1"]).descending().limit(5);
    let page = newest.clone().send(&db).await.unwrap();
    assert_eq!(page.items, [19, 18, 17, 16, 15].map(order));
    assert_eq!(engine.requests() - before, 4, "one request for each bucket");
    let page = newest.after(page.next).send(&db).await.unwrap();
    assert_eq!(page.items, [14, 13, 12, 11, 10].map(order));
    let some = Order::query_many(["s1", "s2"]).at_range(6..9);
    assert_eq!(
        some.clone().all(&db).await.unwrap(),
        [order(6), order(7), other, order(8)]
    );
    assert_eq!(some.count(&db).await.unwrap(), 4);
    // One order is in one bucket, which its id tells.
    assert_eq!(
        Order::query("s1", "o3").at(3).one(&db).await.unwrap(),
        Some(order(3))
    );
}

#[tokio::test]
async fn a_partition_that_is_given_twice_is_read_once() {
    let (engine, db) = bank().await;
    let stored: Vec<Payment> = (1..=3)
        .map(|day| Payment {
            user: "ann".to_owned(),
            at: date(2025, 1, day),
            id: "x".to_owned(),
            colour: "red".to_owned(),
            n: 1,
            wanted: true,
        })
        .collect();
    store(&db, &stored).await;
    let before = engine.requests();
    let days = (1..=31).map(|day| ("ann", date(2025, 1, day)));
    assert_eq!(Payment::query_many(days).all(&db).await.unwrap(), stored);
    assert_eq!(engine.requests() - before, 1);
}

#[tokio::test]
async fn in_turn_reads_a_partition_when_the_one_before_is_used_up() {
    let (engine, db) = bank().await;
    let stored: Vec<Payment> = MONTHS
        .into_iter()
        .map(|month| Payment {
            user: "ann".to_owned(),
            at: date(2025, month, 1),
            id: "x".to_owned(),
            colour: "red".to_owned(),
            n: 1,
            wanted: true,
        })
        .collect();
    store(&db, &stored).await;
    let before = engine.requests();
    let first = Payment::query_many(months()).sequential().first(&db).await;
    assert_eq!(first.unwrap().as_ref(), stored.first());
    assert_eq!(engine.requests() - before, 1);
}

#[tokio::test]
async fn empty_partition_list_sends_no_request() {
    let (engine, db) = bank().await;
    let before = engine.requests();
    let none = || Payment::query_many(Vec::<(&str, Date)>::new());
    assert_eq!(none().all(&db).await.unwrap(), []);
    let page = none().send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.prev, page.next), (0, None, None));
    assert_eq!(none().count(&db).await.unwrap(), 0);
    assert_eq!(
        none().explain().get("Empty"),
        Some("no request: the list of partitions is empty")
    );
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn one_wrong_partition_refuses_the_query() {
    let (engine, db) = bank().await;
    let before = engine.requests();
    let users = ["ann", "bob#x"].map(|user| (user, date(2025, 1, 1)));
    let error = Payment::query_many(users).all(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Payment: key field `user` contains the delimiter '#'"
    );
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn a_cursor_is_bound_to_the_list_and_to_its_direction() {
    let (engine, db) = bank().await;
    let stored: Vec<Payment> = (1..=9)
        .map(|day| Payment {
            user: "ann".to_owned(),
            at: date(2025, 1 + day % 3, day),
            id: "x".to_owned(),
            colour: "red".to_owned(),
            n: 1,
            wanted: true,
        })
        .collect();
    store(&db, &stored).await;
    let query = || Payment::query_many(months()).limit(2);
    let page = query().send(&db).await.unwrap();
    let page = query().after(page.next).send(&db).await.unwrap();
    let (prev, next) = (page.prev.unwrap(), page.next.unwrap());
    let before = engine.requests();
    let [a, b, c] = months();
    let one = |month: (&'static str, Date)| Payment::query(month.0, month.1);
    for refused in [
        Payment::query_many([a, b]).after(next.clone()),
        Payment::query_many([b, a, c]).after(next.clone()),
        Payment::query_many([a, b, ("bob", c.1)]).after(next.clone()),
        one(a).after(next.clone()),
        query().descending().after(next.clone()),
        query().sequential().after(next.clone()),
        query().before(next.clone()),
        query().after(prev.clone()),
    ] {
        let error = refused.send(&db).await.unwrap_err();
        let source = CursorError::OtherQuery;
        assert!(matches!(error, Error::Cursor { source: found, .. } if found == source));
    }
    assert_eq!(engine.requests(), before);
    assert!(query().after(next).send(&db).await.is_ok());
    assert!(query().before(prev).send(&db).await.is_ok());
}

/// Keys of numbers and of bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "readings", pk = "pk", sk = binary("at")), pk = "S#<sensor>", sk = "<at>")]
struct Reading {
    sensor: u8,
    #[serde(with = "serde_bytes")]
    at: Vec<u8>,
}

#[tokio::test]
async fn bytes_merge_as_unsigned() {
    let db: Table<Reading> = Reading::embedded().await.unwrap();
    let ascending: [&[u8]; 6] = [&[0], &[0, 0], &[1], &[127, 9], &[128], &[255]];
    let readings: Vec<Reading> = ascending
        .iter()
        .enumerate()
        .map(|(n, at)| Reading {
            sensor: u8::try_from(n % 3).unwrap(),
            at: at.to_vec(),
        })
        .collect();
    for reading in readings.iter().rev() {
        reading.put().send(&db).await.unwrap();
    }
    let all = Reading::query_many(0..3_u8);
    assert_eq!(all.clone().all(&db).await.unwrap(), readings);
    let mut back = all.descending().all(&db).await.unwrap();
    back.reverse();
    assert_eq!(back, readings);
}

#[test]
fn query_many_takes_the_arguments_of_query() {
    let (owned, day) = ("ann".to_owned(), date(2025, 1, 1));
    let asked = Payment::query("ann", day).explain();
    let same = |query: dyna_runtime::Explain| assert_eq!(query.to_string(), asked.to_string());
    same(Payment::query_many([("ann", day)]).explain());
    same(Payment::query_many(vec![(owned.clone(), &day)]).explain());
    same(Payment::query_many(std::iter::once((&owned, day))).explain());
}
