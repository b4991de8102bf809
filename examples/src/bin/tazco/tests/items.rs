//! An item of each table with every attribute that the design lists, and what the model makes of it. The design has no samples.

use crate::model::{
    AuditLog, Card, CardRequest, IdempotencyRecord, InboundMessage, Notification, OutboxEvent,
    OutboxSequence, PendingApproval, Score, Transaction, User,
};
use crate::sample::now;
use crate::tables::Tables;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_examples::{Engine, item};
use dyna_runtime::codec::Item;
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{DynaEntity, Get, Put, Table};
use serde_json::{Value, json};

async fn tables() -> Tables {
    let engine = Engine::embedded().unwrap();
    Tables::open(&engine, now()).await.unwrap()
}

/// An item is read as an entity and written again in its place: attribute by attribute as it was.
async fn holds<E>(db: &Table<E>, designed: Value, get: Get<E>)
where
    E: DynaEntity + Replaceable + HasEntity<E>,
{
    let mut designed = item(&designed.to_string()).unwrap();
    put(db, &designed).await;
    let entity = get.send(db).await.unwrap().unwrap();
    Put::new(&entity).send(db).await.unwrap();
    if let Some(AttributeValue::N(version)) = designed.get_mut("version") {
        *version = (version.parse::<u64>().unwrap() + 1).to_string();
    }
    let scan = db.client().scan().table_name(db.name().unwrap());
    let stored = scan.send().await.unwrap().items.unwrap();
    assert_eq!(stored, [designed]);
}

async fn put<E: HasEntity<E>>(db: &Table<E>, item: &Item) {
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item.clone())).send().await.unwrap();
}

const AT: &str = "2026-01-07T12:00:00.000Z";

#[tokio::test]
async fn users_and_scores_are_stored_as_designed() {
    let db = tables().await;
    let user = json!({
        "ecosystemId": "e1", "firebaseUid": "f1", "email": "a@b.example", "role": "user", "status": "active",
        "currentScore": 700, "tier": "high",
        "cardSummary": { "activeCards": 1, "totalBalance": 10, "totalLimit": 100 },
        "createdAt": "2025-01-01T00:00:00.000Z", "updatedAt": AT, "lastLoginAt": AT
    });
    holds(&db.users, user, User::get("e1")).await;
    let score = json!({
        "ecosystemId": "e1", "timestampScoreId": format!("{AT}#s1"), "scoreId": "s1",
        "value": 700, "previousValue": 690, "delta": 10, "reason": "r", "source": "admin", "sourceId": "a1",
        "relatedEntityType": "payment", "relatedEntityId": "p1", "timestamp": AT
    });
    holds(&db.scores, score, Score::get("e1", now(), "s1")).await;
}

#[tokio::test]
async fn cards_and_requests_are_stored_as_designed() {
    let db = tables().await;
    let card = json!({
        "ecosystemId": "e1", "cardId": "c1", "statusCardId": "suspended#c1", "type": "credit-card", "productId": "p",
        "status": "suspended", "statusReason": "lost", "limit": 100, "balance": 10, "availableCredit": 90,
        "minimumPayment": 1, "nextDueDate": AT, "version": 3, "approvedBy": "admin", "approvedByAdminId": "a1",
        "scoreAtApproval": 700, "createdAt": AT, "updatedAt": AT, "activatedAt": AT, "cancelledAt": AT
    });
    holds(&db.cards, card, Card::get("e1", "c1")).await;
    let request = json!({
        "ecosystemId": "e1", "requestId": "r1", "createdAtRequestId": format!("{AT}#r1"), "productId": "p",
        "idempotencyKey": "i", "status": "approved", "scoreAtRequest": 700, "tierAtRequest": "medium",
        "decision": { "decidedBy": "admin", "adminId": "a1", "reason": "r", "decidedAt": AT },
        "resultingCardId": "c1", "createdAt": AT, "updatedAt": AT, "expiresAt": AT
    });
    holds(&db.card_requests, request, CardRequest::get("e1", "r1")).await;
}

#[tokio::test]
async fn transactions_and_answers_are_stored_as_designed() {
    let db = tables().await;
    let id = "019b9830-7e00-7000-8000-000000000001";
    let transaction = json!({
        "ecosystemIdCardId": "e1#c1", "transactionId": id, "type": "payment", "amount": 50, "merchant": "m",
        "paymentStatus": "on_time", "daysOverdue": 0, "scoreImpact": 5, "idempotencyKey": "i", "status": "failed",
        "failureReason": "f", "timestamp": AT, "processedAt": AT
    });
    let get = Transaction::get("e1", "c1", id.parse::<uuid::Uuid>().unwrap());
    holds(&db.transactions, transaction, get).await;
    let record = json!({
        "ecosystemId": "e1", "keyHash": "h1", "operation": "o",
        "response": { "cardId": "c1", "limit": 100, "tags": ["a"], "none": null }, "statusCode": 201,
        "createdAt": AT, "expiresAtEpochSeconds": 1_767_873_600
    });
    let get = IdempotencyRecord::get("e1", "h1");
    holds(&db.idempotency, record, get).await;
}

#[tokio::test]
async fn events_and_logs_are_stored_as_designed() {
    let db = tables().await;
    let event = json!({
        "eventId": "v1", "createdAtEventId": format!("{AT}#v1"), "nextRetryAtEventId": format!("{AT}#v1"),
        "eventType": "t", "entityType": "card", "entityId": "c1", "ecosystemId": "e1", "sequenceNumber": 7,
        "payload": { "a": 1 }, "status": "dead_letter", "retryCount": 5, "lastError": "x", "nextRetryAt": AT,
        "createdAt": AT, "sentAt": AT
    });
    holds(&db.outbox, event, OutboxEvent::get("v1")).await;
    let sequence =
        json!({ "sequenceId": "q1", "entityKey": "e1:card:c1", "current": 7, "updatedAt": AT });
    holds(&db.outbox_sequences, sequence, OutboxSequence::get("q1")).await;
    let log = json!({
        "targetKey": "card#c1", "timestampLogId": format!("{AT}#l1"), "logId": "l1", "adminEcosystemId": "a1",
        "adminEmail": "a@b.example", "action": "x", "targetType": "card", "targetId": "c1", "targetEcosystemId": "e1",
        "previousValue": { "limit": 1 }, "newValue": { "limit": 2 }, "reason": "r", "requestId": "h1",
        "ipAddress": "192.0.2.1", "userAgent": "u", "timestamp": AT
    });
    let get = AuditLog::get("card", "c1", now(), "l1");
    holds(&db.audit_logs, log, get).await;
}

#[tokio::test]
async fn messages_and_approvals_are_stored_as_designed() {
    let db = tables().await;
    let notification = json!({
        "notificationId": "n1", "relatedEntityTypeRelatedEntityId": "cardRequest#r1",
        "createdAtNotificationId": format!("{AT}#n1"), "nextRetryAtNotificationId": format!("{AT}#n1"),
        "recipientPhone": "+1", "recipientName": "A", "messageContent": "m", "notificationType": "t",
        "relatedEntityType": "cardRequest", "relatedEntityId": "r1", "ecosystemId": "e1", "deliveryStatus": "failed",
        "wppMessageId": "w1", "retryCount": 1, "lastError": "x", "nextRetryAt": AT, "createdAt": AT, "sentAt": AT,
        "deliveredAt": AT
    });
    let get = Notification::get("n1");
    holds(&db.notifications, notification, get).await;
    let message = json!({
        "messageId": "m1", "receivedAtMessageId": format!("{AT}#m1"), "wppMessageId": "w1", "senderPhone": "+1",
        "senderName": "A", "isFromWhitelistedAdmin": false, "rawBody": "b",
        "parsedCommand": { "action": "approve", "requestId": "r1" }, "processedStatus": "processed",
        "processedAction": "a", "processingError": "e", "relatedRequestId": "r1", "relatedEcosystemId": "e1",
        "receivedAt": AT, "processedAt": AT
    });
    holds(&db.inbound, message, InboundMessage::get("m1")).await;
    let approval = json!({
        "requestId": "r1", "expiresAtRequestId": format!("{AT}#r1"), "ecosystemId": "e1",
        "notificationIds": ["n1", "n2"], "notificationsSentAt": AT, "approvalStatus": "approved",
        "respondingAdminPhone": "+1", "responseReceivedAt": AT, "expiresAt": AT, "createdAt": AT, "updatedAt": AT
    });
    holds(&db.approvals, approval, PendingApproval::get("r1")).await;
}

#[tokio::test]
async fn what_is_not_there_is_not_stored() {
    let db = tables().await;
    let message = json!({
        "messageId": "m1", "receivedAtMessageId": format!("{AT}#m1"), "senderPhone": "+1",
        "isFromWhitelistedAdmin": false, "rawBody": "b", "processedStatus": "ignored", "receivedAt": AT
    });
    holds(&db.inbound, message, InboundMessage::get("m1")).await;
    let notification = json!({
        "notificationId": "n1", "relatedEntityTypeRelatedEntityId": "payment#p1",
        "createdAtNotificationId": format!("{AT}#n1"), "recipientPhone": "+1", "messageContent": "m",
        "notificationType": "t", "relatedEntityType": "payment", "relatedEntityId": "p1", "ecosystemId": "e1",
        "deliveryStatus": "pending", "retryCount": 0, "createdAt": AT
    });
    let get = Notification::get("n1");
    holds(&db.notifications, notification, get).await;
}
