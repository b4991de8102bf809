//! The times of creation and of the last change.

use super::{Note, db};
use jiff::Timestamp;

fn note() -> Note {
    Note {
        id: "n".to_owned(),
        text: "a".to_owned(),
        created: Timestamp::UNIX_EPOCH,
        updated: None,
    }
}

async fn stored(db: &dyna_runtime::Table<super::Office>) -> (i64, Option<u64>) {
    let note = Note::get("n").send(db).await.unwrap().unwrap();
    (note.created.as_second(), note.updated)
}

#[tokio::test]
async fn create_fills_in_both_times_and_later_writes_the_second() {
    let (db, clock) = db().await;
    let created = note().create().returning_new().send(&db).await.unwrap();
    assert_eq!(
        (created.created.as_second(), created.updated),
        (1_000, Some(1_000_000))
    );
    assert_eq!(stored(&db).await, (1_000, Some(1_000_000)));
    clock.set(2_000);
    Note::update("n")
        .set(Note::TEXT, "b")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db).await, (1_000, Some(2_000_000)));
    clock.set(3_000);
    created.replace().send(&db).await.unwrap();
    assert_eq!(stored(&db).await, (1_000, Some(3_000_000)));
    clock.set(4_000);
    db.transact()
        .update(Note::update("n").set(Note::TEXT, "c"))
        .send()
        .await
        .unwrap();
    assert_eq!(stored(&db).await, (1_000, Some(4_000_000)));
    clock.set(5_000);
    let left = db.batch_write().put(&created).send().await.unwrap();
    assert!(left.is_empty());
    assert_eq!(stored(&db).await, (1_000, Some(5_000_000)));
}

#[tokio::test]
async fn upsert_keeps_created_at() {
    let (db, clock) = db().await;
    Note::upsert("n")
        .set(Note::TEXT, "a")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db).await, (1_000, Some(1_000_000)));
    clock.set(2_000);
    Note::upsert("n")
        .set(Note::TEXT, "b")
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db).await, (1_000, Some(2_000_000)));
}

#[tokio::test]
async fn empty_update_leaves_timestamps_unchanged() {
    let (db, clock) = db().await;
    note().create().send(&db).await.unwrap();
    clock.set(2_000);
    Note::update("n")
        .when(Note::TEXT.eq("a"))
        .send(&db)
        .await
        .unwrap();
    assert_eq!(stored(&db).await, (1_000, Some(1_000_000)));
}
