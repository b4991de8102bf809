//! A rolling deployment: two versions of a program read and write one table at once.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{Error, Table};

macro_rules! version {
    ($module:ident, [$($note_field:tt)*], [$($more:tt)*], $($entities:tt)*) => {
        mod $module {
            use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
            use serde::{Deserialize, Serialize};

            #[derive(Debug, PartialEq, DynaTable)]
            #[dyna(
                name = "notes", pk = "pk", sk = "sk", tag = "type",
                index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
                index(keys, pk = "gsi2pk", projection = "keys_only"),
            )]
            pub(super) enum Notes { User(User), Note(Note), $($more)* }

            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
            #[dyna(table = Notes, pk = "USER#<id>", sk = "@")]
            pub(super) struct User { pub(super) id: String }

            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
            #[dyna(
                table = Notes, pk = "USER#<id>", sk = "<at:04>",
                gsi1(as = by_day, pk = "DAY#<day>", sk = "<at:04>"),
                keys(as = by_owner, pk = "OWNER#<id>"),
            )]
            pub(super) struct Note {
                pub(super) id: String,
                pub(super) at: u16,
                pub(super) day: String,
                $($note_field)*
            }

            #[derive(Debug, PartialEq, DynaCollection)]
            pub(super) enum Home { User(User), Note(Note) }

            $($entities)*
        }
    };
}

version!(old, [], [],);
version!(
    new,
    [
        #[serde(default)]
        pub(super) color: Option<String>,
    ],
    [Reminder(Reminder)],
    /// New: it lies between the notes of a user, and in both indexes.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Notes, pk = "USER#<id>", sk = "<at:04>#R",
        gsi1(as = by_day, pk = "DAY#<day>", sk = "<at:04>#R"),
        keys(as = by_owner, pk = "OWNER#<id>"),
    )]
    pub(super) struct Reminder {
        pub(super) id: String,
        pub(super) at: u16,
        pub(super) day: String,
    }
);

fn text(text: &str) -> String {
    text.to_owned()
}

fn old_note(at: u16) -> old::Note {
    old::Note {
        id: text("ann"),
        at,
        day: text("mon"),
    }
}

fn new_note(at: u16, color: Option<&str>) -> new::Note {
    new::Note {
        id: text("ann"),
        at,
        day: text("mon"),
        color: color.map(text),
    }
}

/// Both versions have written.
async fn both() -> (Table<old::Notes>, Table<new::Notes>) {
    let engine = Embedded::in_memory().unwrap();
    let old = Table::<old::Notes>::embedded_in(&engine).await.unwrap();
    let new = Table::<new::Notes>::open(engine.client());
    old::User { id: text("ann") }
        .create()
        .send(&old)
        .await
        .unwrap();
    for at in [1, 3] {
        old_note(at).create().send(&old).await.unwrap();
        new_note(at + 1, Some("red"))
            .create()
            .send(&new)
            .await
            .unwrap();
        let reminder = new::Reminder {
            id: text("ann"),
            at,
            day: text("mon"),
        };
        reminder.create().send(&new).await.unwrap();
    }
    (old, new)
}

#[tokio::test]
async fn older_program_reads_known_items_beside_a_newer_one() {
    let (db, _) = both().await;
    let notes: Vec<_> = (1..=4).map(old_note).collect();
    assert_eq!(old::Note::query("ann").all(&db).await.unwrap(), notes);
    assert_eq!(
        old::Note::query("ann").send(&db).await.unwrap().items,
        notes
    );
    assert_eq!(
        old::Note::query("ann")
            .at_range(2..)
            .all(&db)
            .await
            .unwrap(),
        notes[1..]
    );
    assert_eq!(
        old::Note::query_many(["ann", "bob"])
            .all(&db)
            .await
            .unwrap(),
        notes
    );
    assert_eq!(old::Note::query("ann").count(&db).await.unwrap(), 4);
    assert_eq!(old::Note::by_day("mon").all(&db).await.unwrap(), notes);
    assert_eq!(old::Note::by_day("mon").count(&db).await.unwrap(), 4);
    let hydrated = old::Note::by_owner("ann").hydrate().all(&db).await.unwrap();
    assert_eq!(hydrated.len(), 4);
    assert_eq!(old::Note::scan().all(&db).await.unwrap(), notes);
    assert_eq!(old::Note::scan().count(&db).await.unwrap(), 4);
    assert_eq!(
        old::Note::get("ann", 2).send(&db).await.unwrap(),
        Some(old_note(2))
    );
    let batch = db.batch_get([old::Note::key("ann", 2)]).await.unwrap();
    assert_eq!(batch.items, [Some(old_note(2))]);
    let (read,) = db.transact_get((old::Note::key("ann", 4),)).await.unwrap();
    assert_eq!(read, Some(old_note(4)));
    assert_eq!(old::Home::query("ann").all(&db).await.unwrap().len(), 5);
    assert_eq!(old::Home::query("ann").count(&db).await.unwrap(), 5);
    assert_eq!(
        old::Notes::scan()
            .skip_unknown()
            .all(&db)
            .await
            .unwrap()
            .len(),
        5
    );
    assert!(matches!(
        old::Notes::scan().all(&db).await,
        Err(Error::UnknownItem { .. })
    ));

    // Pages go on past what is left out.
    let (mut cursor, mut paged) = (None, Vec::new());
    loop {
        let page = old::Note::query("ann")
            .limit(1)
            .after(cursor)
            .send(&db)
            .await
            .unwrap();
        paged.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(paged, notes);
}

#[tokio::test]
async fn newer_program_reads_items_of_an_older_one() {
    let (_, db) = both().await;
    let notes: Vec<_> = (1..=4)
        .map(|at| new_note(at, (at % 2 == 0).then_some("red")))
        .collect();
    assert_eq!(new::Note::query("ann").all(&db).await.unwrap(), notes);
    assert_eq!(new::Note::by_day("mon").all(&db).await.unwrap(), notes);
    assert_eq!(new::Note::scan().all(&db).await.unwrap(), notes);
    assert_eq!(new::Reminder::query("ann").all(&db).await.unwrap().len(), 2);
    assert_eq!(new::Notes::scan().all(&db).await.unwrap().len(), 7);
    assert_eq!(new::Home::query("ann").all(&db).await.unwrap().len(), 5);
}
