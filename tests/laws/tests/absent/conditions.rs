//! To conditions, NULL and absent are the same.

use super::{n, null, s, store};
use dyna_runtime::expr::Condition;
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: String,
    size: Option<u32>,
    width: Option<u32>,
    inner: Inner,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Inner {
    note: Option<String>,
}

#[tokio::test]
async fn null_and_absent_are_the_same_to_conditions() {
    let db = Thing::embedded().await.unwrap();
    let thing = |id: &'static str| [("pk", s(&format!("THING#{id}"))), ("id", s(id))];
    let inner = |note| super::map([("note", note)]);
    let full = [("size", n(1)), ("width", n(1)), ("inner", inner(s("a")))];
    store(&db, thing("full").into_iter().chain(full)).await;
    let nulls = [
        ("size", null()),
        ("width", null()),
        ("inner", inner(null())),
    ];
    store(&db, thing("null").into_iter().chain(nulls)).await;
    let absent = [("inner", super::map([]))];
    store(&db, thing("absent").into_iter().chain(absent)).await;

    let note = || Thing::INNER.field(Inner::NOTE);
    let without = ["absent", "null"];
    let with = ["full"];
    let cases: [(Condition<Thing>, &[&str]); 20] = [
        (Thing::SIZE.missing(), &without),
        (Thing::SIZE.exists(), &with),
        (Thing::SIZE.exists().not(), &without),
        (Thing::SIZE.missing().not(), &with),
        (Thing::SIZE.eq(None), &without),
        (Thing::SIZE.ne(None), &with),
        (Thing::SIZE.eq(1), &with),
        (Thing::SIZE.ne(1), &without),
        (Thing::SIZE.is_in([None, Some(2)]), &without),
        (
            Thing::SIZE.is_in([None, Some(1)]),
            &["absent", "full", "null"],
        ),
        (Thing::SIZE.is_in([None]), &without),
        (Thing::SIZE.is_in([Some(1)]), &with),
        (Thing::SIZE.is_in([None, Some(1)]).not(), &[]),
        (note().missing(), &without),
        (note().exists(), &with),
        (note().eq(None), &without),
        (note().ne(None).and(Thing::SIZE.exists()), &with),
        // What has no value is not equal to anything.
        (Thing::SIZE.eq_field(Thing::WIDTH), &with),
        (Thing::SIZE.ne_field(Thing::WIDTH), &without),
        (Thing::SIZE.eq_field(Thing::WIDTH).not(), &without),
    ];
    for (condition, expected) in cases {
        let shown = format!("{condition:?}");
        let scan = Thing::scan().filter(condition.clone());
        let found = scan.all(&db).await.unwrap().into_iter();
        let mut found: Vec<_> = found.map(|thing| thing.id).collect();
        found.sort();
        assert_eq!(found, expected, "{shown}");
        for id in ["absent", "full", "null"] {
            let write = Thing::update(id).when(condition.clone()).send(&db).await;
            assert_eq!(write.is_ok(), expected.contains(&id), "{shown} of {id}");
        }
    }
}
