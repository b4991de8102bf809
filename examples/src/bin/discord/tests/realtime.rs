//! What happens to messages reaches the sessions of their channel, in its order, and no others.

use super::with_few;
use crate::changes::{delete_message, edit_message};
use crate::model::{Discord, LastRead};
use crate::patterns::connections_in_channel;
use crate::realtime::{Gateway, Update, received};
use crate::sample::{self, GENERAL, RANDOM};
use crate::{Account, at_hour, run_realtime};
use dyna_runtime::Table;

/// The table, an hour after the connections were opened.
async fn open() -> Table<Discord> {
    at_hour(&with_few().await, 1)
}

#[tokio::test]
async fn both_sessions_of_a_channel_get_every_update_of_its_messages() {
    let db = &open().await;
    let mut gateway = Gateway::default();
    let mut sessions = ["xyz789conn", "lmn456conn"].map(|id| gateway.connect(id));
    let mut elsewhere = gateway.connect("pqr123conn");
    let mut changes = db.changes().from_latest().stream();
    changes.start().await.unwrap();

    let sent = sample::greeting();
    sent.create().send(db).await.unwrap();
    // What is no message is sent to no one.
    let [read, _] = sample::last_reads();
    LastRead::delete(&*read.user_id, &*read.channel_id)
        .send(db)
        .await
        .unwrap();
    let edited = edit_message(db, &sent.message_id, "Hello!", sample::created());
    let edited = edited.await.unwrap().unwrap();
    delete_message(db, &sent.message_id).await.unwrap();

    let updates = [
        Update::Sent(sent),
        Update::Edited(edited.clone()),
        Update::Deleted(edited),
    ];
    let found = received(db, &gateway, &mut changes, &mut sessions, updates.len()).await;
    for found in found.unwrap() {
        assert_eq!(found, updates);
    }
    assert!(elsewhere.try_recv().is_err(), "a session of {RANDOM}");
}

#[tokio::test]
async fn a_connection_whose_session_is_gone_is_deleted() {
    let db = &open().await;
    let mut gateway = Gateway::default();
    let mut sessions = [gateway.connect("xyz789conn")];
    let mut changes = db.changes().from_latest().stream();
    changes.start().await.unwrap();
    let sent = sample::greeting();
    sent.create().send(db).await.unwrap();
    let [found] = received(db, &gateway, &mut changes, &mut sessions, 1)
        .await
        .unwrap();
    assert_eq!(found, [Update::Sent(sent.clone())]);
    edit_message(db, &sent.message_id, "Hello!", sample::created())
        .await
        .unwrap();
    received(db, &gateway, &mut changes, &mut sessions, 1)
        .await
        .unwrap();
    let left = connections_in_channel(db, GENERAL).await.unwrap();
    let left: Vec<_> = left.iter().map(|it| &*it.connection_id).collect();
    assert_eq!(left, ["xyz789conn"]);
}

#[tokio::test]
async fn the_account_shows_what_both_sessions_got() {
    let db = &open().await;
    let mut account = Account::default();
    run_realtime(&mut account, db).await.unwrap();
    let text = account.to_string();
    for session in ["xyz789conn", "lmn456conn"] {
        for update in ["sent", "edited", "deleted"] {
            let line = format!("{session}: {update} ");
            assert_eq!(text.matches(&line).count(), 1, "{text}");
        }
    }
}
