//! The images that a change has are those that the table declares, by type.

use super::model::{Chat, User, message, opened, records};
use dyna_runtime::change::{Change, ChangeKind, Event, Record, RemovalCause};
use dyna_runtime::codec::Item;
use dyna_runtime::schema::{KeysOnly, NewImage, NoImage};
use dyna_runtime::{DynaEntity, DynaTable, Get};
use serde::{Deserialize, Serialize};

macro_rules! table {
    ($module:ident, $stream:literal) => {
        mod $module {
            use super::*;

            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
            #[dyna(table(name = "notes", pk = "pk", sk = "sk", stream = $stream), pk = "USER#<user>", sk = "NOTE#<n:04>")]
            pub(super) struct Note {
                pub(super) user: String,
                pub(super) n: u16,
                pub(super) text: String,
            }

            pub(super) fn note(text: &str) -> Note {
                Note { user: "ann".to_owned(), n: 7, text: text.to_owned() }
            }

            /// The changes of an item that is put, put again and deleted.
            pub(super) async fn changes() -> Vec<Change<Note>> {
                let (engine, db) = opened::<Note>().await;
                note("a").put().send(&db).await.unwrap();
                note("b").put().send(&db).await.unwrap();
                Note::delete("ann", 7_u16).send(&db).await.unwrap();
                let records = records(&engine, &db).await.into_iter();
                let changes: Vec<_> = records.map(|record| Note::change(record).unwrap()).collect();
                for change in &changes {
                    assert_eq!(change.entity().unwrap().name, "Note");
                    assert_eq!(change.key_of::<Note>(), Some(Note::key("ann", 7_u16)));
                    let (pk, sk) = change.key.reveal_parts();
                    assert_eq!(Note::parse_key(&pk, &sk), Ok(("ann".to_owned(), 7)));
                }
                changes
            }
        }
    };
}

table!(new_image, "new_image");
table!(old_image, "old_image");
table!(keys_only, "keys_only");

fn kinds<T: DynaTable, New: Clone, Old: Clone>(
    changes: &[Change<T>],
    kind: impl Fn(&Change<T>) -> ChangeKind<New, Old>,
) -> Vec<ChangeKind<New, Old>> {
    changes.iter().map(kind).collect()
}

const DELETED: RemovalCause = RemovalCause::Deleted;

#[tokio::test]
async fn new_image_has_the_item_after_the_change() {
    use new_image::{changes, note};
    let changes = changes().await;
    let [a, b] = [note("a"), note("b")];
    let expected = [
        ChangeKind::Insert { new: a },
        ChangeKind::Modify {
            old: NoImage,
            new: b,
        },
        ChangeKind::Remove {
            old: NoImage,
            cause: DELETED,
        },
    ];
    assert_eq!(kinds(&changes, |change| change.kind.clone()), expected);
}

#[tokio::test]
async fn old_image_has_the_item_before_the_change() {
    use old_image::{changes, note};
    let changes = changes().await;
    let [a, b] = [note("a"), note("b")];
    let expected = [
        ChangeKind::Insert { new: NoImage },
        ChangeKind::Modify {
            old: a,
            new: NoImage,
        },
        ChangeKind::Remove {
            old: b,
            cause: DELETED,
        },
    ];
    assert_eq!(kinds(&changes, |change| change.kind.clone()), expected);
}

#[tokio::test]
async fn keys_only_has_the_key() {
    let changes = keys_only::changes().await;
    let expected = [
        ChangeKind::Insert { new: NoImage },
        ChangeKind::Modify {
            old: NoImage,
            new: NoImage,
        },
        ChangeKind::Remove {
            old: NoImage,
            cause: DELETED,
        },
    ];
    assert_eq!(kinds(&changes, |change| change.kind.clone()), expected);
}

#[tokio::test]
async fn the_key_of_a_change_loads_the_item() {
    use keys_only::{Note, note};
    let (engine, db) = opened::<Note>().await;
    note("a").put().send(&db).await.unwrap();
    let change = Note::change(records(&engine, &db).await.remove(0)).unwrap();
    let key = change.key_of::<Note>().unwrap();
    assert_eq!(Get::new(key).send(&db).await.unwrap(), Some(note("a")));
}

/// A key as a record has it.
fn keys(pk: &str, sk: &str) -> Item {
    let text = |text: &str| aws_sdk_dynamodb::types::AttributeValue::S(text.to_owned());
    Item::from([("pk".to_owned(), text(pk)), ("sk".to_owned(), text(sk))])
}

#[test]
fn a_key_of_no_entity_is_a_change_without_one() {
    let record = Record::new(Event::Insert, keys("ROBOT#r2", "@"));
    let change = Change::<keys_only::Note>::from_record(record).unwrap();
    assert!(change.entity().is_none());
    assert!(change.key_of::<keys_only::Note>().is_none());
    assert_eq!(change.key.to_string(), "<pk>/<sk>");
    assert_eq!(change.key.reveal(), "ROBOT#r2/@");
}

#[tokio::test]
async fn a_sentinel_is_known_by_its_key_alone() {
    let (engine, db) = opened::<Chat>().await;
    let ann = User {
        id: "ann".to_owned(),
        mail: "ann@example.com".to_owned(),
    };
    ann.create().send(&db).await.unwrap();
    let records = records(&engine, &db).await.into_iter();
    let changes = records.map(|record| Change::<Chat, KeysOnly>::from_record(record).unwrap());
    let mut found: Vec<_> = changes
        .map(|change| (change.kind.clone(), change.entity().map(|it| it.name)))
        .collect();
    found.sort_by_key(|(_, entity)| *entity);
    let user = ChangeKind::Insert { new: NoImage };
    let sentinel = ChangeKind::Sentinel(Event::Insert);
    assert_eq!(found, [(sentinel, None), (user, Some("User"))]);
}

#[test]
fn a_record_without_its_image_or_key_is_an_error() {
    let record = Record::new(Event::Insert, keys("CHANNEL#general", "MSG#0001"));
    let error = Chat::change(record.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Chat: INSERT: the record cannot be read: it has no new image: the stream has another view type than the table declares"
    );
    // A view that needs no image takes it.
    assert!(Change::<Chat, KeysOnly>::from_record(record.clone()).is_ok());
    // A removal has no new image.
    let removed = Record {
        event: Event::Remove,
        ..record.clone()
    };
    assert!(Change::<Chat, NewImage>::from_record(removed).is_ok());

    let mut modified = Record {
        event: Event::Modify,
        ..record
    };
    modified.new = Some(DynaTable::to_item(&Chat::Message(message(1, "hi"))).unwrap());
    let error = Chat::change(modified.clone()).unwrap_err();
    assert!(error.to_string().contains("no old image"), "{error}");
    modified.keys.remove("sk");
    let error = Chat::change(modified).unwrap_err();
    assert!(
        error.to_string().contains("no key of this table"),
        "{error}"
    );
}
