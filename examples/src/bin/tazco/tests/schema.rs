//! The tables are those of the design.

use crate::sample::{now, shown};
use crate::tables::Tables;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, ProjectionType, ScalarAttributeType,
};
use dyna_examples::Engine;
use std::fmt::Write;

/// Each table and index of the design, with its key attributes.
const DESIGNED: &str = "\
tazco-audit-logs: targetKey, timestampLogId
  AuditLogsByActor: adminEcosystemId, timestampLogId
tazco-card-requests: ecosystemId, requestId
  RequestsByStatusCreatedAt: status, createdAtRequestId
  RequestsByTierCreatedAt: tierAtRequest, createdAtRequestId
tazco-cards: ecosystemId, cardId
  CardsByStatus: ecosystemId, statusCardId
tazco-idempotency: ecosystemId, keyHash
tazco-outbox: eventId
  OutboxByStatusCreatedAt: status, createdAtEventId
  OutboxByStatusNextRetryAt: status, nextRetryAtEventId
tazco-outbox-sequences: sequenceId
tazco-pending-approvals: requestId
  PendingApprovalsByStatusExpiresAt: approvalStatus, expiresAtRequestId
tazco-scores: ecosystemId, timestampScoreId
tazco-transactions: ecosystemIdCardId, transactionId
tazco-users: ecosystemId
  UserByFirebaseUid: firebaseUid
tazco-whatsapp-inbound: messageId
  InboundBySenderPhoneReceivedAt: senderPhone, receivedAtMessageId
  InboundByWppMessageId: wppMessageId
tazco-whatsapp-notifications: notificationId
  NotificationsByDeliveryStatusCreatedAt: deliveryStatus, createdAtNotificationId
  NotificationsByDeliveryStatusNextRetryAt: deliveryStatus, nextRetryAtNotificationId
  NotificationsByRelatedEntity: relatedEntityTypeRelatedEntityId, createdAtNotificationId
";

fn key(schema: &[KeySchemaElement]) -> String {
    let names: Vec<_> = schema.iter().map(|e| e.attribute_name.clone()).collect();
    names.join(", ")
}

#[tokio::test]
async fn the_tables_are_those_of_the_design() {
    let engine = Engine::embedded().unwrap();
    let tables = Tables::open(&engine, now()).await.unwrap();
    let client = tables.users.client();
    let mut names = client
        .list_tables()
        .send()
        .await
        .unwrap()
        .table_names
        .unwrap();
    names.sort();
    let mut found = String::new();
    for name in names {
        let table = client.describe_table().table_name(&name).send().await;
        let table = table.unwrap().table.unwrap();
        writeln!(found, "{name}: {}", key(table.key_schema())).unwrap();
        let mut indexes = table.global_secondary_indexes().to_vec();
        indexes.sort_by_key(|index| index.index_name.clone());
        for index in indexes {
            let name = index.index_name().unwrap();
            writeln!(found, "  {name}: {}", key(index.key_schema())).unwrap();
            let projection = index.projection().unwrap().projection_type();
            assert_eq!(projection, Some(&ProjectionType::All));
        }
        let is_text = |it: &AttributeDefinition| it.attribute_type == ScalarAttributeType::S;
        assert!(table.attribute_definitions().iter().all(is_text));
        let billing = table.billing_mode_summary().unwrap().billing_mode();
        assert_eq!(billing, Some(&BillingMode::PayPerRequest));
    }
    assert_eq!(found, DESIGNED);
}

#[tokio::test]
async fn one_table_expires_by_its_attribute() {
    let engine = Engine::embedded().unwrap();
    let tables = Tables::open(&engine, now()).await.unwrap();
    let name = tables.idempotency.name().unwrap();
    let ttl = tables.users.client().describe_time_to_live();
    let ttl = ttl.table_name(name).send().await.unwrap();
    let ttl = ttl.time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("expiresAtEpochSeconds"));
}

#[tokio::test]
async fn the_init_script_creates_all_tables_and_indexes() {
    let script = shown().output(["shell".to_owned()]).await.unwrap();
    assert_eq!(
        script.matches("\n  create \"$table\" <<'JSON'\n").count(),
        12
    );
    for line in DESIGNED.lines() {
        let (name, _) = line.split_once(':').unwrap();
        let named = match name.strip_prefix("  ") {
            Some(index) => format!("\"IndexName\": \"{index}\""),
            None => format!("table=\"{name}\"\n"),
        };
        assert!(script.contains(&named), "{named}");
    }
    assert_eq!(script.matches("update-time-to-live").count(), 1);
    assert_eq!(script.matches("\"PAY_PER_REQUEST\"").count(), 12);
}
