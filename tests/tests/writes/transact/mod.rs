//! Writes that are made together or not at all.

mod conflicts;
mod explained;
mod names;
mod refused;

use super::{Order, Shop, User, user};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::error::FailureReason;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

/// A table of its own in the same engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "logs-{stage}", pk = "pk"), pk = "LOG#<id>")]
struct Log {
    id: u32,
}

async fn db() -> Table<Shop> {
    Shop::embedded().await.unwrap()
}

fn order(user: &str, number: u32) -> Order {
    let user = user.to_owned();
    let total = number * 10;
    Order {
        user,
        number,
        total,
    }
}

async fn ages(db: &Table<Shop>) -> Vec<(String, u8)> {
    let users = User::scan().all(db).await.unwrap();
    let mut ages: Vec<_> = users.into_iter().map(|user| (user.id, user.age)).collect();
    ages.sort();
    ages
}

#[tokio::test]
async fn every_kind_of_operation_is_applied() {
    let db = db().await;
    for (id, age) in [("ann", 1), ("bob", 2), ("cy", 3), ("eve", 4)] {
        user(id, age).put().send(&db).await.unwrap();
    }
    let replaced = user("bob", 20);
    db.transact()
        .put(&user("ann", 10))
        .put(replaced.replace().when(User::AGE.eq(2)))
        .create(&order("ann", 1))
        .delete(User::delete("cy").when(User::AGE.gt(2)))
        .check(User::check("dan").missing())
        .update(User::update("eve").add(User::AGE, 40))
        .send()
        .await
        .unwrap();
    let stored = [("ann", 10), ("bob", 20), ("eve", 44)];
    assert_eq!(
        ages(&db).await,
        stored.map(|(id, age)| (id.to_owned(), age))
    );
    let stored = Order::get("ann", 1).send(&db).await.unwrap();
    assert_eq!(stored, Some(order("ann", 1)));
}

#[tokio::test]
async fn one_failed_condition_undoes_all() {
    let db = db().await;
    user("bob", 2).put().send(&db).await.unwrap();
    let error = db
        .transact()
        .create(&user("ann", 1))
        .create(&user("bob", 3))
        .put(&order("bob", 1))
        .send()
        .await
        .unwrap_err();
    assert!(error.is_condition_failed());
    assert!(!error.is_transaction_conflict() && !error.is_throttled());
    assert_eq!(error.code(), Some("TransactionCanceledException"));
    assert_eq!(
        error.current_item::<User>().unwrap().unwrap(),
        user("bob", 2)
    );
    assert!(error.current_item::<Order>().is_none());
    assert_eq!(ages(&db).await, [("bob".to_owned(), 2)]);
}

#[tokio::test]
async fn each_failure_names_its_operation_and_has_its_item() {
    let db = db().await;
    for (id, age) in [("ann", 1), ("bob", 2)] {
        user(id, age).put().send(&db).await.unwrap();
    }
    let error = db
        .transact()
        .check(User::check("ann").exists())
        .create(&user("ann2", 7))
        .check(User::check("bob").when(User::AGE.gt(2)))
        .delete(Order::delete("bob", 1).when(Order::TOTAL.gt(0)))
        .create(&user("dan", 7))
        .send()
        .await
        .unwrap_err();
    let failures: Vec<_> = error
        .failures()
        .iter()
        .map(|failure| (failure.index, failure.entity, failure.reason))
        .collect();
    assert_eq!(
        failures,
        [
            (2, "User", FailureReason::ConditionFailed),
            (3, "Order", FailureReason::ConditionFailed)
        ]
    );
    let [bob, order] = error.failures() else {
        panic!("two failures")
    };
    assert_eq!(bob.current_item::<User>().unwrap().unwrap(), user("bob", 2));
    assert!(bob.current_item::<Order>().is_none());
    assert!(order.current_item::<Order>().is_none());
    assert_eq!(
        error.to_string(),
        "the transaction was cancelled: operation 2 (check User): its condition is not met; \
         operation 3 (delete Order): its condition is not met"
    );
}

#[tokio::test]
async fn an_update_fails_with_its_item_and_changes_nothing() {
    let db = db().await;
    user("ann", 1).put().send(&db).await.unwrap();
    let older = || User::update("ann").add(User::AGE, 1);
    let error = db
        .transact()
        .put(&order("ann", 1))
        .update(older().when(User::AGE.gt(1)))
        .update(User::update("bob").set(User::NAME, "Bob"))
        .send()
        .await
        .unwrap_err();
    let [ann, bob] = error.failures() else {
        panic!("two failures")
    };
    assert_eq!((ann.index, bob.index), (1, 2));
    assert_eq!(ann.current_item::<User>().unwrap().unwrap(), user("ann", 1));
    assert!(bob.current_item::<User>().is_none());
    assert_eq!(ages(&db).await, [("ann".to_owned(), 1)]);
    assert_eq!(Order::get("ann", 1).send(&db).await.unwrap(), None);
}

#[tokio::test]
async fn update_without_changes_checks_its_conditions() {
    let db = db().await;
    user("ann", 1).put().send(&db).await.unwrap();
    let unchanged = |id| db.transact().update(User::update(id)).send();
    unchanged("ann").await.unwrap();
    assert!(unchanged("bob").await.unwrap_err().is_condition_failed());
    assert_eq!(ages(&db).await, [("ann".to_owned(), 1)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn transfers_between_accounts_preserve_the_total() {
    let db = db().await;
    for id in ["0", "1", "2"] {
        user(id, 20).put().send(&db).await.unwrap();
    }
    let transfers = (0..48_u8).map(|n| {
        let db = db.clone();
        tokio::spawn(async move {
            let (from, to) = (n % 3, (n + 1 + n / 3 % 2) % 3);
            let give = User::update(from.to_string()).subtract(User::AGE, 3);
            let take = User::update(to.to_string()).add(User::AGE, 3);
            let transfer = db.transact().update(give.when(User::AGE.ge(3)));
            transfer.update(take).retries(20).send().await
        })
    });
    for transfer in transfers.collect::<Vec<_>>() {
        if let Err(error) = transfer.await.unwrap() {
            assert!(error.is_condition_failed());
        }
    }
    let sum: u32 = ages(&db).await.iter().map(|(_, age)| u32::from(*age)).sum();
    assert_eq!(sum, 60);
}

#[tokio::test]
async fn error_shows_no_values_of_the_items() {
    let db = db().await;
    user("secret", 1).put().send(&db).await.unwrap();
    let transaction = db.transact().create(&user("secret", 2));
    assert_eq!(format!("{transaction:?}"), "Transact(1 operations)");
    let error = transaction.send().await.unwrap_err();
    assert!(!format!("{error:?} {:?}", error.failures()).contains("secret"));
    let mut source = std::error::Error::source(&error);
    while let Some(error) = source {
        assert!(!format!("{error:?}").contains("secret"));
        source = error.source();
    }
}

#[tokio::test]
async fn a_transaction_may_write_to_several_tables() {
    let engine = Embedded::in_memory().unwrap();
    let shop = Table::<Shop>::embedded_in(&engine).await.unwrap();
    let logs = Table::<Log>::embedded_in(&engine).await.unwrap();
    let write = |age| {
        let ann = user("ann", age);
        let transaction = shop.transact().put(&ann).on(&logs).create(&Log { id: 1 });
        transaction.on(&shop).put(&user("bob", age)).send()
    };
    write(1).await.unwrap();
    assert_eq!(Log::get(1).send(&logs).await.unwrap(), Some(Log { id: 1 }));
    let error = write(2).await.unwrap_err();
    assert_eq!(
        (error.failures()[0].index, error.failures()[0].entity),
        (1, "Log")
    );
    let both = [("ann".to_owned(), 1), ("bob".to_owned(), 1)];
    assert_eq!(ages(&shop).await, both);
}

#[tokio::test]
async fn empty_transaction_sends_no_request() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Shop>::embedded_in(&engine).await.unwrap();
    let before = engine.requests();
    db.transact().send().await.unwrap();
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn a_token_makes_a_transaction_happen_once() {
    let db = db().await;
    let send = || {
        db.transact()
            .create(&user("ann", 1))
            .token("order-7")
            .send()
    };
    send().await.unwrap();
    send().await.unwrap();
    let other = db.transact().create(&user("bob", 1)).token("order-7");
    assert_eq!(
        other.send().await.unwrap_err().code(),
        Some("IdempotentParameterMismatchException")
    );
    let again = db.transact().create(&user("ann", 1)).send().await;
    assert!(again.unwrap_err().is_condition_failed());
    assert_eq!(ages(&db).await, [("ann".to_owned(), 1)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_concurrent_creates_of_one_item_wins() {
    let db = db().await;
    for round in 0..8 {
        let id = format!("user-{round}");
        let tasks: Vec<_> = (0..16)
            .map(|age| {
                let (db, user) = (db.clone(), user(&id, age));
                tokio::spawn(async move {
                    let order = order(&user.id, u32::from(age));
                    db.transact().put(&order).create(&user).send().await
                })
            })
            .collect();
        let mut winners = Vec::new();
        for (age, task) in tasks.into_iter().enumerate() {
            match task.await.unwrap() {
                Ok(()) => winners.push(age),
                Err(error) => assert!(error.is_condition_failed()),
            }
        }
        let [winner] = winners.as_slice() else {
            panic!("{} transactions were made", winners.len())
        };
        let stored = User::get(id.as_str()).send(&db).await.unwrap().unwrap();
        assert_eq!(usize::from(stored.age), *winner);
        let orders = Order::query(id.as_str()).all(&db).await.unwrap();
        assert_eq!(orders, [order(&id, u32::from(stored.age))]);
    }
}
