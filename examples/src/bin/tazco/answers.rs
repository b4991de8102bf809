//! The patterns and the traps with their sample data, as answers that are compared between engines.

use crate::model::{CardStatus, DeliveryStatus, IdempotencyRecord, RelatedType, Tier};
use crate::patterns::{
    approvals, audit_logs, card_requests, cards, idempotency, inbound, notifications, outbox,
    outbox_sequences, scores, transactions, users,
};
use crate::sample::{self, ADMINS, PHONES, ago, now, request_id, seven_days_ago, user_id};
use crate::tables::Tables;
use crate::traps;
use dyna_examples::Answers;

pub async fn of_people(to: &mut Answers, db: &Tables) {
    let user = user_id(7);
    to.ask("users.findById", users::find_by_id(&db.users, &user))
        .await;
    let found = users::find_by_firebase_uid(&db.users, "fb-007");
    to.ask("users.findByFirebaseUid", found).await;
    let found = users::find_by_firebase_uid(&db.users, "fb-999");
    to.ask("users.findByFirebaseUid: nobody", found).await;
    let history = scores::get_score_history(&db.scores, &user, 5);
    to.ask("scores.getScoreHistory", history).await;
}

pub async fn of_cards(to: &mut Answers, db: &Tables) {
    let (user, card) = (user_id(5), sample::card_id(5, 0));
    let found = cards::find_by_id(&db.cards, &user, &card);
    let found = to.ask("cards.findById", found).await;
    let all = cards::find_by_user(&db.cards, &user, None);
    to.ask("cards.findByUser", all).await;
    let suspended = cards::find_by_user(&db.cards, &user, Some(CardStatus::Suspended));
    to.ask("cards.findByUser: suspended", suspended).await;
    if let Some(Some(card)) = found {
        let update = cards::update_balance(&db.cards, &card, 20_000);
        to.ask("cards.updateBalance", update).await;
        let stale = cards::update_balance(&db.cards, &card, 30_000);
        to.ask("cards.updateBalance: with a stale version", stale)
            .await;
    }
    let of = (user.as_str(), card.as_str());
    let first = transactions::find_by_card(&db.transactions, of, None, 5, None);
    let next = to.page("transactions.findByCard", first).await;
    let second = transactions::find_by_card(&db.transactions, of, None, 5, next);
    to.page("transactions.findByCard: next page", second).await;
    let all = transactions::find_by_card(&db.transactions, of, None, 12, None);
    to.page("transactions.findByCard: up to the last one", all)
        .await;
    let payment = Some(crate::model::TransactionType::Payment);
    let payments = transactions::find_by_card(&db.transactions, of, payment, 2, None);
    to.page("transactions.findByCard: payments", payments).await;
    let id = sample::transaction_id(5, 0, 3);
    let one = transactions::find_by_id(&db.transactions, of, id);
    to.ask("transactions.findById", one).await;
    let recent = transactions::get_recent(&db.transactions, of, 3);
    to.ask("transactions.getRecent", recent).await;
}

pub async fn of_requests(to: &mut Answers, db: &Tables) {
    let requests = &db.card_requests;
    let pending = card_requests::find_pending_by_user(requests, ADMINS[0]);
    to.ask("cardRequests.findPendingByUser", pending).await;
    let none = card_requests::find_pending_by_user(requests, ADMINS[1]);
    to.ask("cardRequests.findPendingByUser: none", none).await;
    let limited = traps::pending_with_limit(requests, ADMINS[0]);
    to.ask("cardRequests.findPendingByUser: with Limit 1", limited)
        .await;
    let first = card_requests::find_all_pending(requests, 5, None);
    let next = to.page("cardRequests.findAllPending", first).await;
    let second = card_requests::find_all_pending(requests, 20, next);
    to.page("cardRequests.findAllPending: next page", second)
        .await;
    let medium = card_requests::find_by_tier(requests, Tier::Medium, 5);
    to.ask("cardRequests.findByTier", medium).await;
    let count = card_requests::count_requiring_attention(requests, seven_days_ago());
    to.ask("cardRequests.countRequiringAttention", count).await;
    let count = traps::count_up_to_text(requests, seven_days_ago());
    to.ask("cardRequests.countRequiringAttention: as text", count)
        .await;
}

pub async fn of_idempotency(to: &mut Answers, db: &Tables) {
    let db = &db.idempotency;
    let live = idempotency::find(db, "eco-013", "hash-013");
    to.ask("idempotency.find", live).await;
    let expired = idempotency::find(db, "eco-012", "hash-012");
    to.ask("idempotency.find: expired", expired).await;
    let record = IdempotencyRecord {
        status_code: 409,
        expires_at_epoch_seconds: sample::idempotency_record(23).expires_at_epoch_seconds,
        ..sample::idempotency_record(12)
    };
    let created = record.create().send(db);
    to.ask("idempotency.createOnce: as designed", created).await;
    let kept = idempotency::create_once(db, &record, now());
    to.ask("idempotency.createOnce", kept).await;
    let again = idempotency::create_once(db, &record, now());
    to.ask("idempotency.createOnce: again", again).await;
}

pub async fn of_events(to: &mut Answers, db: &Tables) {
    let pending = outbox::find_pending(&db.outbox, 3);
    to.ask("outbox.findPending", pending).await;
    let ready = outbox::find_ready_for_retry(&db.outbox, now(), 20);
    let ready = to.ask("outbox.findReadyForRetry", ready).await;
    if let Some([first, second, ..]) = ready.as_deref() {
        let sent = outbox::mark_sent(&db.outbox, first, now());
        to.ask("outbox.markSent", sent).await;
        let failed = outbox::mark_failed(&db.outbox, second, "refused", ago(-60));
        to.ask("outbox.markFailed", failed).await;
    }
    let ready = outbox::find_ready_for_retry(&db.outbox, now(), 20);
    to.ask("outbox.findReadyForRetry: after that", ready).await;
    let next = |entity| outbox_sequences::next(&db.outbox_sequences, "eco-000", "card", entity);
    to.ask("outboxSequences.next", next("card-000-0")).await;
    to.ask("outboxSequences.next: again", next("card-000-0"))
        .await;
    to.ask("outboxSequences.next: the first", next("card-000-9"))
        .await;
    let request = request_id(4, 5);
    let of_target = audit_logs::find_by_target(&db.audit_logs, "cardRequest", &request, 5);
    to.ask("auditLogs.findByTarget", of_target).await;
    let of_actor = audit_logs::find_by_actor(&db.audit_logs, ADMINS[1], 5);
    to.ask("auditLogs.findByActor", of_actor).await;
}

pub async fn of_whatsapp(to: &mut Answers, db: &Tables) {
    let notes = &db.notifications;
    let one = notifications::find_by_id(notes, "note-003");
    to.ask("notifications.findById", one).await;
    let request = request_id(6, 5);
    let related = RelatedType::CardRequest;
    let related = notifications::find_by_related_entity(notes, related, &request);
    to.ask("notifications.findByRelatedEntity", related).await;
    let sent = notifications::find_by_delivery_status(notes, DeliveryStatus::Sent, 3);
    to.ask("notifications.findByDeliveryStatus", sent).await;
    let ready = notifications::find_ready_for_retry(notes, now());
    let ready = to.ask("notifications.findReadyForRetry", ready).await;
    if let Some([first, ..]) = ready.as_deref() {
        let left = notifications::give_up(notes, first);
        to.ask("notifications.giveUp", left).await;
    }
    let ready = notifications::find_ready_for_retry(notes, now());
    to.ask("notifications.findReadyForRetry: after that", ready)
        .await;

    let one = inbound::find_by_id(&db.inbound, "in-003");
    to.ask("inbound.findById", one).await;
    let known = inbound::find_by_wpp_message_id(&db.inbound, "wamid.in.004");
    to.ask("inbound.findByWppMessageId", known).await;
    let since = inbound::find_by_sender(&db.inbound, PHONES[1], ago(15));
    to.ask("inbound.findBySender", since).await;

    let one = approvals::find_by_id(&db.approvals, &request);
    to.ask("approvals.findById", one).await;
    let expired = approvals::find_expired(&db.approvals, now());
    let expired = to.ask("approvals.findExpired", expired).await;
    if let Some([oldest, ..]) = expired.as_deref() {
        let change = approvals::expire(&db.approvals, oldest);
        to.ask("approvals.expire", change).await;
    }
    let expired = approvals::find_expired(&db.approvals, now());
    to.ask("approvals.findExpired: after that", expired).await;
}
