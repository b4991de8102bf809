//! Pages of any size give the items of one read.

use super::stored::{STORED, run};
use super::{Doc, Event, Msg};
use proptest::prelude::*;

/// Reads page by page, each from the cursor of the one before.
macro_rules! paged {
    ($query:expr, $db:expr) => {{
        let mut items = Vec::new();
        let mut sizes = Vec::new();
        let mut cursor = None;
        loop {
            let page = run($query.after(cursor).send($db)).unwrap();
            sizes.push(page.items.len());
            items.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break (items, sizes);
            }
        }
    }};
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pages_join_to_the_whole(size in 1..70_u32, backward: bool, low in 0..10_u32) {
        let stored = &*STORED;
        let query = || {
            let query = Msg::query("c").t_range(low..);
            if backward { query.descending() } else { query }
        };
        let mut whole: Vec<_> = stored.msgs.iter().filter(|it| it.t >= low).cloned().collect();
        if backward {
            whole.reverse();
        }
        let limit = usize::try_from(size).unwrap();

        let (items, sizes) = paged!(query().limit(limit), &stored.db);
        prop_assert_eq!(&items, &whole);
        let full = sizes.iter().rev().skip(1).all(|got| *got == limit);
        prop_assert!(full, "a limit is the number of items of a page: {:?}", sizes);

        let (items, _) = paged!(query().page_size(size), &stored.db);
        prop_assert_eq!(&items, &whole);
        let (items, _) = paged!(query().page_size(3).limit(limit), &stored.db);
        prop_assert_eq!(&items, &whole);
        let all = run(query().page_size(size).all(&stored.db)).unwrap();
        prop_assert_eq!(&all, &whole);
        let all = run(query().limit(limit).all(&stored.db)).unwrap();
        prop_assert_eq!(&all[..], &whole[..limit.min(whole.len())]);
        let first = run(query().first(&stored.db)).unwrap();
        prop_assert_eq!(first.as_ref(), whole.first());
    }

    #[test]
    fn pages_of_native_keys_join_to_the_whole(size in 1..70_usize) {
        let stored = &*STORED;
        let (docs, _) = paged!(Doc::query("o").limit(size), &stored.docs);
        prop_assert_eq!(&docs, &stored.all_docs);
        let (events, _) = paged!(Event::query("r").descending().limit(size), &stored.events);
        prop_assert!(events.iter().rev().eq(&stored.all_events));
    }
}

/// A limit of what is there leaves no page behind it, or an empty one: never an item.
#[test]
fn a_page_of_everything_is_the_last_with_items() {
    let stored = &*STORED;
    let page = run(Msg::query("c")
        .limit(stored.msgs.len() + 1)
        .send(&stored.db))
    .unwrap();
    assert_eq!((page.items.len(), page.next), (stored.msgs.len(), None));
    let page = run(Msg::query("c").limit(stored.msgs.len()).send(&stored.db)).unwrap();
    assert_eq!(page.items, stored.msgs);
    if let Some(next) = page.next {
        let page = run(Msg::query("c").after(next).send(&stored.db)).unwrap();
        assert_eq!((page.items.len(), page.next), (0, None));
    }
}
