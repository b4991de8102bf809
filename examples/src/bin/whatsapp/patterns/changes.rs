//! What changes: counters, histories, and what is done once.

use super::Db;
use crate::model::{Campaign, Conversation, Delivery, Idempotency, Message, StatusUpdate, Time};
use dyna_runtime::{Result, TransactWrite};

/// A message comes in: it is stored, and its conversation has one unread message more. Both or none, so that an event that Meta sends
/// twice counts once.
pub fn receive<'d>(
    db: &'d Db,
    message: &Message,
    conversation: &Conversation,
) -> TransactWrite<'d, crate::model::WhatsApp> {
    let Conversation {
        phone_arn_suffix,
        from,
        ..
    } = conversation;
    let last = Conversation::upsert(&**phone_arn_suffix, &**from)
        .set(Conversation::INBOX_PK, &*message.inbox_pk)
        .set(Conversation::RECEIVED_AT, message.received_at)
        .add(Conversation::UNREAD_COUNT, 1)
        .set(
            Conversation::LAST_MESSAGE_PK,
            format!("MSG#{}", message.wa_message_id),
        )
        .set(Conversation::LAST_TYPE, &*message.kind)
        .set(Conversation::LAST_PREVIEW, &*message.preview)
        .set(Conversation::ARCHIVED, false)
        .set(Conversation::WABA_META_ID, &*conversation.waba_meta_id)
        .set(
            Conversation::BUSINESS_ACCOUNT_NAME,
            &*conversation.business_account_name,
        );
    db.transact().create(message).update(last)
}

/// The agent opens a conversation: nothing in it is unread.
pub async fn mark_read(db: &Db, phone_arn_suffix: &str, customer: &str) -> Result<Conversation> {
    let read = Conversation::update(phone_arn_suffix, customer).set(Conversation::UNREAD_COUNT, 0);
    read.returning_new().send(db).await
}

/// `WhatsApp` tells how far a message has come: the history grows, and `gsi_status` has the message under its new status. One that was
/// read stays read, whatever comes late.
pub async fn delivered(
    db: &Db,
    wa_message_id: &str,
    status: Delivery,
    at: Time,
) -> Result<Message> {
    Message::update(wa_message_id)
        .set(Message::DELIVERY_STATUS, status)
        .append(
            Message::DELIVERY_STATUS_HISTORY,
            [&StatusUpdate { status, at }],
        )
        .when(Message::DELIVERY_STATUS.ne(Some(Delivery::Read)))
        .returning_new()
        .send(db)
        .await
}

/// What a campaign counts.
#[derive(Debug, Clone, Copy)]
pub enum Counter {
    Sent,
    Delivered,
    Read,
}

/// Counts one message more for a campaign.
pub async fn tally(db: &Db, campaign_id: &str, counter: Counter) -> Result<Campaign> {
    let campaign = Campaign::update(campaign_id);
    let campaign = match counter {
        Counter::Sent => campaign.add(Campaign::SENT_COUNT, 1),
        Counter::Delivered => campaign.add(Campaign::DELIVERED_COUNT, 1),
        Counter::Read => campaign.add(Campaign::READ_COUNT, 1),
    };
    campaign.returning_new().send(db).await
}

/// Remembers the answer of a request; if it was answered already, that answer. One that has expired, which DynamoDB may take days to
/// delete, gives way.
pub async fn answer_once(db: &Db, record: &Idempotency, now: Time) -> Result<Idempotency> {
    let now = u64::try_from(now.0.as_second()).unwrap_or_default();
    let free = Idempotency::REQUEST_ID.missing();
    let put = record.put().when(free.or(Idempotency::TTL.le(now)));
    match put.send(db).await {
        Ok(()) => Ok(record.clone()),
        Err(error) => match error.current_item::<Idempotency>() {
            Some(earlier) => earlier,
            None => Err(error),
        },
    }
}
