//! Responses: what Dyna reads from the bytes is what the SDK's parser and `from_item` make of them.

use crate::input::Input;
use crate::server::Caller;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::{Item, from_item};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "pk", sk = "sk"),
    pk = "USER#<user>",
    sk = "<n:03>"
)]
struct Note {
    user: String,
    n: u16,
    text: Option<String>,
    likes: Option<i64>,
    score: Option<f64>,
    tags: Option<Vec<String>>,
    more: Option<BTreeMap<String, Option<bool>>>,
}

thread_local! {
    static CALLER: Caller = Caller::new();
}

pub(super) fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let kind = input.byte();
    let body = input.0;
    // The SDK takes an empty body for an empty response, and Dyna for one that was cut off.
    if body.trim_ascii().is_empty() {
        return;
    }
    CALLER.with(|caller| match kind % 4 {
        0 | 1 => query(caller, body, kind % 4 == 1),
        2 => get(caller, body),
        _ => batch(caller, body),
    });
}

/// Whether the item is of the partition that is queried: DynamoDB returns no other.
fn is_answer(item: &Item) -> bool {
    item.get("pk") == Some(&AttributeValue::S("USER#ann".to_owned()))
}

/// Whether an object of a JSON text has a name twice. DynamoDB writes none, and of two attributes of a name the SDK takes the last.
fn has_duplicates(body: &[u8]) -> bool {
    struct Unique;

    impl<'de> Deserialize<'de> for Unique {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(UniqueVisitor)
        }
    }

    struct UniqueVisitor;

    impl<'de> Visitor<'de> for UniqueVisitor {
        type Value = Unique;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("anything")
        }

        fn visit_unit<E>(self) -> Result<Unique, E> {
            Ok(Unique)
        }

        fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
            Ok(Unique)
        }

        fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
            Ok(Unique)
        }

        fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
            Ok(Unique)
        }

        fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
            Ok(Unique)
        }

        fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
            Ok(Unique)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Unique, A::Error> {
            while list.next_element::<Unique>()?.is_some() {}
            Ok(Unique)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique, A::Error> {
            let mut names = BTreeSet::new();
            while let Some((name, _)) = map.next_entry::<String, Unique>()? {
                if !names.insert(name) {
                    return Err(A::Error::custom("twice"));
                }
            }
            Ok(Unique)
        }
    }

    serde_json::from_slice::<Value>(body).is_ok() && serde_json::from_slice::<Unique>(body).is_err()
}

/// Whether the entity makes this key, so that the item is its own.
fn is_own(item: &Item) -> bool {
    match (item.get("pk"), item.get("sk")) {
        (Some(AttributeValue::S(pk)), Some(AttributeValue::S(sk))) => {
            Note::parse_key(pk, sk).is_ok()
        }
        _ => false,
    }
}

/// The items of a page, by one pass or one by one.
fn query(caller: &Caller, body: &[u8], one_by_one: bool) {
    let db = caller.table::<Note>();
    caller.server.respond(body);
    let query = Note::query("ann");
    let ours = if one_by_one {
        // A limit is counted item by item.
        caller.wait(query.limit(1_000_000).send(&db))
    } else {
        caller.wait(query.send(&db))
    };
    caller.server.respond(body);
    let request = caller.client.query().table_name("notes");
    let theirs = caller.wait(request.send());
    // Another page follows, and the key that it begins at may be one that cannot be sent.
    if matches!(&theirs, Ok(page) if page.last_evaluated_key.is_some()) {
        return;
    }
    let theirs = theirs.map(|page| page.items.unwrap_or_default());
    if matches!(&theirs, Ok(items) if !items.iter().all(is_answer)) || has_duplicates(body) {
        return;
    }
    match (ours, theirs) {
        (Ok(page), Ok(items)) => {
            let own = items.into_iter().filter(is_own);
            let own: Vec<Note> = own
                .map(|item| from_item(item).expect("ours reads it"))
                .collect();
            assert_eq!(page.items, own);
        }
        (Ok(_), Err(error)) => panic!("the SDK refuses it: {error:?}"),
        (Err(error), Ok(items)) => {
            let fits = |item: &Item| is_own(item) && from_item::<Note>(item.clone()).is_ok();
            assert!(items.is_empty() || !items.iter().all(fits), "{error:?}");
        }
        (Err(_), Err(_)) => {}
    }
}

fn get(caller: &Caller, body: &[u8]) {
    let db = caller.table::<Note>();
    caller.server.respond(body);
    let ours = caller.wait(Note::get("ann", 1).send(&db));
    caller.server.respond(body);
    let key = || AttributeValue::S("x".to_owned());
    let request = caller.client.get_item().table_name("notes");
    let request = request.key("pk", key()).key("sk", key());
    let theirs = caller.wait(request.send()).map(|output| output.item);
    if has_duplicates(body) {
        return;
    }
    match (ours, theirs) {
        (Ok(Some(ours)), Ok(Some(item))) => assert_eq!(Some(ours), from_item(item).ok()),
        (Ok(None), Ok(theirs)) => assert_eq!(theirs, None),
        (Ok(ours), theirs) => panic!("read {}, and the SDK {theirs:?}", ours.is_some()),
        (Err(error), Ok(Some(item))) => {
            assert!(from_item::<Note>(item).is_err(), "{error:?}");
        }
        (Err(error), Ok(None)) => panic!("the SDK finds nothing: {error:?}"),
        (Err(_), Err(_)) => {}
    }
}

/// Items by keys come in any order, and keys are left undone.
fn batch(caller: &Caller, body: &[u8]) {
    let db = caller.table::<Note>();
    caller.server.respond(body);
    let keys = (0..3).map(|n| Note::key("ann", n));
    if let Ok(read) = caller.wait(async { db.batch_get(keys).await }) {
        assert_eq!(read.items.len(), 3);
    }
}
