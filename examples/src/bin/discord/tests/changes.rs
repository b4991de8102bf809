//! What is written together is there together, or not at all.

use super::with_few;
use crate::model::{Invite, Message};
use crate::sample::{self, GENERAL, HELLO, MIRA, RANDOM, READING_ROOM, TEST_SERVER};
use crate::{changes, patterns};
use dyna_runtime::error::FailureReason;
use jiff::SignedDuration;

#[tokio::test]
async fn a_server_is_opened_with_its_channel_and_its_owner() {
    let db = &with_few().await;
    let (server, channel) = sample::reading_room();
    let open = || changes::open_server(db, &server, &channel).send();
    open().await.unwrap();
    let found = patterns::server_by_id(db, READING_ROOM).await.unwrap();
    assert_eq!(found, Some(server.clone()));
    let found = patterns::channels_of_server(db, READING_ROOM).await;
    assert_eq!(found.unwrap(), std::slice::from_ref(&channel));
    let members = patterns::members_of_server(db, READING_ROOM).await.unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!(members[0].user_id, MIRA);
    // A second time all three are there already; the owner still is a user.
    let failed = open().await.unwrap_err();
    let failed = failed.failures().iter().map(|failure| failure.index);
    assert_eq!(failed.collect::<Vec<_>>(), [0, 1, 2]);
}

#[tokio::test]
async fn no_one_opens_a_server_for_a_user_who_is_not_there() {
    let db = &with_few().await;
    let (mut server, channel) = sample::reading_room();
    server.owner_id = "nobody".to_owned();
    let error = changes::open_server(db, &server, &channel).send().await;
    let error = error.unwrap_err();
    let [owner] = error.failures() else {
        panic!("one operation failed")
    };
    assert_eq!((owner.index, owner.entity), (3, "User"));
    assert_eq!(owner.reason, FailureReason::ConditionFailed);
    let found = patterns::channels_of_server(db, READING_ROOM).await;
    assert_eq!(found.unwrap(), []);
}

#[tokio::test]
async fn an_invite_lets_a_user_in_once_while_it_is_there() {
    let db = &with_few().await;
    let [invite, _] = sample::invites();
    changes::join(db, &invite, "guest").send().await.unwrap();
    let found = patterns::membership(db, "guest", TEST_SERVER).await;
    assert!(found.unwrap().is_some());
    let again = changes::join(db, &invite, "guest").send().await;
    assert_eq!(again.unwrap_err().failures()[0].index, 0);
    let stored = patterns::invite_by_code(db, &invite.invite_code).await;
    assert_eq!(stored.unwrap().unwrap().uses, 1);
    let delete = Invite::delete(TEST_SERVER, &*invite.invite_code);
    delete.send(db).await.unwrap();
    let late = changes::join(db, &invite, "late").send().await;
    assert_eq!(late.unwrap_err().failures()[0].index, 1);
    let found = patterns::membership(db, "late", TEST_SERVER).await;
    assert_eq!(found.unwrap(), None);
}

#[tokio::test]
async fn an_invite_lets_in_no_more_than_it_may() {
    let db = &with_few().await;
    let [_, invite] = sample::invites();
    assert_eq!((invite.uses, invite.max_uses), (3, Some(10)));
    let guests: Vec<String> = (0..12).map(|n| format!("guest-{n}")).collect();
    let mut joined = 0;
    for guest in &guests {
        match changes::join(db, &invite, guest).send().await {
            Ok(()) => joined += 1,
            Err(error) => assert!(error.is_condition_failed()),
        }
    }
    assert_eq!(joined, 7);
    let members = patterns::members_of_server(db, TEST_SERVER).await.unwrap();
    assert_eq!(members.len(), 2 + 7);
}

#[tokio::test]
async fn who_joins_twice_under_one_token_is_let_in_once() {
    let db = &with_few().await;
    let [_, invite] = sample::invites();
    for _ in 0..2 {
        let join = changes::join(db, &invite, "guest").token("guest joins");
        join.send().await.unwrap();
    }
    let used = patterns::invite_by_code(db, &invite.invite_code).await;
    assert_eq!(used.unwrap().unwrap().uses, invite.uses + 1);
}

#[tokio::test]
async fn a_channel_that_moves_is_in_one_server() {
    let db = &with_few().await;
    let [general, mut random] = sample::channels();
    random.server_id = READING_ROOM.to_owned();
    let moved = changes::move_channel(TEST_SERVER, &random);
    moved.send(db).await.unwrap();
    let left = patterns::channels_of_server(db, TEST_SERVER).await.unwrap();
    assert_eq!(left, [general]);
    let found = patterns::channel_by_id(db, RANDOM).await.unwrap();
    assert_eq!(found, Some(random));
}

#[tokio::test]
async fn the_connections_of_one_channel_are_closed() {
    let db = &with_few().await;
    assert_eq!(changes::close_connections(db, GENERAL).await.unwrap(), 0);
    let open = |channel| patterns::connections_in_channel(db, channel);
    assert_eq!(open(GENERAL).await.unwrap(), []);
    assert_eq!(open(RANDOM).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_message_is_edited_by_its_id() {
    let db = &with_few().await;
    let at = sample::created() + SignedDuration::from_secs(90);
    let edited = changes::edit_message(db, HELLO, "Hello, everyone!", at).await;
    let [hello, ..] = sample::messages();
    let expected = Message {
        content: "Hello, everyone!".to_owned(),
        edited: true,
        edited_at: Some(at),
        updated_at: at,
        ..hello
    };
    assert_eq!(edited.unwrap(), Some(expected.clone()));
    let stored = patterns::message_by_id(db, HELLO).await.unwrap();
    assert_eq!(stored, Some(expected));
    let none = changes::edit_message(db, "none", "", at).await;
    assert_eq!(none.unwrap(), None);
}

#[tokio::test]
async fn a_message_is_deleted_by_its_id_for_good() {
    let db = &with_few().await;
    let [hello, rest @ ..] = sample::messages();
    let deleted = changes::delete_message(db, HELLO).await.unwrap();
    assert_eq!(deleted, Some(hello));
    let left = patterns::messages_since(db, GENERAL, 0).await.unwrap();
    assert_eq!(left, rest);
    let again = changes::delete_message(db, HELLO).await.unwrap();
    assert_eq!(again, None);
}

#[tokio::test]
async fn an_invite_counts_its_uses() {
    let db = &with_few().await;
    let used = changes::increment_invite_uses(db, TEST_SERVER, "q7rs8tuv").await;
    assert_eq!(used.unwrap().uses, 4);
    let none = changes::increment_invite_uses(db, TEST_SERVER, "none").await;
    assert!(none.unwrap_err().is_condition_failed());
}

#[tokio::test]
async fn a_connection_goes_when_it_is_closed() {
    let db = &with_few().await;
    let close = || changes::cleanup_on_disconnect(db, "pqr123conn");
    close().await.unwrap();
    let left = patterns::connections_in_channel(db, RANDOM).await.unwrap();
    assert_eq!(left, []);
    close().await.unwrap();
}

#[tokio::test]
async fn what_was_read_last_is_replaced() {
    let db = &with_few().await;
    let [_, mut read] = sample::last_reads();
    read.last_read_timestamp += 1;
    changes::update_last_read(db, &read).await.unwrap();
    let stored = patterns::last_read(db, MIRA, GENERAL).await.unwrap();
    assert_eq!(stored, Some(read));
}
