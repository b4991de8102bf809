//! Counters count, histories grow, and what is done once is done once.

use super::sample;
use crate::model::WhatsApp;
use crate::model::{Delivery, StatusUpdate};
use crate::patterns::{self as p, Counter};
use dyna_examples::Engine;
use dyna_runtime::Table;
use sample::{DAY, DIWALI, PHONES, at};

/// A table with what changes.
async fn with_some() -> Table<WhatsApp> {
    let engine = Engine::embedded().unwrap();
    let db = engine.open::<WhatsApp>("example").await.unwrap();
    let some = db.batch_write();
    let some = some
        .put_all(&[sample::message(2), sample::message(8)])
        .put_all(&sample::conversations())
        .put_all(&sample::campaigns())
        .put_all(&sample::idempotency());
    assert!(some.send().await.unwrap().is_empty());
    db
}

#[tokio::test]
async fn a_message_counts_as_unread_once_until_it_is_read() {
    let db = &with_some().await;
    let conversation = &sample::conversations()[3];
    let message = sample::message(603);
    let stored = async || {
        let stored = p::conversation(db, PHONES[1], &conversation.from).await;
        stored.unwrap().unwrap()
    };
    assert_eq!(stored().await.unread_count, 1);
    p::receive(db, &message, conversation).send().await.unwrap();
    let again = p::receive(db, &message, conversation).send().await;
    assert!(again.unwrap_err().is_condition_failed());
    let now = stored().await;
    assert_eq!(now.unread_count, 2);
    assert_eq!(now.last_message_pk, "MSG#wamid.0603");
    assert_eq!(now.received_at, message.received_at);
    // It is the newest of its inbox now.
    let page = p::inbox_view(db, &conversation.inbox_pk, 1, None).await;
    assert_eq!(page.unwrap().items, [now]);
    let read = p::mark_read(db, PHONES[1], &conversation.from).await;
    assert_eq!(read.unwrap().unread_count, 0);
}

#[tokio::test]
async fn the_first_message_of_a_customer_opens_a_conversation() {
    let db = &with_some().await;
    let mut conversation = sample::conversations().swap_remove(3);
    conversation.from = sample::customer(77);
    let message = sample::message(603);
    p::receive(db, &message, &conversation)
        .send()
        .await
        .unwrap();
    let stored = p::conversation(db, PHONES[1], &conversation.from).await;
    assert_eq!(stored.unwrap().unwrap().unread_count, 1);
}

#[tokio::test]
async fn a_status_goes_into_the_history_and_moves_the_message_in_its_index() {
    let db = &with_some().await;
    let before = sample::message(2);
    assert_eq!(before.delivery_status, Some(Delivery::Sent));
    let time = at(2 * DAY);
    let after = p::delivered(db, "wamid.0002", Delivery::Delivered, time).await;
    let after = after.unwrap();
    let mut history = before.delivery_status_history.clone();
    history.push(StatusUpdate {
        status: Delivery::Delivered,
        at: time,
    });
    assert_eq!(after.delivery_status_history, history);
    let with = async |status| {
        let found = p::messages_by_status(db, status, at(0)).await.unwrap();
        found.iter().any(|m| m.wa_message_id == "wamid.0002")
    };
    assert!(with(Delivery::Delivered).await);
    assert!(!with(Delivery::Sent).await);
}

#[tokio::test]
async fn a_message_that_was_read_stays_read() {
    let db = &with_some().await;
    let read = sample::message(8);
    assert_eq!(read.delivery_status, Some(Delivery::Read));
    let late = p::delivered(db, "wamid.0008", Delivery::Delivered, at(0)).await;
    assert!(late.unwrap_err().is_condition_failed());
    assert_eq!(p::message(db, "wamid.0008").await.unwrap(), Some(read));
}

#[tokio::test]
async fn a_campaign_counts_each_step_apart() {
    let db = &with_some().await;
    for counter in [Counter::Sent, Counter::Sent, Counter::Delivered] {
        p::tally(db, DIWALI, counter).await.unwrap();
    }
    let campaign = p::tally(db, DIWALI, Counter::Read).await.unwrap();
    let counts = (
        campaign.sent_count,
        campaign.delivered_count,
        campaign.read_count,
    );
    assert_eq!(counts, (42, 31, 11));
    assert!(
        p::tally(db, "none", Counter::Sent)
            .await
            .unwrap_err()
            .is_condition_failed()
    );
}

#[tokio::test]
async fn a_request_is_answered_once_until_its_answer_expires() {
    let db = &with_some().await;
    let first = sample::idempotency().swap_remove(2);
    let mut again = first.clone();
    again.result.clear();
    // It was answered in second 120, for a day.
    let early = p::answer_once(db, &again, at(120 + DAY - 1)).await;
    assert_eq!(early.unwrap(), first);
    let late = p::answer_once(db, &again, at(120 + DAY)).await;
    assert_eq!(late.unwrap(), again);
    again.request_id = "request-new".to_owned();
    let new = p::answer_once(db, &again, at(0)).await;
    assert_eq!(new.unwrap(), again);
}
