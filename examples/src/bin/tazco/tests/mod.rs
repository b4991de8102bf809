//! The patterns find exactly what they name, items are stored as in the design, and the account is true.

mod faults;
mod items;
mod messages;
mod schema;

use crate::model::{
    Card, CardRequest, CardStatus, IdempotencyRecord, OutboxEvent, OutboxStatus, Tier,
    TransactionType,
};
use crate::patterns::{
    audit_logs, card_requests, cards, idempotency, outbox, outbox_sequences, scores, transactions,
    users,
};
use crate::sample::{self, ago, now, seven_days_ago, user_id};
use crate::tables::Tables;
use crate::{Tazco, opened, traps};
use dyna_examples::{Account, Answers, COLUMNS, Engine, Model};
use dyna_runtime::DynaTable;

async fn with_samples() -> Tables {
    opened(&Engine::embedded().unwrap()).await.unwrap()
}

#[tokio::test]
async fn users_are_found_by_id_and_by_firebase_uid() {
    let db = &with_samples().await.users;
    let seventh = sample::users().swap_remove(7);
    let found = users::find_by_id(db, "eco-007").await.unwrap();
    assert_eq!(found, Some(seventh.clone()));
    let found = users::find_by_firebase_uid(db, "fb-007").await.unwrap();
    assert_eq!(found, Some(seventh));
    assert_eq!(users::find_by_id(db, "fb-007").await.unwrap(), None);
    let found = users::find_by_firebase_uid(db, "eco-007").await.unwrap();
    assert_eq!(found, None);
}

#[tokio::test]
async fn the_score_history_is_newest_first() {
    let db = &with_samples().await.scores;
    let found = scores::get_score_history(db, "eco-007", 3).await.unwrap();
    let values: Vec<_> = found.iter().map(|score| score.value).collect();
    assert_eq!(values, [662, 657, 652]);
    let all = scores::get_score_history(db, "eco-007", 100).await.unwrap();
    let mut expected = sample::scores();
    expected.retain(|score| score.ecosystem_id == "eco-007");
    expected.reverse();
    assert_eq!(all, expected);
}

#[tokio::test]
async fn cards_are_found_by_user_and_status() {
    let db = &with_samples().await.cards;
    let [active, suspended, cancelled] = [0, 1, 2].map(|k| sample::card(5, k));
    let found = cards::find_by_id(db, "eco-005", "card-005-0").await;
    assert_eq!(found.unwrap(), Some(active.clone()));
    let found = cards::find_by_user(db, "eco-005", None).await.unwrap();
    assert_eq!(found, [active, suspended.clone(), cancelled]);
    let of = |status| cards::find_by_user(db, "eco-005", Some(status));
    assert_eq!(of(CardStatus::Suspended).await.unwrap(), [suspended]);
    let found = cards::find_by_user(db, "eco-003", Some(CardStatus::Suspended)).await;
    assert_eq!(found.unwrap(), []);
}

#[tokio::test]
async fn a_balance_is_updated_once_from_each_version() {
    let db = &with_samples().await.cards;
    let card = sample::card(5, 0);
    let changed = cards::update_balance(db, &card, 20_000).await.unwrap();
    let expected = Card {
        balance: 20_000,
        available_credit: 30_000,
        version: 2,
        updated_at: now(),
        ..card.clone()
    };
    assert_eq!(changed, expected);
    let error = cards::update_balance(db, &card, 1).await.unwrap_err();
    assert!(error.is_version_conflict());
    assert_eq!(error.current_item::<Card>().unwrap().unwrap(), expected);
    let stored = cards::find_by_id(db, "eco-005", "card-005-0").await;
    assert_eq!(stored.unwrap(), Some(expected.clone()));
    let again = cards::update_balance(db, &expected, 0).await.unwrap();
    assert_eq!((again.balance, again.version), (0, 3));
}

#[tokio::test]
async fn a_pending_request_is_found_wherever_it_is() {
    let db = &with_samples().await.card_requests;
    let pending = card_requests::find_pending_by_user(db, "eco-000").await;
    assert_eq!(pending.unwrap(), Some(sample::card_request(0, 5)));
    let limited = traps::pending_with_limit(db, "eco-000").await.unwrap();
    assert_eq!(limited, 0);
    let none = card_requests::find_pending_by_user(db, "eco-001").await;
    assert_eq!(none.unwrap(), None);
}

#[tokio::test]
async fn pending_requests_come_in_pages_oldest_first() {
    let db = &with_samples().await.card_requests;
    let oldest_first: Vec<CardRequest> = (0..12)
        .rev()
        .map(|n| sample::card_request(2 * n, 5))
        .collect();
    let page = card_requests::find_all_pending(db, 5, None).await.unwrap();
    assert_eq!(page.items, oldest_first[..5]);
    let page = card_requests::find_all_pending(db, 100, page.next).await;
    let page = page.unwrap();
    assert_eq!(page.items, oldest_first[5..]);
    assert_eq!(page.next, None);
}

#[tokio::test]
async fn requests_are_found_by_tier_and_counted_to_the_millisecond() {
    let db = &with_samples().await.card_requests;
    let found = card_requests::find_by_tier(db, Tier::Medium, 100).await;
    let found = found.unwrap();
    let mut expected = sample::card_requests();
    expected.retain(|request| request.tier_at_request == Tier::Medium);
    expected.sort_by_key(|request| (request.created_at, request.request_id.clone()));
    assert_eq!(found, expected);
    assert_eq!(found.len(), 40);
    // Pending since 1, 3, .. 23 days: nine of them for 7 days or more, one for 7 days exactly.
    let count = card_requests::count_requiring_attention(db, seven_days_ago()).await;
    assert_eq!(count.unwrap(), 9);
    let as_text = traps::count_up_to_text(db, seven_days_ago()).await.unwrap();
    assert_eq!(as_text, 8);
}

#[tokio::test]
async fn transactions_come_newest_first_with_a_cursor_for_their_card_alone() {
    let db = &with_samples().await.transactions;
    let (of, other) = (("eco-005", "card-005-0"), ("eco-005", "card-005-1"));
    let descending: Vec<_> = (1..=12).map(|h| sample::transaction(5, 0, h)).collect();
    let page = transactions::find_by_card(db, of, None, 5, None).await;
    let page = page.unwrap();
    assert_eq!(page.items, descending[..5]);
    let stolen = transactions::find_by_card(db, other, None, 5, page.next.clone()).await;
    stolen.unwrap_err();
    let rest = transactions::find_by_card(db, of, None, 50, page.next).await;
    let rest = rest.unwrap();
    assert_eq!((rest.items, rest.next), (descending[5..].to_vec(), None));

    let payment = Some(TransactionType::Payment);
    let page = transactions::find_by_card(db, of, payment, 2, None).await;
    let page = page.unwrap();
    assert_eq!(page.items, [4, 8].map(|h| sample::transaction(5, 0, h)));
    let rest = transactions::find_by_card(db, of, payment, 2, page.next).await;
    assert_eq!(rest.unwrap().items, [sample::transaction(5, 0, 12)]);

    let id = sample::transaction_id(5, 0, 3);
    let found = transactions::find_by_id(db, of, id).await.unwrap();
    assert_eq!(found, Some(sample::transaction(5, 0, 3)));
    let found = transactions::find_by_id(db, other, id).await.unwrap();
    assert_eq!(found, None);
    let recent = transactions::get_recent(db, of, 2).await.unwrap();
    assert_eq!(recent, descending[..2]);
}

#[tokio::test]
async fn an_answer_is_kept_once_until_it_expires() {
    let db = &with_samples().await.idempotency;
    let found = idempotency::find(db, "eco-013", "hash-013").await.unwrap();
    assert_eq!(found, Some(sample::idempotency_record(13)));
    // It has expired at this very second, and is still there.
    let found = idempotency::find(db, "eco-012", "hash-012").await.unwrap();
    assert_eq!(found, None);
    let stale = IdempotencyRecord::get("eco-012", "hash-012").send(db).await;
    assert_eq!(stale.unwrap(), Some(sample::idempotency_record(12)));

    let record = IdempotencyRecord {
        status_code: 409,
        expires_at_epoch_seconds: now().0.as_second() + 60,
        ..sample::idempotency_record(12)
    };
    let refused = record.create().send(db).await.unwrap_err();
    assert!(refused.is_condition_failed());
    let kept = idempotency::create_once(db, &record, now()).await.unwrap();
    assert_eq!(kept, None);
    let other = IdempotencyRecord {
        status_code: 500,
        ..record.clone()
    };
    let first = idempotency::create_once(db, &other, now()).await.unwrap();
    assert_eq!(first, Some(record.clone()));
    let found = idempotency::find(db, "eco-012", "hash-012").await.unwrap();
    assert_eq!(found, Some(record));
}

#[tokio::test]
async fn a_request_is_answered_once_and_its_record_is_stored_as_designed() {
    let db = &with_samples().await.idempotency;
    let expected = IdempotencyRecord {
        key_hash: "hash-new".to_owned(),
        expires_at_epoch_seconds: now().0.as_second() + 24 * 3_600,
        ..sample::idempotency_record(12)
    };
    let reply = idempotency::Reply {
        status_code: expected.status_code,
        response: expected.response.clone(),
    };
    let request = ["eco-012", "hash-new", "createCardRequest"];
    let while_running = async || {
        // It is under way: there is no answer yet, and no one else begins.
        let found = idempotency::find(db, "eco-012", "hash-new").await?;
        assert_eq!(found, None);
        let other = async || unreachable!();
        let running = idempotency::answer_once(db, request, now(), other).await;
        assert!(running.unwrap_err().is_operation_running());
        Ok(reply.clone())
    };
    let first = idempotency::answer_once(db, request, now(), while_running).await;
    assert_eq!(first.unwrap(), reply);
    let again = idempotency::answer_once(db, request, now(), async || unreachable!()).await;
    assert_eq!(again.unwrap(), reply);
    // What is stored is what the design says, attribute for attribute.
    let stored = idempotency::find(db, "eco-012", "hash-new").await.unwrap();
    assert_eq!(stored.as_ref(), Some(&expected));
    let stored = IdempotencyRecord::get("eco-012", "hash-new").send(db).await;
    let item = |record: &IdempotencyRecord| DynaTable::to_item(record).unwrap();
    assert_eq!(item(&stored.unwrap().unwrap()), item(&expected));
}

#[tokio::test]
async fn the_outbox_finds_what_is_pending_and_what_is_due() {
    let db = &with_samples().await.outbox;
    let pending = outbox::find_pending(db, 3).await.unwrap();
    assert_eq!(pending, [0, 4, 8].map(sample::outbox_event));
    let due = || outbox::find_ready_for_retry(db, now(), 100);
    let expected = [2, 6, 10, 14, 18, 22, 26, 30].map(sample::outbox_event);
    assert_eq!(due().await.unwrap(), expected);

    let sent = outbox::mark_sent(db, &expected[0], now()).await.unwrap();
    assert_eq!(
        (sent.status, sent.sent_at),
        (OutboxStatus::Sent, Some(now()))
    );
    let failed = outbox::mark_failed(db, &expected[1], "refused", ago(-60)).await;
    let failed = failed.unwrap();
    assert_eq!((failed.retry_count, failed.next_retry_at), (2, ago(-60)));
    assert_eq!(failed.last_error.as_deref(), Some("refused"));
    assert_eq!(due().await.unwrap(), expected[2..]);
    let later = outbox::find_ready_for_retry(db, ago(-60), 100)
        .await
        .unwrap();
    assert_eq!(later.last(), Some(&failed));
}

#[tokio::test]
async fn status_of_a_card_and_its_event_are_stored_together() {
    let db = &with_samples().await;
    let load = || async {
        let card = cards::find_by_id(&db.cards, "eco-000", "card-000-0").await;
        card.unwrap().unwrap()
    };
    let event = |id: &str| OutboxEvent {
        event_id: id.to_owned(),
        ecosystem_id: "eco-000".to_owned(),
        entity_type: "card".to_owned(),
        entity_id: "card-000-0".to_owned(),
        ..sample::outbox_event(0)
    };
    let card = load().await;
    let status = |id| outbox::set_card_status(db, &card, CardStatus::Suspended, event(id));
    // Three events of this card are in the outbox.
    let stored = status("new-1").await.unwrap();
    assert_eq!(stored.sequence_number, 4);
    assert_eq!(load().await.status, CardStatus::Suspended);
    // The card has changed: neither the event nor its number is stored.
    assert!(status("new-2").await.unwrap_err().is_version_conflict());
    let lost = OutboxEvent::get("new-2").send(&db.outbox);
    assert_eq!(lost.await.unwrap(), None);
    let card = load().await;
    let two = [
        outbox::set_card_status(db, &card, CardStatus::Active, event("new-3")),
        outbox::set_card_status(db, &card, CardStatus::Cancelled, event("new-4")),
    ];
    let [one, other] = two;
    let (one, other) = tokio::join!(one, other);
    assert!(one.is_ok() ^ other.is_ok());
    assert_eq!(one.or(other).unwrap().sequence_number, 5);
}

#[tokio::test]
async fn the_relay_sends_the_events_of_an_entity_in_their_order() {
    let db = &with_samples().await.outbox;
    let before = outbox::find_pending(db, 100).await.unwrap();
    let due = outbox::find_ready_for_retry(db, now(), 100).await.unwrap();
    // It is refused, and so are those behind it held up; nor is anything sent behind a failed one.
    let refused = before[0].clone();
    let mut arrived = Vec::new();
    let send = async |event: &OutboxEvent| {
        if event.event_id == refused.event_id {
            return Err("refused".to_owned());
        }
        arrived.push((event.ecosystem_id.clone(), event.sequence_number));
        Ok(())
    };
    let count = outbox::relay(db, 100, [now(), ago(-60)], send);
    assert_eq!(count.await.unwrap(), arrived.len());
    assert!(arrived.is_sorted());
    assert!(arrived.len() > due.len());
    let of = |event: &OutboxEvent| event.entity_id == refused.entity_id;
    let left = outbox::find_pending(db, 100).await.unwrap();
    assert!(
        before
            .iter()
            .skip(1)
            .filter(|event| of(event))
            .all(|event| left.contains(event))
    );
    // The next time it goes on where it was held up.
    let mut again = Vec::new();
    let send = async |event: &OutboxEvent| {
        again.push((event.ecosystem_id.clone(), event.sequence_number));
        Ok(())
    };
    outbox::relay(db, 100, [ago(-60), ago(-60)], send)
        .await
        .unwrap();
    assert!(again.is_sorted() && again.contains(&(refused.ecosystem_id, refused.sequence_number)));
    assert_eq!(outbox::find_pending(db, 100).await.unwrap(), []);
}

#[tokio::test]
async fn a_sequence_counts_for_its_entity_alone() {
    let db = &with_samples().await.outbox_sequences;
    let next = |entity| outbox_sequences::next(db, "eco-000", "card", entity);
    // Three events of this card are in the outbox.
    assert_eq!(next("card-000-0").await.unwrap(), 4);
    assert_eq!(next("card-000-0").await.unwrap(), 5);
    assert_eq!(next("card-000-9").await.unwrap(), 1);
    assert_eq!(next("card-000-9").await.unwrap(), 2);
    let id = outbox_sequences::sequence_id("abc");
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(id, known);
}

#[tokio::test]
async fn audit_logs_are_found_by_target_and_by_actor() {
    let db = &with_samples().await.audit_logs;
    let found = audit_logs::find_by_target(db, "cardRequest", "req-004-5", 100).await;
    assert_eq!(found.unwrap(), [4, 14, 24].map(sample::audit_log));
    let found = audit_logs::find_by_actor(db, &user_id(1), 3).await;
    assert_eq!(found.unwrap(), [1, 3, 5].map(sample::audit_log));
    let found = audit_logs::find_by_actor(db, &user_id(1), 100).await;
    assert_eq!(found.unwrap().len(), 15);
}

#[tokio::test]
async fn the_account_fits_the_terminal() {
    let mut account = Account::default();
    let engine = Engine::embedded().unwrap();
    Box::pin(Tazco::tell(&engine, &mut account)).await.unwrap();
    let text = account.to_string();
    let wide: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > COLUMNS)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[tokio::test]
async fn every_pattern_answers_but_what_is_meant_to_be_refused() {
    let mut answers = Answers::default();
    let engine = Engine::embedded().unwrap();
    Box::pin(Tazco::answer(&engine, &mut answers))
        .await
        .unwrap();
    let answers = answers.into_vec();
    assert_eq!(answers.len(), 51);
    let refused: Vec<_> = answers
        .iter()
        .filter(|a| a.answer.get("refused").is_some())
        .map(|a| a.pattern.as_str())
        .collect();
    let meant = [
        "cards.updateBalance: with a stale version",
        "idempotency.createOnce: as designed",
    ];
    assert_eq!(refused, meant);
}
