//! Tables 7 to 9: events on their way out, their numbers, and who did what.

use super::{Json, Time};
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// 7. An event that is to be sent. `nextRetryAt` is always there, so a sent event stays in both indexes.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-outbox",
        pk = "eventId",
        index(by_creation, name = "OutboxByStatusCreatedAt", pk = "status", sk = "createdAtEventId"),
        index(by_retry, name = "OutboxByStatusNextRetryAt", pk = "status", sk = "nextRetryAtEventId")
    ),
    pk = "<event_id>",
    by_creation(as = by_creation, pk = "<status>", sk = "<created_at>#<event_id>"),
    by_retry(as = by_retry, pk = "<status>", sk = "<next_retry_at>#<event_id>"),
)]
pub struct OutboxEvent {
    pub event_id: String,
    pub event_type: String,
    pub entity_type: String,
    pub entity_id: String,
    pub ecosystem_id: String,
    pub sequence_number: u64,
    pub payload: Json,
    pub status: OutboxStatus,
    pub retry_count: u32,
    pub last_error: Option<String>,
    pub next_retry_at: Time,
    pub created_at: Time,
    pub sent_at: Option<Time>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "snake_case")]
pub enum OutboxStatus {
    Pending,
    Sent,
    Failed,
    DeadLetter,
}

/// 8. The last number that an event of an entity was given. `sequenceId` is the SHA-256 of `entityKey`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(name = "tazco-outbox-sequences", pk = "sequenceId"),
    pk = "<sequence_id>"
)]
pub struct OutboxSequence {
    pub sequence_id: String,
    pub entity_key: String,
    pub current: u64,
    #[dyna(updated_at)]
    pub updated_at: Time,
}

/// 9. What an admin did to something. The index by actor shares the sort key of the table.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-audit-logs",
        pk = "targetKey",
        sk = "timestampLogId",
        index(by_actor, name = "AuditLogsByActor", pk = "adminEcosystemId", sk = "timestampLogId")
    ),
    pk = "<target_type>#<target_id>",
    sk = "<timestamp>#<log_id>",
    by_actor(as = by_actor, pk = "<admin_ecosystem_id>", sk = "<timestamp>#<log_id>"),
)]
pub struct AuditLog {
    pub log_id: String,
    pub admin_ecosystem_id: String,
    pub admin_email: String,
    pub action: String,
    pub target_type: String,
    pub target_id: String,
    pub target_ecosystem_id: Option<String>,
    pub previous_value: Option<Json>,
    pub new_value: Option<Json>,
    pub reason: String,
    pub request_id: String,
    pub ip_address: Option<String>,
    pub user_agent: Option<String>,
    pub timestamp: Time,
}
