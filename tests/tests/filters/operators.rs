//! Each operator, against the same test in Rust.

use super::{Data, Kind, More, Thing, table, things};
use dyna_runtime::expr::AttributeType;
use dyna_runtime::{Condition, Table};

type Test = (Condition<Thing>, fn(&Thing) -> bool);

/// The items of which a condition is true are those of which the test is.
async fn check<const N: usize>(tests: [Test; N]) {
    let db = table().await;
    for (condition, test) in tests {
        let shown = format!("{condition:?}");
        let found = numbers(&db, condition).await;
        let expected: Vec<_> = things()
            .into_iter()
            .filter(test)
            .map(|thing| thing.n)
            .collect();
        assert_eq!(found, expected, "{shown}");
        assert!(
            !expected.is_empty() && expected.len() < things().len(),
            "{shown} says nothing"
        );
    }
}

async fn numbers(db: &Table<super::Things>, condition: Condition<Thing>) -> Vec<u32> {
    let found = Thing::query("g").filter(condition).all(db).await.unwrap();
    found.into_iter().map(|thing| thing.n).collect()
}

#[tokio::test]
async fn comparisons() {
    check([
        (Thing::STATUS.eq("ab"), |t| t.status == "ab"),
        (Thing::STATUS.ne("ab"), |t| t.status != "ab"),
        (Thing::STATUS.lt("ab"), |t| *t.status < *"ab"),
        (Thing::LIKE_COUNT.le(-1), |t| t.like_count <= -1),
        (Thing::LIKE_COUNT.gt(0), |t| t.like_count > 0),
        (Thing::LIKE_COUNT.ge(2), |t| t.like_count >= 2),
        (Thing::LIKE_COUNT.between(-1, 1), |t| {
            (-1..=1).contains(&t.like_count)
        }),
        (Thing::LIKE_COUNT.is_in([-3, 0, 99]), |t| {
            [-3, 0, 99].contains(&t.like_count)
        }),
        (Thing::DONE.eq(true), |t| t.done),
        (Thing::TAGS.eq(vec![]), |t| t.tags.is_empty()),
    ])
    .await;
}

/// Two fields of one item; what is missing, or NULL beside text, has no order and is not equal.
#[tokio::test]
async fn fields_beside_each_other() {
    let name = || Thing::DATA.field(Data::FULL_NAME);
    check([
        (Thing::STATUS.eq_field(name()), |t| {
            t.status == t.data.full_name
        }),
        (Thing::STATUS.ne_field(Thing::NOTE), |t| {
            t.note.as_ref() != Some(&t.status)
        }),
        (Thing::STATUS.lt_field(Thing::NOTE), |t| {
            t.note.as_ref().is_some_and(|note| t.status < *note)
        }),
        (Thing::NOTE.le_field(name()), |t| {
            t.note
                .as_ref()
                .is_some_and(|note| *note <= t.data.full_name)
        }),
        (Thing::TAGS.index(1).gt_field(Thing::STATUS), |t| {
            t.tags.get(1).is_some_and(|tag| *tag > t.status)
        }),
        (!Thing::STATUS.ge_field(name()), |t| {
            t.status < t.data.full_name
        }),
    ])
    .await;
}

#[tokio::test]
async fn none_is_missing_whether_it_is_null_or_not_stored() {
    check([
        (Thing::NOTE.eq(None), |t| t.note.is_none()),
        (Thing::NOTE.ne(None), |t| t.note.is_some()),
        (Thing::NOTE.eq("a"), |t| t.note.as_deref() == Some("a")),
        (Thing::NOTE.ne("a"), |t| t.note.as_deref() != Some("a")),
        (Thing::NOTE.has_type(AttributeType::Null), |t| {
            t.note.is_none()
        }),
        (Thing::NOTE.lt("b"), |t| {
            t.note.as_deref().is_some_and(|note| note < "b")
        }),
        (Thing::NOTE.missing(), |t| t.note.is_none()),
        (Thing::NOTE.exists(), |t| t.note.is_some()),
        (Thing::RATIO.eq(None), |t| t.ratio.is_none()),
        (Thing::RATIO.missing(), |t| t.ratio.is_none()),
        (Thing::RATIO.exists(), |t| t.ratio.is_some()),
        (Thing::RATIO.lt(1.0), |t| {
            t.ratio.is_some_and(|ratio| ratio < 1.0)
        }),
        (Thing::RATIO.ne(1.5), |t| t.ratio != Some(1.5)),
        (!Thing::RATIO.ge(1.0), |t| {
            !t.ratio.is_some_and(|ratio| ratio >= 1.0)
        }),
    ])
    .await;
}

#[tokio::test]
async fn text_lists_and_sets() {
    check([
        (Thing::STATUS.starts_with("a"), |t| {
            t.status.starts_with('a')
        }),
        (Thing::STATUS.contains("b"), |t| t.status.contains('b')),
        (Thing::NOTE.contains(" "), |t| {
            t.note.as_ref().is_some_and(|note| note.contains(' '))
        }),
        (Thing::TAGS.contains("ab"), |t| {
            t.tags.iter().any(|tag| tag == "ab")
        }),
        (Thing::LABELS.contains("al"), |t| t.labels.contains("al")),
        (Thing::LABELS.has_type(AttributeType::Ss), |t| {
            !t.labels.is_empty()
        }),
        (Thing::STATUS.size().gt(1), |t| t.status.chars().count() > 1),
        (Thing::TAGS.size().between(1, 2), |t| {
            (1..=2).contains(&t.tags.len())
        }),
        (Thing::PREFS.size().eq(2), |t| t.prefs.len() == 2),
        (Thing::LABELS.size().ge(1), |t| !t.labels.is_empty()),
    ])
    .await;
}

#[tokio::test]
async fn nested_paths() {
    let kind = || Thing::DATA.field(Data::MORE).field(More::KIND);
    check([
        (Thing::DATA.field(Data::FULL_NAME).eq("b a"), |t| {
            t.data.full_name == "b a"
        }),
        (Thing::DATA.field(Data::LEVEL).gt(2), |t| {
            t.data.level > Some(2)
        }),
        (kind().eq(Kind::Small), |t| {
            t.data
                .more
                .as_ref()
                .is_some_and(|more| more.kind == Kind::Small)
        }),
        (kind().missing(), |t| t.data.more.is_none()),
        (
            Thing::DATA
                .field(Data::MORE.field(More::NUMBERS))
                .index(1)
                .eq(1),
            |t| {
                t.data
                    .more
                    .as_ref()
                    .is_some_and(|more| more.numbers.get(1) == Some(&1))
            },
        ),
        (Thing::TAGS.index(2).ge("a"), |t| {
            t.tags.get(2).is_some_and(|tag| **tag >= *"a")
        }),
        (Thing::PREFS.entry("b akey").eq("ab"), |t| {
            t.prefs.get("b akey").is_some_and(|v| v == "ab")
        }),
    ])
    .await;
}

#[tokio::test]
async fn a_field_that_serde_writes_with_a_function_is_compared_as_it_is_stored() {
    check([
        (Thing::DEPTH.eq(2), |t| t.depth == 2),
        (Thing::LABELS.contains("al"), |t| t.labels.contains("al")),
        (
            Thing::LABELS.eq(std::collections::BTreeSet::from(["al".to_owned()])),
            |t| t.labels.iter().eq(["al"]),
        ),
    ])
    .await;
}

#[tokio::test]
async fn junctions() {
    let (a, b, c) = (
        || Thing::DONE.eq(true),
        || Thing::LIKE_COUNT.gt(0),
        || Thing::NOTE.eq(None),
    );
    check([
        (a().and(b()), |t| t.done && t.like_count > 0),
        (a().or(b()).and(c()), |t| {
            (t.done || t.like_count > 0) && t.note.is_none()
        }),
        (a().or(b().and(c())), |t| {
            t.done || t.like_count > 0 && t.note.is_none()
        }),
        (!(a().or(b())), |t| !(t.done || t.like_count > 0)),
        ((!a()).or(b()), |t| !t.done || t.like_count > 0),
        (Condition::any([a(), b(), c()]), |t| {
            t.done || t.like_count > 0 || t.note.is_none()
        }),
    ])
    .await;
}

/// Each of these would find everything, or fail, if it were read as part of an expression.
#[tokio::test]
async fn values_are_only_values() {
    let db = table().await;
    let mut odd = super::thing(90);
    let texts = [
        "x OR 1 = 1",
        ":v0",
        "#a",
        "'",
        "\") OR attribute_exists(pk",
        "status",
        "a.b[0]",
    ];
    for text in texts {
        text.clone_into(&mut odd.status);
        odd.prefs = [(text.to_owned(), text.to_owned())].into();
        odd.put().send(&db).await.unwrap();
        assert_eq!(numbers(&db, Thing::STATUS.eq(text)).await, [90]);
        assert_eq!(numbers(&db, Thing::STATUS.contains(text)).await, [90]);
        assert_eq!(numbers(&db, Thing::STATUS.is_in([text])).await, [90]);
        assert_eq!(numbers(&db, Thing::PREFS.entry(text).eq(text)).await, [90]);
        assert_eq!(
            numbers(
                &db,
                Thing::STATUS.eq("nothing").or(Thing::TAGS.contains(text))
            )
            .await,
            [0; 0]
        );
    }
}
