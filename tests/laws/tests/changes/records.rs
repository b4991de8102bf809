//! Records of the embedded engine's stream.

use super::model::{Any, Chat, Message, User, message, opened, put_raw, records};
use dyna_runtime::Error;
use dyna_runtime::change::{Change, ChangeKind, Event, RemovalCause};
use std::time::{Duration, SystemTime};

#[tokio::test]
async fn insert_modify_and_remove_carry_their_images_key_sequence_and_time() {
    let (engine, db) = opened::<Chat>().await;
    let first = message(1, "hello");
    first.put().send(&db).await.unwrap();
    Message::update("general", 1)
        .set(Message::TEXT, "hello, all")
        .send(&db)
        .await
        .unwrap();
    Message::delete("general", 1).send(&db).await.unwrap();

    let edited = message(1, "hello, all");
    let changes: Vec<Change<Chat>> = records(&engine, &db)
        .await
        .into_iter()
        .map(|record| Chat::change(record).unwrap())
        .collect();
    let kinds: Vec<_> = changes.iter().map(|change| change.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            ChangeKind::Insert {
                new: Chat::Message(first.clone())
            },
            ChangeKind::Modify {
                old: Chat::Message(first),
                new: Chat::Message(edited.clone())
            },
            ChangeKind::Remove {
                old: Chat::Message(edited),
                cause: RemovalCause::Deleted
            },
        ]
    );
    let sequences = changes.iter().map(|change| {
        let sequence = change.sequence.as_deref().unwrap();
        sequence.parse::<u128>().unwrap()
    });
    assert!(sequences.is_sorted_by(|a, b| a < b));
    for change in &changes {
        assert_eq!(change.entity().unwrap().name, "Message");
        assert_eq!(change.key.to_string(), "CHANNEL#<channel>/MSG#<n:04>");
        assert_eq!(change.key.reveal(), "CHANNEL#general/MSG#0001");
        assert_eq!(
            change.key_of::<Message>(),
            Some(Message::key("general", 1_u16))
        );
        assert_eq!(change.key_of::<User>(), None);
        let age = SystemTime::now().duration_since(change.time.unwrap());
        assert!(age.unwrap_or_default() < Duration::from_mins(5));
    }
}

#[tokio::test]
async fn expired_items_are_told_from_deleted_ones() {
    let (engine, db) = opened::<Chat>().await;
    let old = Message {
        expires: Some(1_000_000_000),
        ..message(1, "old")
    };
    old.put().send(&db).await.unwrap();
    message(2, "kept").put().send(&db).await.unwrap();
    engine.database().sweep_ttl().unwrap();
    Message::delete("general", 2).send(&db).await.unwrap();

    let removals: Vec<_> = records(&engine, &db)
        .await
        .into_iter()
        .filter_map(|record| match Chat::change(record).unwrap().kind {
            ChangeKind::Remove {
                old: Chat::Message(old),
                cause,
            } => Some((old.n, cause)),
            _ => None,
        })
        .collect();
    let expected = [(1, RemovalCause::Expired), (2, RemovalCause::Deleted)];
    assert_eq!(removals, expected);
}

#[tokio::test]
async fn sentinels_of_unique_fields_are_a_kind_of_their_own() {
    let (engine, db) = opened::<Chat>().await;
    let ann = User {
        id: "ann".to_owned(),
        mail: "ann@example.com".to_owned(),
    };
    ann.create().send(&db).await.unwrap();
    User::delete_loaded(&ann).send(&db).await.unwrap();

    let (mut users, mut sentinels) = (Vec::new(), Vec::new());
    for record in records(&engine, &db).await {
        let change = Chat::change(record).unwrap();
        match change.kind {
            ChangeKind::Sentinel(event) => {
                assert!(change.entity().is_none());
                assert_eq!(change.key_of::<User>(), None);
                sentinels.push(event);
            }
            kind => users.push(kind.event()),
        }
    }
    assert_eq!(users, [Event::Insert, Event::Remove]);
    assert_eq!(sentinels, [Event::Insert, Event::Remove]);
}

#[tokio::test]
async fn unknown_items_are_errors_or_go_to_the_catch_all() {
    let (engine, db) = opened::<Chat>().await;
    let robot = [("pk", "ROBOT#r2"), ("sk", "@"), ("type", "Robot")];
    put_raw(&db, &robot).await;

    let record = records(&engine, &db).await.remove(0);
    let sequence = record.dynamodb().unwrap().sequence_number().unwrap();
    let sequence = sequence.to_owned();
    let error = Chat::change(record.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "Chat: INSERT with sequence number {sequence}: Chat: the item matches no entity of this table: \
             add its entity, or a variant `#[dyna(unknown)]`"
        )
    );
    assert!(
        matches!(&error, Error::Change { problem, .. } if matches!(**problem, Error::UnknownItem { .. }))
    );
    assert_eq!(error.key().unwrap().reveal(), "ROBOT#r2/@");

    let change = Any::change(record).unwrap();
    assert!(change.entity().is_none());
    let ChangeKind::Insert {
        new: Any::Other(item),
    } = change.kind
    else {
        panic!("not the catch-all");
    };
    assert_eq!(item["type"].as_s().unwrap(), "Robot");
}

#[tokio::test]
async fn misfits_are_errors_that_name_the_entity_and_no_value() {
    let (engine, db) = opened::<Chat>().await;
    let misfit = [("pk", "SECRET"), ("sk", "SECRET"), ("type", "Message")];
    put_raw(&db, &misfit).await;
    let undecodable = [
        ("pk", "CHANNEL#SECRET"),
        ("sk", "MSG#0001"),
        ("type", "Message"),
        ("channel", "SECRET"),
        ("n", "SECRET"),
    ];
    put_raw(&db, &undecodable).await;

    let records = records(&engine, &db).await;
    assert_eq!(records.len(), 2);
    for record in records {
        let error = Chat::change(record).unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(text.contains("Chat: INSERT with sequence number"), "{text}");
        assert!(text.contains(": Message "), "{text}");
        assert!(!text.contains("SECRET"), "{text}");
        assert!(error.key().unwrap().reveal().contains("SECRET"));
    }
}

#[tokio::test]
async fn a_record_shows_no_values() {
    let (engine, db) = opened::<Chat>().await;
    message(1, "SECRET").put().send(&db).await.unwrap();
    let record = records(&engine, &db).await.remove(0);
    let record = dyna_runtime::change::Record::try_from(record).unwrap();
    let shown = format!("{record:?}");
    assert!(shown.contains("Insert"), "{shown}");
    assert!(
        !shown.contains("SECRET") && !shown.contains("general"),
        "{shown}"
    );
}

#[tokio::test]
async fn an_item_that_becomes_another_entitys_has_both_images() {
    let (engine, db) = opened::<Any>().await;
    let key = [("pk", "CHANNEL#general"), ("sk", "MSG#0001")];
    put_raw(&db, &[key[0], key[1], ("type", "Robot")]).await;
    message(1, "hi").put().send(&db).await.unwrap();

    let change = Any::change(records(&engine, &db).await.remove(1)).unwrap();
    assert_eq!(change.entity().unwrap().name, "Message");
    let ChangeKind::Modify {
        old: Any::Other(_),
        new: Any::Message(new),
    } = change.kind
    else {
        panic!("{change:?}");
    };
    assert_eq!(new, message(1, "hi"));
}
