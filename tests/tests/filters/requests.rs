//! Filters as parts of queries: limits, pages, the tag, and what is refused before a request is made.

use super::{Thing, table, things};
use dyna_runtime::{Condition, DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};

fn numbers(things: &[Thing]) -> Vec<u32> {
    things.iter().map(|thing| thing.n).collect()
}

#[tokio::test]
async fn a_limit_counts_the_items_that_pass() {
    let db = table().await;
    let query = || Thing::query("g").filter(Thing::LIKE_COUNT.gt(1));
    let expected: Vec<u32> = things()
        .iter()
        .filter(|t| t.like_count > 1)
        .map(|t| t.n)
        .collect();
    for limit in [1, 2, 7, expected.len(), 100] {
        for size in [1, 3, 1000] {
            let found = query().limit(limit).page_size(size).all(&db).await.unwrap();
            assert_eq!(numbers(&found), expected[..limit.min(expected.len())]);
        }
    }
    assert_eq!(query().first(&db).await.unwrap().unwrap().n, expected[0]);
    let last = query().descending().first(&db).await.unwrap().unwrap();
    assert_eq!(Some(&last.n), expected.last());
}

#[tokio::test]
async fn pages_join_to_the_whole() {
    let db = table().await;
    let query = || Thing::query("g").filter(Thing::NOTE.eq(None).or(Thing::DONE.eq(true)));
    let whole = query().all(&db).await.unwrap();
    let (mut joined, mut after) = (Vec::new(), None);
    loop {
        let page = query()
            .limit(3)
            .page_size(5)
            .after(after)
            .send(&db)
            .await
            .unwrap();
        assert!(page.items.len() == 3 || page.next.is_none());
        joined.extend(page.items);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(joined, whole);
}

/// Without parentheses, `tag AND a OR b` would let in the other entity's items.
#[tokio::test]
async fn the_tag_holds_for_the_whole_filter() {
    let db = table().await;
    let filter = Thing::DONE.eq(true).or(Thing::STATUS.ne("a"));
    let found = Thing::query("g").filter(filter).all(&db).await.unwrap();
    let expected: Vec<_> = things()
        .into_iter()
        .filter(|t| t.done || t.status != "a")
        .collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn filters_combine_with_and() {
    let db = table().await;
    let query = Thing::query("g")
        .filter(Thing::DONE.eq(true))
        .filter(Thing::NOTE.eq(None));
    let expected: Vec<_> = things()
        .into_iter()
        .filter(|t| t.done && t.note.is_none())
        .collect();
    assert_eq!(query.all(&db).await.unwrap(), expected);
}

#[tokio::test]
async fn a_filter_and_a_sort_key_condition_hold_together() {
    let db = table().await;
    let query = Thing::query("g")
        .filter(Thing::DONE.eq(true))
        .n_range(10..30);
    let expected: Vec<_> = things()
        .into_iter()
        .filter(|t| t.done && (10..30).contains(&t.n))
        .collect();
    assert_eq!(query.all(&db).await.unwrap(), expected);
}

#[tokio::test]
async fn constant_filters_match_nothing_or_everything() {
    let db = table().await;
    let query = Thing::query("g").filter(Thing::STATUS.is_in([""; 0]));
    assert_eq!(
        query.explain().get("Empty"),
        Some("no request: the filter is never true")
    );
    assert_eq!(query.send(&db).await.unwrap().items, []);
    let query = Thing::query("g").filter(Condition::all([]));
    assert_eq!(query.explain().get("FilterExpression"), None);
    assert_eq!(query.all(&db).await.unwrap(), things());
}

#[test]
fn explain_shows_the_filter_with_its_names_and_values() {
    let filter = Thing::STATUS
        .eq("ab")
        .and(Thing::PREFS.entry("theme").ne("dark"));
    assert_eq!(
        Thing::query("g")
            .filter(filter)
            .limit(7)
            .explain()
            .to_string(),
        r#"Query things
  KeyConditionExpression  pk = :p AND begins_with(sk, :s)
  :p                      "G#g"
  :s                      "T#"
  FilterExpression        #status = :v0 AND prefs.#k0 <> :v1
  #status                 status
  #k0                     theme
  :v0                     "ab"
  :v1                     "dark"
  limit                   7"#
    );
}

/// On the handle it shows what is really asked: the things of a group are told from their comments, one thing is alone.
#[tokio::test]
async fn explain_on_shows_the_tag_condition() {
    let db = table().await;
    let query = Thing::query("g").filter(Thing::STATUS.eq("ab").or(Thing::DONE.eq(true)));
    let asked = query.explain_on(&db).unwrap();
    assert_eq!(
        asked.get("FilterExpression"),
        Some(
            "(entityType = :e OR entityType = :null OR attribute_not_exists(entityType)) AND (#status = :v0 OR done = :v1)"
        )
    );
    assert_eq!(asked.get(":e"), Some("\"Thing\""));
    assert_eq!(asked.get(":v0"), Some("\"ab\""));
    let alone = Thing::query("g").n(7);
    assert_eq!(alone.explain_on(&db).unwrap(), alone.explain());
}

#[tokio::test]
async fn a_value_that_cannot_be_written_fails_the_request() {
    let db = table().await;
    let query = Thing::query("g").filter(Thing::DONE.eq(true).or(Thing::RATIO.eq(f64::NAN)));
    let expected = "Thing: ratio: expected a finite number, found NaN or infinity";
    assert_eq!(query.explain().get("Error"), Some(expected));
    let error = query.all(&db).await.unwrap_err();
    assert!(matches!(
        error,
        Error::Encode {
            entity: "Thing",
            ..
        }
    ));
    assert_eq!(error.to_string(), expected);
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "cards", pk = "owner", sk = number("n")), pk = "<owner>", sk = "<n>")]
struct Card {
    owner: String,
    n: u64,
    text: String,
}

#[tokio::test]
async fn queried_key_attributes_cannot_be_filtered() {
    let db = Card::embedded().await.unwrap();
    for condition in [
        Card::N.gt(3),
        Card::TEXT.eq_field(Card::OWNER),
        !Card::TEXT.exists().or(Card::OWNER.size().gt(3)),
    ] {
        let error = Card::query("ann")
            .filter(condition)
            .all(&db)
            .await
            .unwrap_err();
        let message = error.to_string();
        assert!(
            message.ends_with(": a filter cannot name a key attribute of what it queries"),
            "{message}"
        );
    }
    let fine = Card::query("ann").filter(Card::TEXT.eq("x"));
    assert!(fine.all(&db).await.unwrap().is_empty());
}
