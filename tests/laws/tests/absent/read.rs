//! Absent values that serde asks for.

use super::{map, n, names, raw, s, store};
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// An `Option` by functions of its own, which serde calls only for what is stored.
mod plus_one {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "what serde calls"
    )]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<u8>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(|value| value + 1).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u8>, D::Error> {
        let value = Option::<u8>::deserialize(deserializer)?;
        Ok(value.map(|value| value - 1))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Leaf {
    #[serde(with = "plus_one")]
    a: Option<u8>,
    #[serde(with = "plus_one")]
    b: Option<u8>,
    tags: BTreeMap<String, Option<u8>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Flat {
        #[serde(with = "plus_one")]
        a: Option<u8>,
    },
    Deep {
        leaf: Leaf,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Flattened {
    #[serde(with = "plus_one")]
    flat: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Wrapped(Option<u8>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: String,
    #[serde(with = "plus_one")]
    a: Option<u8>,
    #[serde(
        deserialize_with = "plus_one::deserialize",
        serialize_with = "plus_one::serialize"
    )]
    b: Option<u8>,
    #[serde(with = "dyna_runtime::serde::string_set")]
    set: Option<Vec<String>>,
    #[serde(with = "dyna_runtime::serde::decimal")]
    price: Option<rust_decimal::Decimal>,
    wrapped: Wrapped,
    leaf: Leaf,
    leaves: Vec<Leaf>,
    by_name: BTreeMap<String, Leaf>,
    tagged: Vec<Tagged>,
    #[serde(flatten)]
    flattened: Flattened,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Thing)]
struct Part {
    #[serde(with = "plus_one")]
    a: Option<u8>,
    #[serde(deserialize_with = "plus_one::deserialize")]
    b: Option<u8>,
    leaf: Leaf,
}

fn leaf() -> Leaf {
    Leaf {
        a: None,
        b: None,
        tags: BTreeMap::from([("x".to_owned(), None)]),
    }
}

fn thing() -> Thing {
    Thing {
        id: "1".to_owned(),
        a: None,
        b: None,
        set: None,
        price: None,
        wrapped: Wrapped(None),
        leaf: leaf(),
        leaves: vec![
            leaf(),
            Leaf {
                a: Some(1),
                ..leaf()
            },
        ],
        by_name: BTreeMap::from([("k".to_owned(), leaf()), ("l".to_owned(), leaf())]),
        tagged: vec![Tagged::Flat { a: None }, Tagged::Deep { leaf: leaf() }],
        flattened: Flattened { flat: None },
    }
}

#[tokio::test]
async fn none_that_is_read_by_a_function_comes_back() {
    let db = Thing::embedded().await.unwrap();
    let thing = thing();
    thing.create().send(&db).await.unwrap();
    let item = raw(&db, "THING#1").await;
    assert_eq!(
        names(&item),
        ["by_name", "id", "leaf", "leaves", "pk", "tagged"]
    );
    assert_eq!(item["leaf"], map([("tags", map([("x", super::null())]))]));

    assert_eq!(
        Thing::get("1").send(&db).await.unwrap().as_ref(),
        Some(&thing)
    );
    let scanned = Thing::scan().all(&db).await.unwrap();
    assert_eq!(scanned, std::slice::from_ref(&thing));
    let batch = db.batch_get([Thing::key("1")]).await.unwrap();
    assert_eq!(batch.items, [Some(thing.clone())]);
    let part = Part {
        a: None,
        b: None,
        leaf: leaf(),
    };
    assert_eq!(
        Thing::get("1").project::<Part>().send(&db).await.unwrap(),
        Some(part)
    );

    // An update that reads and writes it again.
    Thing::update_loaded(&thing)
        .set(Thing::A, Some(3))
        .send(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db, "THING#1").await["a"], n(4));
    Thing::update("1")
        .set(Thing::A, None)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(Thing::get("1").send(&db).await.unwrap(), Some(thing));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "renamed", pk = "pk"), pk = "RENAMED#<id>")]
struct Renamed {
    id: String,
    #[serde(with = "plus_one", alias = "old")]
    new: Option<u8>,
    #[serde(with = "plus_one")]
    other: Option<u8>,
}

#[tokio::test]
async fn a_field_under_its_alias_is_not_taken_for_absent() {
    let db = Renamed::embedded().await.unwrap();
    let key = ("pk", s("RENAMED#1"));
    store(&db, [key, ("id", s("1")), ("old", n(3))]).await;
    let read = Renamed::get("1").send(&db).await.unwrap();
    let expected = Renamed {
        id: "1".to_owned(),
        new: Some(2),
        other: None,
    };
    assert_eq!(read, Some(expected.clone()));
    assert_eq!(Renamed::scan().all(&db).await.unwrap(), [expected]);
}

#[tokio::test]
async fn missing_required_field_is_reported() {
    let db = Thing::embedded().await.unwrap();
    store(&db, [("pk", s("THING#1")), ("id", s("1"))]).await;
    let error = Thing::get("1").send(&db).await.unwrap_err().to_string();
    assert!(
        error.starts_with("Thing THING#<id>: missing attribute `"),
        "{error}"
    );
}
