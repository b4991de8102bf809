//! The law of updates: whatever is sent through the public API, every stored key is what the stored fields make of it.

mod model;
mod races;
mod steps;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaTable as _, Table};
use model::Law;
use proptest::prelude::*;
use std::collections::HashMap;
use steps::{Loaded, make, steps};

/// The attributes of all keys but the one that two indexes have in common.
const KEYS: [&str; 16] = [
    "pk",
    "sk",
    "kind",
    "statusKey",
    "dueKey",
    "pointKey",
    "pointSort",
    "cup",
    "region",
    "round",
    "dayKey",
    "fineKey",
    "fineSort",
    "planKey",
    "game",
    "score",
];

type Item = HashMap<String, AttributeValue>;

/// Compares each stored key with the one that is made anew from what the item says.
fn assert_fresh(item: &Item) {
    let fresh = Law::from_item(item.clone()).unwrap().to_item().unwrap();
    for key in KEYS {
        assert_eq!(item.get(key), fresh.get(key), "{key} of {item:?}");
    }
    // An attribute that two indexes share may stay behind when the item leaves both: without the others it is in neither.
    match fresh.get("shared") {
        None => assert!(!item.contains_key("statusKey") && !item.contains_key("dueKey")),
        shared => assert_eq!(item.get("shared"), shared),
    }
}

async fn assert_law(db: &Table<Law>) {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let items = scan.send().await.unwrap().items.unwrap();
    items.iter().for_each(assert_fresh);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// After any sequence of writes, stored keys equal recomputed keys.
    #[test]
    fn keys_are_never_stale(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Law::embedded().await.unwrap();
            let mut loaded = Loaded::new(&db).await;
            for step in steps {
                make(&db, step, &mut loaded).await;
                assert_law(&db).await;
            }
        });
    }
}
