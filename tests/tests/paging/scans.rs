//! Pages of scans: of an entity, of the whole table, of an index, and of one segment of any of them.

use super::{Bank, Payment, bank, payments, run, store};
use dyna_runtime::Error;
use dyna_runtime::error::CursorError;
use proptest::prelude::*;
use std::collections::HashSet;

/// All pages of a scan, each with as many items as the limit says but the last.
macro_rules! pages {
    ($scan:expr, $db:expr, $limit:expr) => {{
        let (mut joined, mut cursor) = (Vec::new(), None);
        loop {
            let page = $scan.limit($limit).after(cursor).send($db).await.unwrap();
            assert!(page.items.len() == $limit || page.next.is_none());
            assert!(page.items.len() <= $limit && page.prev.is_none());
            joined.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break joined;
            }
        }
    }};
}

fn keys(payments: &[Payment]) -> HashSet<(String, String)> {
    let keys = payments.iter().map(|it| (it.at.to_string(), it.id.clone()));
    keys.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever the size of the pages, they are what one big scan gives, which is what was stored.
    #[test]
    fn pages_join_to_the_whole(
        stored in payments(),
        limit in 1..9_usize,
        page_size in 1..7_u32,
        filtered: bool,
    ) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let fees = stored.iter().filter(|it| it.n == 0).count();
            let scan = || {
                let scan = Payment::scan().page_size(page_size);
                if filtered { scan.filter(Payment::WANTED.eq(true)) } else { scan }
            };
            let mut wanted = stored.clone();
            wanted.retain(|it| !filtered || it.wanted);
            let whole = scan().all(&db).await.unwrap();
            assert_eq!(whole.len(), wanted.len());
            assert_eq!(keys(&whole), keys(&wanted));
            assert_eq!(pages!(scan(), &db, limit), whole);
            assert_eq!(scan().count(&db).await.unwrap(), whole.len());
            assert_eq!(scan().limit(limit).count(&db).await.unwrap(), limit.min(whole.len()));

            let through_index = scan().index(Bank::BY_N).all(&db).await.unwrap();
            assert_eq!(keys(&through_index), keys(&wanted));
            assert_eq!(pages!(scan().index(Bank::BY_N), &db, limit), through_index);
            assert_eq!(pages!(scan().index(Bank::BY_N).hydrate(), &db, limit), through_index);

            let table = || Bank::scan().page_size(page_size);
            let everything = table().all(&db).await.unwrap();
            assert_eq!(everything.len(), stored.len() + fees);
            assert_eq!(pages!(table(), &db, limit), everything);
            assert_eq!(table().count(&db).await.unwrap(), everything.len());
        });
    }

    /// The segments of a scan are its parts: together all of it, and each with pages of its own.
    #[test]
    fn segments_join_to_the_whole(stored in payments(), segments in 1..6_u32, limit in 1..5_usize) {
        run(async {
            let (_, db) = bank().await;
            store(&db, &stored).await;
            let mut joined = Vec::new();
            for n in 0..segments {
                let segment = || Payment::scan().segment(n, segments);
                let part = segment().all(&db).await.unwrap();
                assert_eq!(pages!(segment(), &db, limit), part);
                assert_eq!(segment().count(&db).await.unwrap(), part.len());
                joined.extend(part);
            }
            assert_eq!(joined.len(), stored.len());
            assert_eq!(keys(&joined), keys(&stored));
            let at_once = Payment::scan().segments(u16::try_from(segments).unwrap()).all(&db).await.unwrap();
            assert_eq!(at_once.len(), stored.len());
            assert_eq!(keys(&at_once), keys(&stored));
        });
    }
}

#[tokio::test]
async fn a_cursor_of_a_segment_is_refused_in_another() {
    let (engine, db) = bank().await;
    let payment = |day: i8| Payment {
        user: "ann".to_owned(),
        at: jiff::civil::date(2025, 1 + day % 12, day),
        id: "x".to_owned(),
        colour: "red".to_owned(),
        n: 1,
        wanted: true,
    };
    store(&db, &(1..28).map(payment).collect::<Vec<_>>()).await;
    let segment = |n, of| Payment::scan().segment(n, of);
    let page = segment(1, 2).limit(1).send(&db).await.unwrap();
    let next = page.next.unwrap();
    let before = engine.requests();
    for other in [segment(0, 2), segment(1, 3), Payment::scan()] {
        let error = other.after(next.clone()).send(&db).await.unwrap_err();
        let source = CursorError::OtherQuery;
        assert!(matches!(error, Error::Cursor { source: found, .. } if found == source));
    }
    assert_eq!(engine.requests(), before);
    assert!(segment(1, 2).after(next).send(&db).await.is_ok());

    // Segments are counted from 0: there is no second of two with the number 2.
    assert!(segment(2, 2).all(&db).await.is_err());
    assert!(segment(0, 0).all(&db).await.is_err());
    let explain = segment(1, 2).explain();
    let shown = ["Segment", "TotalSegments"].map(|member| explain.get(member));
    assert_eq!(shown, [Some("1"), Some("2")]);
}
