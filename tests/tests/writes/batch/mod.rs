//! Many writes, each for itself.

mod pace;

use super::server::{Does, Server};
use super::{Order, Shop, User, user};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{BatchWrite, Error, Table};
use serde_json::{Map, Value, json};

fn orders(numbers: std::ops::Range<u32>) -> Vec<Order> {
    let order = |number| Order {
        user: "ann".to_owned(),
        number,
        total: number * 10,
    };
    numbers.map(order).collect()
}

async fn stored(db: &Table<Shop>) -> Vec<Order> {
    Order::query("ann").all(db).await.unwrap()
}

/// Takes those writes of a request out of it that are to be left undone.
fn leave(body: &mut Value, mut undone: impl FnMut(&Value) -> bool) -> Does {
    let writes = body["RequestItems"]["writes"].as_array().unwrap().clone();
    assert!(writes.len() <= 25);
    let (left, kept): (Vec<_>, Vec<_>) = writes.into_iter().partition(|write| undone(write));
    let items = |writes: Vec<Value>| match writes.as_slice() {
        [] => Value::Object(Map::new()),
        _ => json!({ "writes": writes }),
    };
    body["RequestItems"] = items(kept);
    Does::LeaveUndone(items(left))
}

#[tokio::test]
async fn any_number_is_written_25_at_a_time() {
    for (count, requests) in [(0, 0), (1, 1), (25, 1), (26, 2), (100, 4)] {
        let engine = Embedded::in_memory().unwrap();
        let db = Table::<Shop>::embedded_in(&engine).await.unwrap();
        let before = engine.requests();
        let left = db.batch_write().put_all(&orders(0..count)).send().await;
        assert!(left.unwrap().is_empty());
        assert_eq!(engine.requests() - before, requests);
        assert_eq!(stored(&db).await, orders(0..count));
    }
}

#[tokio::test]
async fn puts_and_deletes_of_several_entities_go_together() {
    let db = Shop::embedded().await.unwrap();
    let left = db
        .batch_write()
        .put_all(&orders(0..40))
        .put(&user("bob", 1));
    assert!(left.send().await.unwrap().is_empty());
    let left = db
        .batch_write()
        .put(&user("ann", 7))
        .delete(User::key("bob"))
        .delete_all((0..30).map(|number| Order::key("ann", number)))
        .put_all(&orders(40..42))
        .delete(Order::key("nobody", 1))
        .send()
        .await;
    assert!(left.unwrap().is_empty());
    assert_eq!(stored(&db).await, orders(30..42));
    let users = User::scan().all(&db).await.unwrap();
    assert_eq!(users, [user("ann", 7)]);
}

#[tokio::test]
async fn two_writes_of_one_item_are_refused_before_anything_is_sent() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Shop>::embedded_in(&engine).await.unwrap();
    let before = engine.requests();
    let batch = db
        .batch_write()
        .put_all(&orders(0..40))
        .delete(Order::key("ann", 7));
    let told = "Order: writes 7 and 40 target the same item; DynamoDB allows one write per item";
    assert_eq!(batch.explain().get("Error"), Some(told));
    let error = batch.send().await.unwrap_err();
    assert!(matches!(
        error,
        Error::DuplicateTarget {
            first: 7,
            second: 40,
            ..
        }
    ));
    assert_eq!(error.to_string(), told);
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn a_key_that_cannot_be_is_an_error_of_the_batch() {
    let db = Shop::embedded().await.unwrap();
    let batch = db
        .batch_write()
        .put(&user("ann", 1))
        .delete(User::key("a#b"));
    let told = "User: key field `id` contains the delimiter '#'";
    assert_eq!(batch.explain().get("Error"), Some(told));
    assert_eq!(batch.send().await.unwrap_err().to_string(), told);
    assert_eq!(User::get("ann").send(&db).await.unwrap(), None);
}

#[tokio::test]
async fn explain_numbers_each_write() {
    let db = Shop::embedded().await.unwrap();
    let batch = db
        .batch_write()
        .delete(User::key("bob"))
        .put(&orders(1..2)[0]);
    assert_eq!(
        batch.explain().to_string(),
        r#"BatchWriteItem writes
  0              Delete writes
  0.Key.pk       "USER#bob"
  0.Key.sk       "PROFILE"
  1              Put writes
  1.Item.kind    "Order"
  1.Item.number  1
  1.Item.pk      "USER#ann"
  1.Item.sk      "ORDER#00001"
  1.Item.total   10
  1.Item.user    "ann""#
    );
    assert_eq!(format!("{batch:?}"), "BatchWrite(2 writes)");
}

#[tokio::test(start_paused = true)]
async fn thousand_writes_with_a_fifth_unprocessed_all_succeed() {
    let (server, db) = Server::table("BatchWriteItem", |_, body| {
        let mut number = 0;
        leave(body, |_| {
            number += 1;
            number % 5 == 0
        })
    })
    .await;
    let batch = db.batch_write().put_all(&orders(0..1000));
    assert!(batch.send().await.unwrap().is_empty());
    assert_eq!(stored(&db).await, orders(0..1000));
    // 25 writes leave 5, which leave 1, which leaves none.
    let sizes = server.asked().into_iter().map(|body| {
        let writes = body["RequestItems"]["writes"].as_array().unwrap();
        writes.len()
    });
    let mut sizes: Vec<usize> = sizes.collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [[1; 40], [5; 40], [25; 40]].concat());
}

#[tokio::test(start_paused = true)]
async fn unprocessed_writes_are_returned_and_can_be_resent() {
    let undone = ["ORDER#00003", "ORDER#00030", "ORDER#00050"];
    let (server, db) = Server::table("BatchWriteItem", move |n, body| {
        leave(body, |write| {
            let text = write.to_string();
            n < 8 && undone.iter().any(|key| text.contains(key))
        })
    })
    .await;
    let left = db
        .batch_write()
        .put_all(&orders(0..40))
        .delete(Order::key("ann", 50))
        .retries(3)
        .send()
        .await
        .unwrap();
    // Two requests, and three more of each for what they left.
    assert_eq!(server.asked().len(), 8);
    assert_eq!(left.len(), 3);
    let mut puts: Vec<Order> = left.puts().collect::<Result<_, _>>().unwrap();
    puts.sort_by_key(|order| order.number);
    assert_eq!(puts, [&orders(3..4)[..], &orders(30..31)].concat());
    let deletes: Vec<_> = left.deletes::<Order>().collect();
    assert_eq!(deletes, [Order::key("ann", 50)]);
    assert_eq!(
        left.puts::<User>().count() + left.deletes::<User>().count(),
        0
    );
    assert!(left.send().await.unwrap().is_empty());
    assert_eq!(stored(&db).await, orders(0..40));
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_throttled_as_a_whole_is_left_not_lost() {
    let throttled = || {
        Does::Fail(json!({
            "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
            "message": "slow down",
        }))
    };
    // The client tries each request three times by itself.
    let (server, db) = Server::table("BatchWriteItem", move |n, _| match n {
        0..6 => throttled(),
        _ => Does::Pass,
    })
    .await;
    let left = db
        .batch_write()
        .put_all(&orders(0..3))
        .retries(1)
        .send()
        .await
        .unwrap();
    assert_eq!(left.len(), 3);
    assert_eq!(server.asked().len(), 6);
    assert!(left.send().await.unwrap().is_empty());
    assert_eq!(stored(&db).await, orders(0..3));
}

#[tokio::test(start_paused = true)]
async fn error_stops_the_batch_after_started_requests() {
    let (server, db) = Server::table("BatchWriteItem", |n, _| match n {
        1 => Does::Fail(json!({
            "__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
            "message": "no such table",
        })),
        _ => Does::Pass,
    })
    .await;
    let batch = db.batch_write().put_all(&orders(0..200)).concurrency(2);
    let error = batch.send().await.unwrap_err();
    // Some of it was written, so that nothing else is said of it with certainty.
    assert!(error.is_outcome_unknown() && !error.is_table_not_found());
    assert_eq!(error.code(), Some("ResourceNotFoundException"));
    let asked = server.asked().len();
    assert!((2..4).contains(&asked), "{asked} requests");
    let made = (asked - 1) * 25;
    assert_eq!(stored(&db).await.len(), made);
    let Error::PartlyWritten { progress, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(
        (progress.written, progress.unknown, progress.left),
        (made, 0, 200 - made)
    );
}

#[tokio::test(start_paused = true)]
async fn unknown_unprocessed_write_fails_the_whole_chunk() {
    let (server, db): (_, Table<Shop>) = Server::table("BatchWriteItem", |n, _| match n {
        0 => Does::LeaveUndone(json!({ "writes": [
            { "DeleteRequest": { "Key": { "pk": { "S": "USER#x" }, "sk": { "S": "PROFILE" } } } }
        ] })),
        _ => Does::Pass,
    })
    .await;
    let left = db
        .batch_write()
        .put_all(&orders(0..3))
        .send()
        .await
        .unwrap();
    assert!(left.is_empty());
    assert_eq!(server.asked().len(), 2);
    assert_eq!(server.asked()[0], server.asked()[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn batches_run_in_tasks_of_their_own() {
    let db = Shop::embedded().await.unwrap();
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let db = db.clone();
            tokio::spawn(async move {
                let orders = orders(n * 50..n * 50 + 50);
                db.batch_write()
                    .put_all(&orders)
                    .concurrency(8)
                    .send()
                    .await
                    .unwrap()
                    .len()
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), 0);
    }
    assert_eq!(stored(&db).await, orders(0..400));
}
