//! The reader on the embedded engine, with both checkpoints.

use super::model::{Chat, Message, User, message, opened, put_raw};
use dyna_runtime::change::{
    ChangeKind, ChangeStream, CheckpointRecord, Checkpoints, EntityCheckpoints, Event,
    FileCheckpoints, RemovalCause,
};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What comes until nothing comes for ten seconds, in a few words.
async fn told(changes: &mut ChangeStream<Chat>) -> Vec<String> {
    let mut told = Vec::new();
    while let Ok(Some(change)) = tokio::time::timeout(IDLE, changes.next()).await {
        told.push(match change.map(|change| change.kind) {
            Ok(ChangeKind::Insert { new }) => format!("+{}", name(&new)),
            Ok(ChangeKind::Modify { old, new }) => format!("{}>{}", name(&old), name(&new)),
            Ok(ChangeKind::Remove { old, cause }) => match cause {
                RemovalCause::Expired => format!("-{} expired", name(&old)),
                _ => format!("-{}", name(&old)),
            },
            Ok(ChangeKind::Sentinel(event)) => format!("sentinel {event}"),
            Err(Error::Change { problem, event, .. }) => match *problem {
                Error::UnknownItem { .. } => format!("unknown {event}"),
                problem => panic!("{problem}"),
            },
            other => panic!("{other:?}"),
        });
    }
    told
}

const IDLE: Duration = Duration::from_secs(10);

fn name(item: &Chat) -> String {
    match item {
        Chat::User(user) => user.id.clone(),
        Chat::Message(message) => message.text.clone(),
    }
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_change_comes_in_its_order() {
    let (engine, db) = opened::<Chat>().await;
    let mut changes = db.changes().stream();
    message(1, "a").put().send(&db).await.unwrap();
    message(1, "b").put().send(&db).await.unwrap();
    put_raw(&db, &[("pk", "ROBOT#r2"), ("sk", "@"), ("type", "Robot")]).await;
    let old = Message {
        expires: Some(1_000_000_000),
        ..message(2, "old")
    };
    old.put().send(&db).await.unwrap();
    assert_eq!(
        told(&mut changes).await,
        ["+a", "a>b", "unknown INSERT", "+old"]
    );

    // The stream goes on with what comes later.
    engine.database().sweep_ttl().unwrap();
    Message::delete("general", 1).send(&db).await.unwrap();
    assert_eq!(told(&mut changes).await, ["-old expired", "-b"]);

    let ann = User {
        id: "ann".to_owned(),
        mail: "ann@example.com".to_owned(),
    };
    ann.create().send(&db).await.unwrap();
    let mut found = told(&mut changes).await;
    found.sort();
    assert_eq!(found, ["+ann", &format!("sentinel {}", Event::Insert)]);
}

#[tokio::test(start_paused = true)]
async fn latest_begins_with_the_next_change() {
    let (_engine, db) = opened::<Chat>().await;
    message(1, "before").put().send(&db).await.unwrap();
    let mut changes = db.changes().from_latest().stream();
    changes.start().await.unwrap();
    message(2, "after").put().send(&db).await.unwrap();
    assert_eq!(told(&mut changes).await, ["+after"]);
}

/// An entity that holds checkpoints, in a table of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "readers", pk = "pk"), pk = "READER#<name>")]
struct Reader {
    name: String,
    positions: String,
}

impl CheckpointRecord for Reader {
    fn checkpoint(&self) -> &str {
        &self.positions
    }

    fn set_checkpoint(&mut self, text: String) {
        self.positions = text;
    }
}

fn reader() -> Reader {
    Reader {
        name: "mailer".to_owned(),
        positions: String::new(),
    }
}

/// A file that is removed in the end.
struct TempFile(PathBuf);

impl TempFile {
    fn new() -> Self {
        let name = format!(
            "dyna-checkpoint-{}-{}",
            std::process::id(),
            fastrand::u64(..)
        );
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Drops the reader after each change, with a checkpoint after every change or before it is lost.
async fn resumes_at_every_change<C: Checkpoints>(db: &Table<Chat>, checkpoints: impl Fn() -> C) {
    for n in 1..=6 {
        message(n, &format!("m{n}")).put().send(db).await.unwrap();
    }
    for n in 1..=6 {
        // Killed before the checkpoint: it comes again.
        for _ in 0..2 {
            let mut changes = db.changes().checkpoints(checkpoints()).stream();
            let change = changes.next().await.unwrap().unwrap();
            assert_eq!(change.key_of::<Message>(), Some(Message::key("general", n)));
        }
        let mut changes = db.changes().checkpoints(checkpoints()).stream();
        changes.next().await.unwrap().unwrap();
        changes.checkpoint().await.unwrap();
        // What comes behind the checkpoint is not stored.
        drop(tokio::time::timeout(IDLE, changes.next()).await);
    }
    let mut changes = db.changes().checkpoints(checkpoints()).stream();
    assert!(told(&mut changes).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_reader_resumes_from_a_file() {
    let (_engine, db) = opened::<Chat>().await;
    let file = TempFile::new();
    resumes_at_every_change(&db, || FileCheckpoints::new(&file.0)).await;

    std::fs::write(&file.0, "no checkpoint").unwrap();
    let mut changes = db
        .changes()
        .checkpoints(FileCheckpoints::new(&file.0))
        .stream();
    let error = changes.next().await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Checkpoint { .. }), "{error}");
    assert!(changes.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_reader_resumes_from_an_entity_of_another_table() {
    let (engine, db) = opened::<Chat>().await;
    let readers = Table::<Reader>::embedded_in(&engine).await.unwrap();
    resumes_at_every_change(&db, || EntityCheckpoints::new(&readers, reader())).await;
}

/// A table that holds the checkpoints of its own readers.
#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "own", pk = "pk", sk = "sk", tag = "type", stream = "new_image")]
enum Own {
    Note(Note),
    OwnReader(OwnReader),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Own, pk = "NOTE", sk = "<n:04>")]
struct Note {
    n: u16,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Own, pk = "READER", sk = "<name>")]
struct OwnReader {
    name: String,
    positions: String,
}

impl CheckpointRecord for OwnReader {
    fn checkpoint(&self) -> &str {
        &self.positions
    }

    fn set_checkpoint(&mut self, text: String) {
        self.positions = text;
    }
}

#[tokio::test(start_paused = true)]
async fn checkpoints_in_the_table_itself_cause_no_changes() {
    let (_engine, db) = opened::<Own>().await;
    let checkpoints = || {
        let record = OwnReader {
            name: "mailer".to_owned(),
            positions: String::new(),
        };
        EntityCheckpoints::new(&db, record)
    };
    for n in 0..5 {
        Note { n }.put().send(&db).await.unwrap();
    }
    let mut found = Vec::new();
    let mut changes = db.changes().checkpoints(checkpoints()).stream();
    while let Ok(Some(change)) = tokio::time::timeout(IDLE, changes.next()).await {
        found.push(change.unwrap().kind);
        changes.checkpoint().await.unwrap();
        assert!(found.len() <= 5, "a checkpoint caused a change");
    }
    assert_eq!(found.len(), 5);
    assert_eq!(changes.left_out(), 5);
    drop(changes);

    let mut changes = db.changes().checkpoints(checkpoints()).stream();
    let next = tokio::time::timeout(IDLE, changes.next()).await;
    assert!(next.is_err(), "{next:?}");
    // Those behind the last checkpoint.
    assert_eq!(changes.left_out(), 5);
}
