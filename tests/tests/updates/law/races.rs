//! What happens between loading an item and changing it.

use super::model::{Account, Doc, Event, Law, Mail, Point, Status, account, at, doc, event, mail};
use super::{assert_law, steps::Loaded};
use dyna_runtime::Table;

async fn db() -> Table<Law> {
    let db = Law::embedded().await.unwrap();
    Loaded::new(&db).await;
    db
}

async fn stored(db: &Table<Law>) -> Doc {
    Doc::get("d0").send(db).await.unwrap().unwrap()
}

#[tokio::test]
async fn an_attribute_that_two_indexes_share_stays_for_the_other() {
    let db = db().await;
    let due = || Some("soon".to_owned());
    let point = Point { x: 0, y: 0 };
    let joined = Doc::update("d0").set_by_due_and_by_point(due(), point);
    joined.send(&db).await.unwrap();
    // As it was loaded, the item is in neither index once it has no status.
    let left = Doc::update_loaded(&doc(0)).set(Doc::STATUS, None);
    left.send(&db).await.unwrap();
    assert_eq!(Doc::by_status("d0").count(&db).await.unwrap(), 0);
    let found = Doc::by_due("d0").one(&db).await.unwrap().unwrap();
    assert_eq!((found.status, found.due), (None, due()));
    assert_law(&db).await;
}

#[tokio::test]
async fn struct_in_a_key_must_equal_the_loaded_one() {
    let db = db().await;
    let due = Some("soon".to_owned());
    Doc::update_loaded(&doc(0))
        .set(Doc::DUE, due)
        .send(&db)
        .await
        .unwrap();
    let loaded = stored(&db).await;
    let set_y = Doc::update_loaded(&loaded).set(Doc::POINT.field(Point::Y), 3);
    set_y.send(&db).await.unwrap();
    let set_x = Doc::update_loaded(&loaded).set(Doc::POINT.field(Point::X), 3);
    let error = set_x.send(&db).await.unwrap_err();
    assert_eq!(
        error.current_item::<Doc>().unwrap().unwrap().point,
        Point { x: 0, y: 3 }
    );
    assert_law(&db).await;
}

#[tokio::test]
async fn update_loaded_fails_for_a_locally_modified_entity() {
    let db = db().await;
    let mut altered = Account::get("a").send(&db).await.unwrap().unwrap();
    altered.plan = "pro".to_owned();
    let update = Account::update_loaded(&altered).set(Account::OWNER, "bob");
    let error = update.send(&db).await.unwrap_err();
    // The version is the right one; the plan is not.
    assert!(error.is_condition_failed() && !error.is_version_conflict());
    let found = Account::by_plan("ann", "free").one(&db).await.unwrap();
    assert_eq!(
        found.unwrap(),
        Account {
            version: 1,
            ..account()
        }
    );
}

#[tokio::test]
async fn missing_and_null_are_equal_to_an_update() {
    let db = db().await;
    let point = Point { x: 0, y: 0 };
    // Stored as NULL, where the entity itself would store nothing.
    Doc::update("d0")
        .set_by_due_and_by_point(None, point)
        .send(&db)
        .await
        .unwrap();
    let loaded = stored(&db).await;
    let update = Doc::update_loaded(&loaded).set(Doc::POINT, Point { x: 2, y: 2 });
    update.send(&db).await.unwrap();
    assert_eq!(stored(&db).await.point, Point { x: 2, y: 2 });
    assert_law(&db).await;
}

#[tokio::test]
async fn lossy_key_field_is_an_argument_and_is_compared() {
    let db = db().await;
    let set = |rank, address: &str| Mail::update("ANN").set_by_rank(rank, address).send(&db);
    assert!(set(2, "Ann").await.unwrap_err().is_condition_failed());
    set(2, "ann").await.unwrap();
    let loaded = Mail::by_rank(2).one(&db).await.unwrap().unwrap();
    // Another item under the same key.
    mail(true).put().send(&db).await.unwrap();
    let stale = Mail::update_loaded(&loaded)
        .set(Mail::RANK, 3)
        .send(&db)
        .await;
    assert!(stale.unwrap_err().is_condition_failed());
    assert_law(&db).await;
}

#[tokio::test]
async fn an_instant_that_the_key_cuts_off_is_not_taken_from_it() {
    let db = db().await;
    let by_key = || Event::update("e", at(0)).set_by_room("hall").send(&db);
    assert!(by_key().await.unwrap_err().is_condition_failed());
    let of = Event::update_loaded(&event(1)).set(Event::ROOM, "hall");
    of.send(&db).await.unwrap();
    assert_eq!(Event::by_room("hall").count(&db).await.unwrap(), 1);
    event(0).put().send(&db).await.unwrap();
    by_key().await.unwrap();
    assert_law(&db).await;
}

#[tokio::test]
async fn an_item_in_a_sparse_index_by_one_writer_and_out_of_it_by_another() {
    let db = db().await;
    let loaded = stored(&db).await;
    let out = Doc::update("d0").set_by_status(None);
    out.send(&db).await.unwrap();
    // The field that changes need not be what it was.
    let done = Doc::update_loaded(&loaded).set(Doc::STATUS, Status::Done);
    done.send(&db).await.unwrap();
    let found = Doc::by_status("d0").status(Status::Done).count(&db).await;
    assert_eq!(found.unwrap(), 1);
    assert_law(&db).await;
}
