//! Going back from a page.

use super::{Fees, Month, Payment, bank, fee, moves, payments, run, store, there_and_back, walk};
use dyna_runtime::Error;
use dyna_runtime::error::CursorError;
use jiff::civil::date;
use proptest::prelude::*;

fn january(payments: &[Payment]) -> Vec<Payment> {
    let january = payments.iter().filter(|it| it.at.month() == 1);
    january.cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whichever way one goes, pages join: nothing twice, nothing missing, and as many items as the limit says.
    #[test]
    fn pages_join_in_both_directions(
        stored in payments(),
        moves in moves(),
        page_size in 1..5_u32,
        descending: bool,
        filtered: bool,
    ) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let mut whole = january(&stored);
            whole.retain(|it| !filtered || it.wanted);
            if descending {
                whole.reverse();
            }
            let query = || {
                let mut query = Payment::query("ann", date(2025, 1, 1)).page_size(page_size);
                if descending {
                    query = query.descending();
                }
                if filtered {
                    query = query.filter(Payment::WANTED.eq(true));
                }
                query
            };
            walk!(query(), &db, &whole, moves);
            let (there, back, before_last) = there_and_back!(query(), &db);
            assert_eq!(there, whole);
            assert_eq!(back[..], whole[..before_last]);
        });
    }

    /// The same of collections: of all that is in the partition, and of some of it.
    #[test]
    fn pages_of_a_collection_join_in_both_directions(
        stored in payments(),
        moves in moves(),
        page_size in 1..5_u32,
        descending: bool,
    ) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let mut month = Vec::new();
            for payment in january(&stored) {
                let fee = fee(&payment);
                month.push(Month::Payment(payment));
                month.extend(fee.map(Month::Fee));
            }
            if descending {
                month.reverse();
            }
            let fees: Vec<Fees> = month
                .iter()
                .filter_map(|it| match it {
                    Month::Payment(_) => None,
                    Month::Fee(fee) => Some(Fees::Fee(fee.clone())),
                })
                .collect();
            let partition = || ("ann", date(2025, 1, 1));
            macro_rules! query {
                ($collection:ident) => {{
                    let query = $collection::query(partition()).page_size(page_size);
                    if descending { query.descending() } else { query }
                }};
            }
            assert_eq!(query!(Month).all(&db).await.unwrap(), month);
            walk!(query!(Month), &db, &month, moves);
            walk!(query!(Fees), &db, &fees, moves);
            let (there, back, before_last) = there_and_back!(query!(Fees), &db);
            assert_eq!(there, fees);
            assert_eq!(back[..], fees[..before_last]);
        });
    }

    /// The same through an index, whose keys many items may share, and with a range.
    #[test]
    fn pages_of_an_index_join_in_both_directions(
        stored in payments(),
        moves in moves(),
        low in -3..3_i64,
    ) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let query = || Payment::by_colour("1").n_range(low..);
            // Which of equal keys comes first, only the engine knows.
            let whole = query().all(&db).await.unwrap();
            assert!(whole.is_sorted_by_key(|it| it.n));
            walk!(query(), &db, &whole, moves);
            walk!(query().hydrate(), &db, &whole, moves);
        });
    }
}

fn payment(day: i8) -> Payment {
    Payment {
        user: "ann".to_owned(),
        at: date(2025, 1, day),
        id: "x".to_owned(),
        colour: "red".to_owned(),
        n: day.into(),
        wanted: day % 2 == 0,
    }
}

#[tokio::test]
async fn a_cursor_is_the_place_of_an_item_for_both_directions() {
    let (_, db) = bank().await;
    let all: Vec<Payment> = (1..=6).map(payment).collect();
    store(&db, &all).await;
    let query = || Payment::query("ann", date(2025, 1, 1)).limit(2);
    let first = query().send(&db).await.unwrap();
    assert_eq!((&first.items[..], &first.prev), (&all[..2], &None));
    let second = query().after(first.next.clone()).send(&db).await.unwrap();
    assert_eq!(second.items, all[2..4]);

    // Before the last item of the page, and after its first.
    let before_next = query().before(second.next.clone()).send(&db).await.unwrap();
    assert_eq!(before_next.items, all[1..3]);
    let after_prev = query().after(second.prev.clone()).send(&db).await.unwrap();
    assert_eq!(after_prev.items, all[3..5]);

    // The nearest items before it, in the order of the query.
    let nearest = query()
        .limit(1)
        .before(second.prev.clone())
        .send(&db)
        .await
        .unwrap();
    assert_eq!(nearest.items, all[1..2]);
    let newest = query().descending();
    let page = newest.clone().send(&db).await.unwrap();
    assert_eq!(page.items, [payment(6), payment(5)]);
    let page = newest.clone().after(page.next).send(&db).await.unwrap();
    let page = newest.before(page.prev).send(&db).await.unwrap();
    assert_eq!(page.items, [payment(6), payment(5)]);
}

#[tokio::test]
async fn an_empty_page_leads_back() {
    let (engine, db) = bank().await;
    let all: Vec<Payment> = (1..=4).map(payment).collect();
    store(&db, &all).await;
    let query = || Payment::query("ann", date(2025, 1, 1)).limit(2);
    let delete = |day| Payment::delete("ann", date(2025, 1, day), "x").send(&db);
    let first = query().send(&db).await.unwrap();
    delete(3).await.unwrap();
    delete(4).await.unwrap();
    let page = query().after(first.next).send(&db).await.unwrap();
    assert_eq!((page.items.len(), &page.next), (0, &None));
    let end = page.prev;
    let page = query().before(end.clone()).send(&db).await.unwrap();
    assert_eq!((&page.items[..], &page.next), (&all[..2], &None));

    // What was written since is before the end too; after it there is nothing, and no need to ask.
    payment(5).create().send(&db).await.unwrap();
    let page = query().before(end.clone()).send(&db).await.unwrap();
    assert_eq!(page.items, [payment(2), payment(5)]);
    let before = engine.requests();
    assert_eq!(query().after(end).all(&db).await.unwrap(), []);
    assert_eq!(engine.requests(), before);

    delete(1).await.unwrap();
    let page = query().before(page.prev).send(&db).await.unwrap();
    assert_eq!((page.items.len(), &page.prev), (0, &None));
    let page = query().after(page.next).send(&db).await.unwrap();
    assert_eq!(
        (&page.items[..], &page.prev),
        (&[payment(2), payment(5)][..], &None)
    );
}

#[tokio::test]
async fn whatever_is_before_a_cursor_comes_in_order() {
    let (_, db) = bank().await;
    let all: Vec<Payment> = (1..=9).map(payment).collect();
    store(&db, &all).await;
    let query = || Payment::query("ann", date(2025, 1, 1)).page_size(2);
    let page = query().limit(8).send(&db).await.unwrap();
    let before = || query().before(page.next.clone());
    assert_eq!(before().all(&db).await.unwrap(), all[..7]);
    assert_eq!(before().limit(3).all(&db).await.unwrap(), all[4..7]);
    assert_eq!(before().first(&db).await.unwrap(), Some(payment(7)));
    assert_eq!(before().count(&db).await.unwrap(), 7);
    assert_eq!(before().limit(3).count(&db).await.unwrap(), 3);
    let wanted = before().filter(Payment::WANTED.eq(true));
    assert_eq!(
        wanted.all(&db).await.unwrap(),
        [payment(2), payment(4), payment(6)]
    );
    // Without a cursor nothing changes; of two, the last one counts.
    let rest = query().after(page.next.clone()).before(None).all(&db).await;
    assert_eq!(rest.unwrap(), [payment(9)]);
    let first = query().after(page.next.clone()).before(page.next.clone());
    assert_eq!(first.limit(1).all(&db).await.unwrap(), [payment(7)]);
}

#[tokio::test]
async fn a_cursor_of_another_query_is_refused_before_any_request() {
    let (engine, db) = bank().await;
    let all: Vec<Payment> = (1..=4).map(payment).collect();
    store(&db, &all).await;
    let query = || Payment::query("ann", date(2025, 1, 1)).limit(2);
    let page = query().send(&db).await.unwrap();
    let page = query().after(page.next).send(&db).await.unwrap();
    let before = engine.requests();
    for other in [
        Payment::query("bob", date(2025, 1, 1)),
        Payment::query("ann", date(2025, 2, 1)),
        Payment::query("ann", date(2025, 1, 1)).descending(),
    ] {
        let error = other.before(page.prev.clone()).send(&db).await.unwrap_err();
        let source = CursorError::OtherQuery;
        assert!(matches!(error, Error::Cursor { source: found, .. } if found == source));
    }
    let ranged = query().at_range(date(2025, 1, 2)..).before(page.prev);
    assert!(ranged.send(&db).await.is_err());
    assert_eq!(engine.requests(), before);
}
