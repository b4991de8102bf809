//! A rolling deployment under load: the older and the newer program, which has a new entity, a new field and a new index, read and write one
//! table at the same time. Nothing is lost, and no read fails.

use dyna_runtime::Table;
use dyna_runtime::embedded::Embedded;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

mod old {
    use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, DynaTable)]
    #[dyna(
        name = "notes",
        pk = "pk",
        sk = "sk",
        tag = "type",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
    )]
    pub(super) enum Notes {
        User(User),
        Note(Note),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Notes, pk = "USER#<id>", sk = "@")]
    pub(super) struct User {
        pub(super) id: String,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Notes, pk = "USER#<id>", sk = "<at:04>",
        gsi1(as = by_day, pk = "DAY#<day>", sk = "<at:04>"),
    )]
    pub(super) struct Note {
        pub(super) id: String,
        pub(super) at: u16,
        pub(super) day: String,
        pub(super) edits: u32,
    }

    #[derive(Debug, PartialEq, DynaCollection)]
    pub(super) enum Home {
        User(User),
        Note(Note),
    }
}

mod new {
    use dyna_runtime::{DynaEntity, DynaTable};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, DynaTable)]
    #[dyna(
        name = "notes",
        pk = "pk",
        sk = "sk",
        tag = "type",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk", sk = "gsi2sk")
    )]
    pub(super) enum Notes {
        User(User),
        Note(Note),
        Reminder(Reminder),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Notes, pk = "USER#<id>", sk = "@")]
    pub(super) struct User {
        pub(super) id: String,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Notes, pk = "USER#<id>", sk = "<at:04>",
        gsi1(as = by_day, pk = "DAY#<day>", sk = "<at:04>"),
        gsi2(as = by_color, pk = "COLOR#<color>", sk = "<at:04>"),
    )]
    pub(super) struct Note {
        pub(super) id: String,
        pub(super) at: u16,
        pub(super) day: String,
        pub(super) edits: u32,
        /// New: the older program leaves it as it is.
        #[serde(default)]
        pub(super) color: Option<String>,
    }

    /// New: it lies between the notes, in the table and in an index.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Notes, pk = "USER#<id>", sk = "<at:04>#R",
        gsi1(as = by_day, pk = "DAY#<day>", sk = "<at:04>#R"),
    )]
    pub(super) struct Reminder {
        pub(super) id: String,
        pub(super) at: u16,
        pub(super) day: String,
    }
}

const NOTES: u16 = 60;
const EDITS: u16 = 4;

fn text(text: &str) -> String {
    text.to_owned()
}

/// Writes the notes with even numbers, and changes all that are there.
async fn older(db: Table<old::Notes>, written: Arc<AtomicUsize>) {
    for at in (0..NOTES).step_by(2) {
        let note = old::Note {
            id: text("ann"),
            at,
            day: text("mon"),
            edits: 0,
        };
        note.create().send(&db).await.unwrap();
        written.fetch_add(1, Ordering::SeqCst);
        edit_older(&db, at).await;
    }
}

async fn edit_older(db: &Table<old::Notes>, at: u16) {
    for _ in 0..EDITS {
        let update = old::Note::update("ann", at).add(old::Note::EDITS, 1);
        update.send(db).await.unwrap();
    }
}

/// Writes the notes with odd numbers, each with a color, and a reminder after each.
async fn newer(db: Table<new::Notes>, older: Table<old::Notes>, written: Arc<AtomicUsize>) {
    for at in (1..NOTES).step_by(2) {
        let note = new::Note {
            id: text("ann"),
            at,
            day: text("mon"),
            edits: 0,
            color: Some(text("red")),
        };
        note.create().send(&db).await.unwrap();
        written.fetch_add(1, Ordering::SeqCst);
        let reminder = new::Reminder {
            id: text("ann"),
            at,
            day: text("mon"),
        };
        reminder.create().send(&db).await.unwrap();
        // The older program changes notes of the newer one, and the newer one those of the older.
        edit_older(&older, at).await;
        let loaded = new::Note::get("ann", at).consistent().send(&db).await;
        let loaded = loaded.unwrap().unwrap();
        let update = new::Note::update_loaded(&loaded).set(new::Note::COLOR, text("blue"));
        update.send(&db).await.unwrap();
    }
}

/// Every read sees what was written before it began, and none fails.
async fn read_older(db: Table<old::Notes>, written: Arc<AtomicUsize>) {
    loop {
        let before = written.load(Ordering::SeqCst);
        let notes = old::Note::query("ann").consistent().all(&db).await.unwrap();
        assert!(notes.len() >= before, "{} of {before}", notes.len());
        let home = old::Home::query("ann").consistent().all(&db).await.unwrap();
        assert!(home.len() > before);
        assert!(old::Note::scan().consistent().count(&db).await.unwrap() >= before);
        let all = old::Notes::scan()
            .consistent()
            .skip_unknown()
            .all(&db)
            .await;
        assert!(all.unwrap().len() > before);
        if before == usize::from(NOTES) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

async fn read_newer(db: Table<new::Notes>, written: Arc<AtomicUsize>) {
    loop {
        let before = written.load(Ordering::SeqCst);
        let notes = new::Note::query("ann").consistent().all(&db).await.unwrap();
        assert!(notes.len() >= before, "{} of {before}", notes.len());
        let all = new::Notes::scan().consistent().all(&db).await.unwrap();
        assert!(all.len() > before);
        if before == usize::from(NOTES) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_versions_of_a_program_write_one_table_at_once_and_nothing_is_lost() {
    let engine = Embedded::in_memory().unwrap();
    let old_db = Table::<old::Notes>::embedded_in(&engine).await.unwrap();
    let new_db = Table::<new::Notes>::open(engine.client());
    let user = old::User { id: text("ann") };
    user.create().send(&old_db).await.unwrap();
    // The newer program adds its index, and the older one still takes the table for its own.
    assert_eq!(new_db.add_missing_indexes().await.unwrap(), ["gsi2"]);
    new_db.verify().await.unwrap();
    old_db.verify().await.unwrap();

    let written = Arc::new(AtomicUsize::new(0));
    let tasks = [
        tokio::spawn(older(old_db.clone(), Arc::clone(&written))),
        tokio::spawn(newer(new_db.clone(), old_db.clone(), Arc::clone(&written))),
        tokio::spawn(read_older(old_db.clone(), Arc::clone(&written))),
        tokio::spawn(read_newer(new_db.clone(), Arc::clone(&written))),
    ];
    for task in tasks {
        task.await.unwrap();
    }

    let notes = new::Note::query("ann")
        .consistent()
        .all(&new_db)
        .await
        .unwrap();
    let is_new = |at: u16| at % 2 == 1;
    let want: Vec<_> = (0..NOTES)
        .map(|at| new::Note {
            id: text("ann"),
            at,
            day: text("mon"),
            edits: u32::from(EDITS),
            color: is_new(at).then(|| text("blue")),
        })
        .collect();
    assert_eq!(notes, want);
    let blue = new::Note::by_color("blue").all(&new_db).await.unwrap();
    let want_blue: Vec<_> = want
        .iter()
        .filter(|note| is_new(note.at))
        .cloned()
        .collect();
    assert_eq!(blue, want_blue);
    assert_eq!(new::Note::by_color("red").count(&new_db).await.unwrap(), 0);
    let half = usize::from(NOTES) / 2;
    let reminders = new::Reminder::query("ann").all(&new_db).await.unwrap();
    assert_eq!(reminders.len(), half);
    let page = old::Note::by_day("mon").send(&old_db).await.unwrap();
    assert_eq!(page.items.len(), usize::from(NOTES));
    let all = new::Notes::scan().all(&new_db).await.unwrap();
    assert_eq!(all.len(), usize::from(NOTES) + half + 1);
}

/// The newer program has an index over a field that the older one has too.
mod owned {
    pub(super) mod old {
        use dyna_runtime::{DynaEntity, DynaTable};
        use serde::{Deserialize, Serialize};

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
        #[dyna(table(name = "tasks", pk = "pk"), pk = "TASK#<id>")]
        pub(crate) struct Task {
            pub(crate) id: String,
            pub(crate) owner: String,
        }
    }

    pub(super) mod new {
        use dyna_runtime::{DynaEntity, DynaTable};
        use serde::{Deserialize, Serialize};

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
        #[dyna(
            table(name = "tasks", pk = "pk", index(gsi1, pk = "gsi1pk")),
            pk = "TASK#<id>",
            gsi1(as = by_owner, pk = "OWNER#<owner>"),
        )]
        pub(crate) struct Task {
            pub(crate) id: String,
            pub(crate) owner: String,
        }
    }
}

#[tokio::test]
async fn key_that_an_older_program_left_stale_is_found_and_repaired() {
    use dyna_runtime::Error;
    use dyna_runtime::error::Misfit;
    use owned::{new, old};

    let engine = Embedded::in_memory().unwrap();
    let new_db = Table::<new::Task>::embedded_in(&engine).await.unwrap();
    let old_db = Table::<old::Task>::open(engine.client());
    let owners = async |owner: &str| {
        let found = new::Task::by_owner(owner).all(&new_db).await.unwrap();
        let owners = found.into_iter().map(|task| task.owner);
        owners.collect::<Vec<_>>()
    };
    for id in ["1", "2"] {
        let (id, owner) = (text(id), text("ann"));
        new::Task { id, owner }
            .create()
            .send(&new_db)
            .await
            .unwrap();
        // The older program does not know of the index.
        let update = old::Task::update(id_of(&new_db, "ann").await);
        update
            .set(old::Task::OWNER, "bob")
            .send(&old_db)
            .await
            .unwrap();
        assert_eq!(owners("ann").await, ["bob"]);
        assert!(owners("bob").await.is_empty());

        let checked = new_db.clone().check_keys();
        let error = new::Task::by_owner("ann").all(&checked).await.unwrap_err();
        assert!(
            matches!(
                error,
                Error::Misfit {
                    misfit: Misfit::Index("gsi1"),
                    ..
                }
            ),
            "{error}"
        );
        let stale = new::Task::by_owner("ann")
            .one(&new_db)
            .await
            .unwrap()
            .unwrap();
        if stale.id == "1" {
            let update = new::Task::update_loaded(&stale);
            let update = update.set(new::Task::OWNER, stale.owner.clone());
            update.send(&new_db).await.unwrap();
        } else {
            stale.put().send(&new_db).await.unwrap();
        }
        assert!(owners("ann").await.is_empty());
        assert_eq!(owners("bob").await, ["bob"]);
        new::Task::by_owner("bob").all(&checked).await.unwrap();
        new::Task::delete(&stale.id).send(&new_db).await.unwrap();
    }
}

async fn id_of(db: &Table<owned::new::Task>, owner: &str) -> String {
    let found = owned::new::Task::by_owner(owner).one(db).await.unwrap();
    found.unwrap().id
}

#[tokio::test]
async fn key_that_an_older_program_dropped_is_made_again() {
    use owned::{new, old};

    let engine = Embedded::in_memory().unwrap();
    let new_db = Table::<new::Task>::embedded_in(&engine).await.unwrap();
    let old_db = Table::<old::Task>::open(engine.client());
    let (id, owner) = (text("1"), text("ann"));
    old::Task { id, owner }.put().send(&old_db).await.unwrap();
    assert_eq!(new::Task::by_owner("ann").count(&new_db).await.unwrap(), 0);
    let checked = new_db.clone().check_keys();
    new::Task::get("1").send(&checked).await.unwrap_err();
    let task = new::Task::get("1").send(&new_db).await.unwrap().unwrap();
    task.put().send(&new_db).await.unwrap();
    assert_eq!(new::Task::by_owner("ann").count(&new_db).await.unwrap(), 1);
    new::Task::get("1").send(&checked).await.unwrap();
}
