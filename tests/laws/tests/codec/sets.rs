//! A set is read as a set and bytes as bytes: what is read otherwise would be written back in another form.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Wrapped(Vec<String>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    List(Vec<String>),
    Wrapped(Wrapped),
    Numbers(Vec<u8>),
    Json(serde_json::Value),
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Posts, pk = "POST#<id>")]
struct Plain {
    #[dyna(key_only)]
    id: String,
    #[serde(default)]
    list: Vec<String>,
    #[serde(default)]
    set: BTreeSet<String>,
    #[serde(default)]
    numbers: Option<Vec<u8>>,
    #[serde(default)]
    wrapped: Option<Wrapped>,
    #[serde(default)]
    pair: Option<(String, String)>,
    #[serde(default)]
    either: Option<Either>,
    #[serde(default)]
    json: Option<serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Kinds {
    #[serde(with = "dyna_runtime::serde::string_set")]
    texts: Vec<String>,
    #[serde(with = "dyna_runtime::serde::number_set")]
    numbers: BTreeSet<u64>,
    #[serde(with = "dyna_runtime::serde::binary_set")]
    bytes: Vec<Vec<u8>>,
    #[serde(with = "dyna_runtime::serde::binary_set")]
    blobs: Vec<serde_bytes::ByteBuf>,
    #[serde(with = "dyna_runtime::serde::string_set", default)]
    maybe: Option<Vec<String>>,
    #[serde(with = "dyna_runtime::serde::string_set")]
    wrapped: Wrapped,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Kinds(Kinds),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Kinds(Kinds),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Posts, pk = "SETS#<id>")]
struct Sets {
    id: String,
    #[serde(flatten)]
    flat: Kinds,
    direct: Kinds,
    internal: Internal,
    untagged: Untagged,
}

#[derive(DynaTable)]
#[dyna(name = "posts", pk = "pk")]
#[allow(
    clippy::large_enum_variant,
    reason = "one has each kind of set four times"
)]
enum Posts {
    Plain(Plain),
    Sets(Sets),
}

async fn store(db: &Table<Posts>, name: &str, value: AttributeValue) {
    let put = db.client().put_item().table_name("posts");
    let put = put.item("pk", AttributeValue::S("POST#a".to_owned()));
    put.item(name, value).send().await.unwrap();
}

fn texts() -> AttributeValue {
    AttributeValue::Ss(vec!["secret".to_owned(), "other".to_owned()])
}

#[tokio::test]
async fn set_is_not_read_as_a_list() {
    let db = Posts::embedded().await.unwrap();
    for name in ["list", "set", "wrapped", "pair", "either", "json"] {
        store(&db, name, texts()).await;
        let error = Plain::get("a").send(&db).await.unwrap_err().to_string();
        assert!(error.contains(&format!("{name}: ")), "{error}");
        assert!(!error.contains("secret"), "{error}");
        if name != "either" {
            assert!(error.contains("string_set"), "{name} {error}");
        }
    }
    let numbers = AttributeValue::Ns(vec!["1".to_owned()]);
    store(&db, "numbers", numbers).await;
    let error = Plain::get("a").send(&db).await.unwrap_err().to_string();
    assert!(error.contains("dyna_runtime::serde::number_set"), "{error}");
}

#[tokio::test]
async fn bytes_are_not_read_as_a_list_of_numbers() {
    let db = Posts::embedded().await.unwrap();
    store(&db, "numbers", AttributeValue::B(Blob::new([1, 2]))).await;
    let error = Plain::get("a").send(&db).await.unwrap_err().to_string();
    assert!(
        error.contains("numbers: expected list, found binary"),
        "{error}"
    );
    assert!(error.contains("serde_bytes"), "{error}");
}

#[tokio::test]
async fn set_modules_read_sets_in_every_position() {
    let db = Posts::embedded().await.unwrap();
    let kinds = |maybe| Kinds {
        texts: vec!["a".to_owned(), "b".to_owned()],
        numbers: BTreeSet::from([1, 2]),
        bytes: vec![vec![1, 2], vec![3]],
        blobs: vec![serde_bytes::ByteBuf::from([1, 2])],
        maybe,
        wrapped: Wrapped(vec!["c".to_owned()]),
    };
    for maybe in [None, Some(vec!["d".to_owned()])] {
        let sets = Sets {
            id: "s".to_owned(),
            flat: kinds(maybe.clone()),
            direct: kinds(maybe.clone()),
            internal: Internal::Kinds(kinds(maybe.clone())),
            untagged: Untagged::Kinds(kinds(maybe)),
        };
        sets.put().send(&db).await.unwrap();
        // As the bytes of a response, and as a map.
        assert_eq!(
            Sets::get("s").send(&db).await.unwrap().as_ref(),
            Some(&sets)
        );
        let update = Sets::update("s").set(Sets::DIRECT, &sets.direct);
        assert_eq!(update.returning_new().send(&db).await.unwrap(), sets);
        let stored = db.client().scan().table_name("posts").send().await.unwrap();
        assert!(stored.items()[0]["texts"].is_ss());
    }
}

#[tokio::test]
async fn set_of_another_kind_is_an_error() {
    #[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "kinds", pk = "pk"), pk = "KIND#<id>")]
    struct Kind {
        #[dyna(key_only)]
        id: String,
        #[serde(with = "dyna_runtime::serde::number_set")]
        tags: Vec<String>,
    }

    let db = Kind::embedded().await.unwrap();
    let put = db.client().put_item().table_name("kinds");
    let put = put.item("pk", AttributeValue::S("KIND#a".to_owned()));
    put.item("tags", texts()).send().await.unwrap();
    let error = Kind::get("a").send(&db).await.unwrap_err().to_string();
    assert!(
        error.ends_with("tags: expected number set, found string set"),
        "{error}"
    );
}

/// Two elements that are one are refused, as DynamoDB would do, and so is a set without elements.
#[tokio::test]
async fn set_with_equal_elements_or_none_is_refused() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "tags", pk = "pk"), pk = "TAGS#<id>")]
    struct Tags {
        id: String,
        #[serde(with = "dyna_runtime::serde::string_set")]
        texts: Vec<String>,
        #[serde(with = "dyna_runtime::serde::number_set")]
        numbers: Vec<Exact>,
        #[serde(with = "dyna_runtime::serde::binary_set")]
        bytes: Vec<Vec<u8>>,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Exact(#[serde(with = "dyna_runtime::serde::decimal")] rust_decimal::Decimal);

    let db = Tags::embedded().await.unwrap();
    let text = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let exact = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| Exact(text.parse().unwrap()))
            .collect()
    };
    let tags = Tags {
        id: "t".to_owned(),
        texts: text(&["a", "b"]),
        numbers: exact(&["1.0", "1.1", "0"]),
        bytes: vec![vec![1], vec![]],
    };
    tags.put().send(&db).await.unwrap();
    let many: Vec<String> = (0..40).map(|n| (n % 39).to_string()).collect();
    let mut wrong: BTreeMap<&str, Vec<Tags>> = BTreeMap::new();
    for texts in [text(&["a", "b", "a"]), many, Vec::new()] {
        let tags = Tags {
            texts,
            ..tags.clone()
        };
        wrong.entry("texts").or_default().push(tags);
    }
    for numbers in [exact(&["1.0", "1"]), exact(&["0", "-0.00"]), Vec::new()] {
        let tags = Tags {
            numbers,
            ..tags.clone()
        };
        wrong.entry("numbers").or_default().push(tags);
    }
    for bytes in [vec![vec![1], vec![1]], Vec::new()] {
        let tags = Tags {
            bytes,
            ..tags.clone()
        };
        wrong.entry("bytes").or_default().push(tags);
    }
    for (name, tags) in wrong
        .into_iter()
        .flat_map(|(name, all)| all.into_iter().map(move |one| (name, one)))
    {
        let error = tags.put().send(&db).await.unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("Tags: {name}: a set ")),
            "{error}"
        );
    }
    let insert = Tags::update("t").add_elements(Tags::TEXTS, text(&["x", "x"]));
    let error = insert.send(&db).await.unwrap_err().to_string();
    assert!(error.starts_with("Tags: texts: a set "), "{error}");
}
