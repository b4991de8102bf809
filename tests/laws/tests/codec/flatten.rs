//! A flattened map writes no attribute that the entity or the table declares, and no name is written twice.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynaTable)]
#[dyna(
    name = "flat",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    ttl = "ttl",
    index(gsi1, pk = "gsi1pk"),
    index(by_org, pk = "org"),
    index(by_other, pk = "otherpk")
)]
enum Flat {
    Account(Account),
    Doc(Doc),
    Session(Session),
    Typed(Typed),
    Backward(Backward),
    Counted(Counted),
}

type Extra = BTreeMap<String, String>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Flat,
    pk = "ACCOUNT#<id>",
    sk = "ACCOUNT",
    gsi1(as = by_owner, pk = "OWNER#<owner>"),
    by_org(as = of_org, pk = "<org>"),
)]
struct Account {
    #[dyna(key_only)]
    id: String,
    owner: String,
    role: String,
    org: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing)]
    secret: String,
    #[serde(default, rename = "displayName", alias = "nick")]
    name: String,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Flat, pk = "DOC#<id>", sk = "DOC")]
struct Doc {
    id: String,
    #[serde(flatten)]
    extra: BTreeMap<String, u64>,
    #[dyna(version)]
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Flat, pk = "SESSION#<id>", sk = "SESSION")]
struct Session {
    id: String,
    #[dyna(ttl)]
    ends: Option<u64>,
    #[serde(flatten)]
    extra: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Place {
    city: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    zip: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Flat, pk = "TYPED#<id>", sk = "TYPED")]
struct Typed {
    id: String,
    #[serde(skip_deserializing)]
    shown: u8,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    extra: Extra,
}

/// The map stands before the struct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Flat, pk = "BACKWARD#<id>", sk = "BACKWARD")]
struct Backward {
    id: String,
    #[serde(flatten)]
    extra: Extra,
    #[serde(flatten)]
    place: Place,
}

/// Everything at once: a set and a NULL in a flattened struct with an alias.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Marks {
    #[serde(default, with = "dyna_runtime::serde::string_set", alias = "labels")]
    marks: std::collections::BTreeSet<String>,
    #[serde(alias = "memo")]
    note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Flat, pk = "COUNTED#<id>", sk = "COUNTED", nulls = "store")]
struct Counted {
    id: String,
    #[serde(alias = "titel")]
    title: Option<String>,
    #[serde(flatten)]
    marks: Marks,
    #[serde(flatten)]
    counts: BTreeMap<String, f64>,
}

fn account(extra: &[(&str, &str)]) -> Account {
    let text = str::to_owned;
    Account {
        id: text("a"),
        owner: text("ann"),
        role: text("user"),
        org: None,
        note: None,
        secret: String::new(),
        name: text("Ann"),
        extra: extra.iter().map(|(k, v)| (text(k), text(v))).collect(),
    }
}

async fn items(db: &Table<Flat>) -> usize {
    let scan = db.client().scan().table_name("flat").send().await;
    scan.unwrap().items().len()
}

async fn refused<T>(name: &str, answer: impl IntoFuture<Output = Result<T>>) {
    let error = answer
        .await
        .err()
        .unwrap_or_else(|| panic!("{name} is written"));
    let text = error.to_string();
    assert!(text.contains(&format!("{name}: ")), "{text}");
    assert!(!text.contains("eve"), "{text}");
    assert!(
        matches!(error, dyna_runtime::Error::Encode { .. }),
        "{text}"
    );
}

/// Declared and written, declared and skipped, in the key alone, an alias, a key of the table, of an index, of an index that the entity
/// does not declare, the tag, the time of expiry.
const DECLARED: [&str; 15] = [
    "role",
    "owner",
    "org",
    "note",
    "secret",
    "displayName",
    "nick",
    "id",
    "pk",
    "sk",
    "gsi1pk",
    "otherpk",
    "kind",
    "ttl",
    "",
];

#[tokio::test]
async fn flattened_entry_with_a_declared_name_is_refused_by_every_write() {
    let db = Flat::embedded().await.unwrap();
    for name in DECLARED {
        let eve = account(&[(name, "eve"), ("color", "red")]);
        refused(name, eve.put().send(&db)).await;
        refused(name, eve.create().send(&db)).await;
        refused(name, eve.replace().send(&db)).await;
        refused(name, db.batch_write().put(&eve).send()).await;
        refused(name, db.transact().put(&eve).send()).await;
        refused(name, db.transact().create(&eve).send()).await;
        let moved = Account::rekey(Account::key("b"), &eve);
        refused(name, moved.send(&db)).await;
        let update = Account::update_loaded(&eve).set(Account::ROLE, "admin");
        refused(name, update.send(&db)).await;
        refused(name, Account::delete_loaded(&eve).send(&db)).await;
    }
    assert_eq!(items(&db).await, 0);
}

#[tokio::test]
async fn flattened_entry_does_not_get_past_the_version() {
    let db = Flat::embedded().await.unwrap();
    let mut doc = Doc {
        id: "d".to_owned(),
        extra: BTreeMap::new(),
        version: 0,
    };
    doc.put().send(&db).await.unwrap();
    for version in [1, 2] {
        doc.version = 1;
        doc.extra = BTreeMap::from([("version".to_owned(), version)]);
        refused("version", doc.put().send(&db)).await;
    }
}

#[tokio::test]
async fn flattened_entry_does_not_set_the_time_of_expiry() {
    let db = Flat::embedded().await.unwrap();
    for name in ["ttl", "ends"] {
        let session = Session {
            id: "s".to_owned(),
            ends: None,
            extra: BTreeMap::from([(name.to_owned(), 1)]),
        };
        refused(name, session.put().send(&db)).await;
    }
}

/// What a flattened struct declares is declared, also while it is skipped.
#[tokio::test]
async fn flattened_struct_may_not_meet_a_flattened_map() {
    let db = Flat::embedded().await.unwrap();
    let typed = |extra: &[(&str, &str)]| Typed {
        id: "t".to_owned(),
        shown: 0,
        place: Place {
            city: "Rome".to_owned(),
            zip: None,
        },
        extra: account(extra).extra,
    };
    for name in ["city", "zip", "id", "shown"] {
        refused(name, typed(&[(name, "eve")]).put().send(&db)).await;
    }
    let typed = typed(&[("color", "red")]);
    for _ in 0..2 {
        typed.put().send(&db).await.unwrap();
        let stored = Typed::get("t").send(&db).await.unwrap().unwrap();
        assert_eq!(stored, typed);
        // What was read can be written.
        stored.put().send(&db).await.unwrap();
    }
}

#[tokio::test]
async fn flattened_entries_of_other_names_are_stored_and_come_back() {
    let db = Flat::embedded().await.unwrap();
    let account = account(&[("color", "red"), ("Role", "x")]);
    account.put().send(&db).await.unwrap();
    let left = db.batch_write().put(&account).send().await.unwrap();
    assert!(left.is_empty());
    Account::update_loaded(&account)
        .set(Account::ROLE, "admin")
        .send(&db)
        .await
        .unwrap();
    let stored = Account::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(
        (stored.role.as_str(), &stored.extra),
        ("admin", &account.extra)
    );
}

#[tokio::test]
async fn upsert_of_an_entity_that_flattens_is_whole() {
    let db = Flat::embedded().await.unwrap();
    Session::upsert("s")
        .set(Session::ENDS, 4_000_000_000)
        .send(&db)
        .await
        .unwrap();
    let stored = Session::get("s").send(&db).await.unwrap().unwrap();
    assert_eq!((stored.ends, stored.extra.len()), (Some(4_000_000_000), 0));
}

/// Inside of an attribute too, where serde writes a struct that flattens as a map.
#[tokio::test]
async fn name_that_is_written_twice_inside_of_an_attribute_is_refused() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Inner {
        role: String,
        #[serde(flatten)]
        extra: Extra,
    }

    #[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "outer", pk = "pk"), pk = "OUTER#<id>")]
    struct Outer {
        id: String,
        inner: Inner,
    }

    let db = Outer::embedded().await.unwrap();
    let outer = |name| Outer {
        id: "o".to_owned(),
        inner: Inner {
            role: "user".to_owned(),
            extra: account(&[(name, "eve")]).extra,
        },
    };
    refused("inner.*", outer("role").put().send(&db)).await;
    let set = Outer::update("o").set(Outer::INNER, outer("role").inner);
    refused("inner.*", set.send(&db)).await;
    outer("color").put().send(&db).await.unwrap();
    let stored = db.client().scan().table_name("outer").send().await.unwrap();
    let inner = stored.items()[0]["inner"].as_m().unwrap();
    assert_eq!(inner["role"], AttributeValue::S("user".to_owned()));
}

/// It was written, and what was read could not be put back.
#[tokio::test]
async fn flattened_map_before_a_flattened_struct_is_refused() {
    let db = Flat::embedded().await.unwrap();
    let backward = Backward {
        id: "r".to_owned(),
        extra: Extra::new(),
        place: Place {
            city: "Rome".to_owned(),
            zip: None,
        },
    };
    refused("city", backward.put().send(&db)).await;
    refused("city", db.batch_write().put(&backward).send()).await;
    let error = backward.put().send(&db).await.unwrap_err().to_string();
    assert!(error.contains("declare a flattened map last"), "{error}");
    assert_eq!(items(&db).await, 0);
}

fn counted() -> Counted {
    Counted {
        id: "c".to_owned(),
        title: None,
        marks: Marks {
            marks: ["a", "b"].map(str::to_owned).into(),
            note: None,
        },
        counts: BTreeMap::from([("red".to_owned(), 0.5)]),
    }
}

async fn store(db: &Table<Flat>, name: &str, value: AttributeValue) {
    counted().put().send(db).await.unwrap();
    let update = db.client().update_item().table_name("flat");
    let s = |text: &str| AttributeValue::S(text.to_owned());
    let update = update.key("pk", s("COUNTED#c")).key("sk", s("COUNTED"));
    let update = update.update_expression("SET #n = :v");
    let update = update.expression_attribute_names("#n", name);
    let update = update.expression_attribute_values(":v", value);
    update.send().await.unwrap();
}

#[tokio::test]
async fn set_and_null_in_a_flattened_struct_with_aliases_come_back() {
    let db = Flat::embedded().await.unwrap();
    let counted = counted();
    counted.put().send(&db).await.unwrap();
    let stored = db.client().scan().table_name("flat").send().await.unwrap();
    let item = &stored.items()[0];
    assert!(item["marks"].is_ss());
    assert!(item["note"].is_null());
    let read = Counted::get("c").send(&db).await.unwrap().unwrap();
    assert_eq!(read, counted);
    read.put().send(&db).await.unwrap();
}

#[tokio::test]
async fn errors_in_a_flattened_map_name_the_attribute() {
    let db = Flat::embedded().await.unwrap();
    let mut wrong = counted();
    wrong.counts.insert("blue".to_owned(), f64::NAN);
    refused("blue", wrong.put().send(&db)).await;
    let text = AttributeValue::S("secret".to_owned());
    store(&db, "red", text).await;
    let error = Counted::get("c").send(&db).await.unwrap_err().to_string();
    assert!(error.contains("red: "), "{error}");
    assert!(!error.contains("secret"), "{error}");
}

#[tokio::test]
async fn field_that_is_stored_under_two_names_is_an_error_that_says_both() {
    let db = Flat::embedded().await.unwrap();
    let text = AttributeValue::S("secret".to_owned());
    store(&db, "titel", text).await;
    let error = Counted::get("c").send(&db).await.unwrap_err().to_string();
    assert!(
        error.contains("titel: duplicate attribute `title`"),
        "{error}"
    );
    assert!(!error.contains("secret"), "{error}");
}

#[test]
fn explain_distinguishes_sets_and_lists() {
    let counted = counted();
    let explained = counted.put().explain().to_string();
    assert!(explained.contains(r#"SS ["a", "b"]"#), "{explained}");
}

/// What it holds is known by the names of its fields alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Unnamed {
    Both { a: i64, b: i64 },
    One { a: i64 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Alone {
    #[serde(flatten)]
    unnamed: Unnamed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Beside {
    #[serde(flatten)]
    unnamed: Unnamed,
    #[serde(flatten)]
    extra: BTreeMap<String, i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pair {
    #[serde(flatten)]
    x: BTreeMap<String, i64>,
    #[serde(flatten)]
    y: BTreeMap<String, i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "open", pk = "pk"), pk = "OPEN#<id>")]
struct Open {
    id: String,
    n: i64,
    #[serde(flatten)]
    unnamed: Unnamed,
    #[serde(flatten)]
    extra: BTreeMap<String, i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "pairs", pk = "pk"), pk = "PAIR#<id>")]
struct Maps {
    id: String,
    n: i64,
    #[serde(flatten)]
    x: BTreeMap<String, i64>,
    #[serde(flatten)]
    y: BTreeMap<String, i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "inside", pk = "pk"), pk = "INSIDE#<id>")]
struct Inside {
    id: String,
    alone: Option<Alone>,
    beside: Option<Beside>,
    pair: Option<Pair>,
    list: Vec<Pair>,
}

fn numbers(numbers: &[(&str, i64)]) -> BTreeMap<String, i64> {
    let owned = |(name, n): &(&str, i64)| ((*name).to_owned(), *n);
    numbers.iter().map(owned).collect()
}

/// Writes in every way, each of which comes back or is refused.
macro_rules! comes_back_or_is_refused {
    ($type:ident, $value:expr, $key:expr) => {{
        let db = $type::embedded().await.unwrap();
        let value = $value;
        let stored = || async { $type::get($key).send(&db).await.unwrap() };
        let mut refused = 0;
        macro_rules! check {
            ($write:expr) => {
                match $write {
                    Ok(_) => assert_eq!(stored().await, Some(value.clone())),
                    Err(error) => {
                        assert!(
                            matches!(error, dyna_runtime::Error::Encode { .. }),
                            "{error}"
                        );
                        refused += 1;
                    }
                }
            };
        }
        check!(value.create().send(&db).await);
        check!(value.put().send(&db).await);
        check!(db.batch_write().put(&value).send().await);
        check!(db.transact().put(&value).send().await);
        check!(value.put().once().send(&db).await);
        // By attributes, and as one that was loaded.
        check!($type::update_loaded(&value).send(&db).await);
        refused
    }};
}

#[tokio::test]
async fn flattened_fields_that_read_each_others_names_are_refused() {
    let one = || Unnamed::One { a: 1 };
    let both = || Unnamed::Both { a: 1, b: 2 };
    for (unnamed, extra) in [
        (one(), numbers(&[("b", 2)])),
        (one(), numbers(&[])),
        (both(), numbers(&[("c", 3)])),
    ] {
        let value = Open {
            id: "o".to_owned(),
            n: 1,
            unnamed,
            extra,
        };
        // The map always reads what the enum has, too.
        assert_eq!(comes_back_or_is_refused!(Open, value.clone(), "o"), 6);
    }
    for (x, y, is_refused) in [
        (numbers(&[("k", 1)]), numbers(&[]), true),
        (numbers(&[]), numbers(&[("k", 1)]), true),
        (numbers(&[]), numbers(&[]), false),
    ] {
        let value = Maps {
            id: "m".to_owned(),
            n: 1,
            x,
            y,
        };
        let refused = comes_back_or_is_refused!(Maps, value.clone(), "m");
        assert_eq!(refused, if is_refused { 6 } else { 0 });
    }
}

#[tokio::test]
async fn flattened_fields_inside_of_an_attribute_come_back_or_are_refused() {
    let nothing = || Inside {
        id: "i".to_owned(),
        alone: None,
        beside: None,
        pair: None,
        list: Vec::new(),
    };
    let pair = || Pair {
        x: numbers(&[("k", 1)]),
        y: numbers(&[]),
    };
    let beside = || Beside {
        unnamed: Unnamed::One { a: 1 },
        extra: numbers(&[("b", 2)]),
    };
    let alone = Inside {
        alone: Some(Alone {
            unnamed: Unnamed::One { a: 1 },
        }),
        ..nothing()
    };
    assert_eq!(comes_back_or_is_refused!(Inside, alone.clone(), "i"), 0);
    for value in [
        Inside {
            beside: Some(beside()),
            ..nothing()
        },
        Inside {
            pair: Some(pair()),
            ..nothing()
        },
        Inside {
            list: vec![pair()],
            ..nothing()
        },
    ] {
        assert_eq!(comes_back_or_is_refused!(Inside, value.clone(), "i"), 6);
    }
    // And one attribute alone.
    let db = Inside::embedded().await.unwrap();
    nothing().put().send(&db).await.unwrap();
    let update = || Inside::update("i");
    let set = update().set(Inside::PAIR, pair());
    assert!(set.send(&db).await.is_err());
    let set = update().set(Inside::BESIDE, beside());
    assert!(set.send(&db).await.is_err());
    let append = update().append(Inside::LIST, [pair()]);
    assert!(append.send(&db).await.is_err());
}

#[tokio::test]
async fn empty_key_of_a_map_is_refused_at_any_depth_before_the_request() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "named", pk = "pk"), pk = "NAMED#<id>")]
    struct Named {
        id: String,
        map: BTreeMap<String, BTreeMap<String, i64>>,
    }

    let engine = dyna_runtime::embedded::Embedded::in_memory().unwrap();
    let db = Table::<Named>::embedded_in(&engine).await.unwrap();
    let before = engine.requests();
    for map in [
        BTreeMap::from([(String::new(), numbers(&[]))]),
        BTreeMap::from([("k".to_owned(), numbers(&[("", 1)]))]),
    ] {
        let named = Named {
            id: "n".to_owned(),
            map: map.clone(),
        };
        for error in [
            named.put().send(&db).await.err(),
            db.batch_write().put(&named).send().await.err(),
            db.transact().put(&named).send().await.err(),
            Named::update("n")
                .set(Named::MAP, map)
                .send(&db)
                .await
                .err(),
        ] {
            let error = error.expect("an empty name is written").to_string();
            assert!(
                error.contains("takes no attribute without a name"),
                "{error}"
            );
        }
    }
    let entry = Named::update("n").set(Named::MAP.entry(""), numbers(&[]));
    assert!(entry.send(&db).await.is_err());
    let check = Named::get("n");
    let filter = Named::scan().filter(Named::MAP.entry("").exists());
    assert!(filter.all(&db).await.is_err());
    assert_eq!(engine.requests(), before);
    assert_eq!(check.send(&db).await.unwrap(), None);
}
