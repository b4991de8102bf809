//! `tazco-outbox`.

use crate::model::{Card, CardStatus, OutboxEvent, OutboxStatus, Time};
use crate::patterns::outbox_sequences;
use crate::tables::Tables;
use dyna_runtime::{Error, Result, Table};

type Db = Table<OutboxEvent>;

/// `findPending`, oldest first.
pub async fn find_pending(db: &Db, limit: usize) -> Result<Vec<OutboxEvent>> {
    let pending = OutboxEvent::by_creation(OutboxStatus::Pending);
    pending.limit(limit).all(db).await
}

/// `findReadyForRetry`: `nextRetryAt <= now`, that very millisecond too.
pub async fn find_ready_for_retry(db: &Db, now: Time, limit: usize) -> Result<Vec<OutboxEvent>> {
    let failed = OutboxEvent::by_retry(OutboxStatus::Failed);
    let ready = failed.next_retry_at_range(..=now);
    ready.limit(limit).all(db).await
}

/// Changes the status of a card, and stores the event that tells of it with the next number of the card: all of it in one transaction, or
/// nothing. Fails with `is_version_conflict` if the card has changed since it was loaded.
pub async fn set_card_status(
    db: &Tables,
    card: &Card,
    status: CardStatus,
    event: OutboxEvent,
) -> Result<OutboxEvent> {
    let (of, id) = (&event.entity_type, &event.entity_id);
    let entity_key = outbox_sequences::entity_key(&event.ecosystem_id, of, id);
    let mut event = event;
    loop {
        let (number, advance) =
            outbox_sequences::advance(&db.outbox_sequences, &entity_key).await?;
        event.sequence_number = number;
        let change = Card::update_loaded(card).set(Card::STATUS, status);
        let transaction = db.cards.transact().update(change);
        let transaction = transaction.on(&db.outbox_sequences).update(advance);
        match transaction.on(&db.outbox).create(&event).send().await {
            Ok(()) => return Ok(event),
            // Another event of the card took the number, and the card is as it was.
            Err(error) if error.is_condition_failed() && is_for_the_number(&error) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether the number of the event was the only thing in the way.
fn is_for_the_number(error: &Error) -> bool {
    let mut failures = error.failures().iter();
    failures.all(|failure| failure.entity == "OutboxSequence")
}

/// Sends what is pending and what is due again, in the order of the numbers of each entity, and notes that it was sent: at least once. An
/// event that was not sent holds up those of its entity that come after it. How many were sent.
///
/// The design has an index by status alone, which may not show the newest events yet: run one relay at a time, and receivers go by the
/// number of the event.
pub async fn relay(
    db: &Db,
    limit: usize,
    [now, retry_at]: [Time; 2],
    mut send: impl AsyncFnMut(&OutboxEvent) -> std::result::Result<(), String>,
) -> Result<usize> {
    let mut events = OutboxEvent::by_retry(OutboxStatus::Failed).all(db).await?;
    events.extend(find_pending(db, limit).await?);
    events.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut count = 0;
    let mut held_up = None;
    for event in &events {
        let (entity, _) = place(event);
        let is_due = event.status == OutboxStatus::Pending || event.next_retry_at <= now;
        if held_up == Some(entity) {
            continue;
        }
        if !is_due {
            held_up = Some(entity);
            continue;
        }
        match send(event).await {
            Ok(()) => {
                mark_sent(db, event, now).await?;
                count += 1;
            }
            Err(error) => {
                mark_failed(db, event, &error, retry_at).await?;
                held_up = Some(entity);
            }
        }
    }
    Ok(count)
}

/// What an event is of, and its number.
fn place(event: &OutboxEvent) -> ([&str; 3], u64) {
    let entity = [&event.ecosystem_id, &event.entity_type, &event.entity_id];
    (entity.map(String::as_str), event.sequence_number)
}

/// Notes that an event was sent, once. Its status is part of both indexes, whose keys follow. The event as it is stored now.
pub async fn mark_sent(db: &Db, event: &OutboxEvent, now: Time) -> Result<OutboxEvent> {
    let change = OutboxEvent::update_loaded(event)
        .set(OutboxEvent::STATUS, OutboxStatus::Sent)
        .set(OutboxEvent::SENT_AT, now);
    change.once().send(db).await?;
    Ok(OutboxEvent {
        status: OutboxStatus::Sent,
        sent_at: Some(now),
        ..event.clone()
    })
}

/// Notes that an event was not sent, and when to try again, once: a lost response does not count twice. The event as it is stored now.
pub async fn mark_failed(
    db: &Db,
    event: &OutboxEvent,
    error: &str,
    next_retry_at: Time,
) -> Result<OutboxEvent> {
    let retry_count = event.retry_count.saturating_add(1);
    let change = OutboxEvent::update_loaded(event)
        .set(OutboxEvent::STATUS, OutboxStatus::Failed)
        .set(OutboxEvent::NEXT_RETRY_AT, next_retry_at)
        .set(OutboxEvent::LAST_ERROR, error)
        .set(OutboxEvent::RETRY_COUNT, retry_count);
    let change = change.when(OutboxEvent::RETRY_COUNT.eq(event.retry_count));
    change.once().send(db).await?;
    Ok(OutboxEvent {
        status: OutboxStatus::Failed,
        next_retry_at,
        last_error: Some(error.to_owned()),
        retry_count,
        ..event.clone()
    })
}
