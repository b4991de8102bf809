//! The law of unique fields: each value that an item has is held by it and by no other, and nothing else is held.

use super::unique::user;
use super::{Office, User, db, items};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaTable as _, Error, Table};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One write: by whom, which, with which values, and of what was loaded long ago.
#[derive(Debug, Clone, Copy)]
struct Step {
    id: u8,
    verb: u8,
    email: u8,
    phone: Option<u8>,
    is_late: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let phone = proptest::option::of(0..3_u8);
    let values = (0..3_u8, 0..6_u8, 0..3_u8, phone, any::<bool>());
    let step = values.prop_map(|(id, verb, email, phone, is_late)| Step {
        id,
        verb,
        email,
        phone,
        is_late,
    });
    proptest::collection::vec(step, 1..24)
}

fn person(id: u8, step: Step) -> User {
    let email = format!("{}@x", step.email);
    user(&format!("u{id}"), &email, step.phone.map(u64::from))
}

/// A refusal is an outcome; everything else must succeed.
fn allow(sent: Result<(), Error>) {
    if let Err(error) = sent {
        assert!(
            error.is_condition_failed() || error.is_not_unique(),
            "{error}"
        );
    }
}

async fn make(db: &Table<Office>, step: Step, ago: &mut [Option<User>; 3]) {
    let given = person(step.id, step);
    let now = User::get(given.id.as_str()).send(db).await.unwrap();
    let late = &mut ago[usize::from(step.id)];
    let loaded = if step.is_late {
        std::mem::replace(late, now)
    } else {
        now
    };
    let Some(loaded) = loaded else {
        return allow(given.create().send(db).await);
    };
    let update = User::update_loaded(&loaded);
    let to = person((step.id + 1) % 3, step);
    allow(match step.verb {
        0 => given.create().send(db).await,
        1 => update.set(User::EMAIL, given.email).send(db).await,
        2 => update.set(User::PHONE, given.phone).send(db).await,
        3 => {
            let both = update
                .set(User::EMAIL, given.email)
                .set(User::PHONE, given.phone);
            db.transact().update(both).send().await
        }
        4 => User::delete_loaded(&loaded).send(db).await,
        _ => User::rekey_loaded(&loaded, &to).send(db).await,
    });
}

/// What the users have, and what is held, and by whom.
async fn assert_held(db: &Table<Office>) {
    let scan = db.client().scan().table_name(db.name().unwrap());
    let text = |value: &AttributeValue| value.as_s().unwrap().clone();
    let (mut had, mut held) = (BTreeSet::new(), BTreeSet::new());
    for item in scan.send().await.unwrap().items.unwrap() {
        let pk = text(&item["pk"]);
        if let Some(owner) = item.get("dyna:owner") {
            held.insert((pk, text(&owner.as_l().unwrap()[0])));
            continue;
        }
        let Office::User(user) = Office::from_item(item).unwrap() else {
            continue;
        };
        had.insert((format!("UNIQUE#User#email#{}", user.email), pk.clone()));
        had.extend(
            user.phone
                .map(|phone| (format!("UNIQUE#User#phone#{phone}"), pk)),
        );
    }
    assert_eq!(held, had);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// After any sequence of writes, what is held is what items have.
    #[test]
    fn unique_values_belong_to_their_items(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (db, _) = db().await;
            let mut ago = [None, None, None];
            for step in steps {
                make(&db, step, &mut ago).await;
                assert_held(&db).await;
            }
        });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_64_concurrent_changes_to_one_email_wins() {
    let (db, _) = db().await;
    let own = |n: u8| user(&n.to_string(), &format!("{n}@x"), None);
    for n in 0..64 {
        own(n).create().send(&db).await.unwrap();
    }
    let tasks = (0..64).map(|n| {
        let db = db.clone();
        tokio::spawn(async move {
            let loaded = own(n);
            let change = User::update_loaded(&loaded).set(User::EMAIL, "one@x");
            match change.send(&db).await {
                Ok(()) => Some(n),
                Err(error) => {
                    assert!(error.is_not_unique(), "{error}");
                    None
                }
            }
        })
    });
    let mut winners = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        winners.extend(task.await.unwrap());
    }
    let found = User::by_email("one@x").one(&db).await.unwrap().unwrap();
    assert_eq!(
        winners.iter().map(u8::to_string).collect::<Vec<_>>(),
        [found.id]
    );
    assert_eq!(items(&db).await, 128);
    assert_held(&db).await;
    // What the winner gave up is free again.
    let free = format!("{}@x", winners[0]);
    user("new", &free, None).create().send(&db).await.unwrap();
}

#[tokio::test]
async fn two_writes_of_a_transaction_do_not_have_one_value() {
    let (db, _) = db().await;
    let (ann, bob) = (user("ann", "a@x", None), user("bob", "a@x", None));
    let error = db
        .transact()
        .create(&ann)
        .create(&bob)
        .send()
        .await
        .unwrap_err();
    let told = "User: writes 0 and 1 target the same value of the unique `email`; DynamoDB allows one write per item";
    assert_eq!(error.to_string(), told);
    assert_eq!(ann.create().returning_old().send(&db).await.unwrap(), None);
}
