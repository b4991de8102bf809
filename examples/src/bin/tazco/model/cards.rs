//! Tables 3 to 6: cards, the requests for them, what is paid with them, and answers that are given once.

use super::{Json, Tier, Time};
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// 3. A credit card. Every write checks the version that was loaded, and counts it on.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-cards",
        pk = "ecosystemId",
        sk = "cardId",
        index(by_status, name = "CardsByStatus", pk = "ecosystemId", sk = "statusCardId")
    ),
    pk = "<ecosystem_id>",
    sk = "<card_id>",
    by_status(as = of_user_by_status, pk = "<ecosystem_id>", sk = "<status>#<card_id>"),
)]
pub struct Card {
    pub ecosystem_id: String,
    pub card_id: String,
    pub r#type: CardType,
    pub product_id: String,
    pub status: CardStatus,
    pub status_reason: Option<String>,
    pub limit: i64,
    pub balance: i64,
    pub available_credit: i64,
    pub minimum_payment: i64,
    pub next_due_date: Time,
    #[dyna(version)]
    pub version: u64,
    pub approved_by: ApprovedBy,
    pub approved_by_admin_id: Option<String>,
    pub score_at_approval: i64,
    #[dyna(created_at)]
    pub created_at: Time,
    #[dyna(updated_at)]
    pub updated_at: Time,
    pub activated_at: Option<Time>,
    pub cancelled_at: Option<Time>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardType {
    CreditCard,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum CardStatus {
    Active,
    Suspended,
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovedBy {
    Auto,
    Admin,
}

/// 4. A request for a card, and what became of it. `expiresAt` is text, so DynamoDB does not delete it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-card-requests",
        pk = "ecosystemId",
        sk = "requestId",
        index(by_status, name = "RequestsByStatusCreatedAt", pk = "status", sk = "createdAtRequestId"),
        index(by_tier, name = "RequestsByTierCreatedAt", pk = "tierAtRequest", sk = "createdAtRequestId")
    ),
    pk = "<ecosystem_id>",
    sk = "<request_id>",
    by_status(as = by_status, pk = "<status>", sk = "<created_at>#<request_id>"),
    by_tier(as = by_tier, pk = "<tier_at_request>", sk = "<created_at>#<request_id>"),
)]
pub struct CardRequest {
    pub ecosystem_id: String,
    pub request_id: String,
    pub product_id: String,
    pub idempotency_key: String,
    pub status: RequestStatus,
    pub score_at_request: i64,
    pub tier_at_request: Tier,
    pub decision: Option<Decision>,
    pub resulting_card_id: Option<String>,
    pub created_at: Time,
    #[dyna(updated_at)]
    pub updated_at: Time,
    pub expires_at: Option<Time>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum RequestStatus {
    Pending,
    Approved,
    Rejected,
}

/// Who decided on a request, when and why. The design names it, but not what is in it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    pub decided_by: ApprovedBy,
    pub admin_id: Option<String>,
    pub reason: String,
    pub decided_at: Time,
}

/// 5. A purchase or a payment. Whose card it is has no attribute but the key. Its id is a `UUIDv7`, which sorts by time.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-transactions",
        pk = "ecosystemIdCardId",
        sk = "transactionId"
    ),
    pk = "<ecosystem_id>#<card_id>",
    sk = "<transaction_id>"
)]
pub struct Transaction {
    #[dyna(key_only)]
    pub ecosystem_id: String,
    #[dyna(key_only)]
    pub card_id: String,
    pub transaction_id: Uuid,
    pub r#type: TransactionType,
    pub amount: i64,
    pub merchant: Option<String>,
    pub payment_status: Option<PaymentStatus>,
    pub days_overdue: Option<u32>,
    pub score_impact: Option<i64>,
    pub idempotency_key: String,
    pub status: TransactionStatus,
    pub failure_reason: Option<String>,
    pub timestamp: Time,
    pub processed_at: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransactionType {
    Purchase,
    Payment,
}

/// Its words are ours: the design has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    OnTime,
    Late,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransactionStatus {
    Completed,
    Failed,
}

/// 6. What a request was answered, so that the same request is answered the same way for a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-idempotency",
        pk = "ecosystemId",
        sk = "keyHash",
        ttl = "expiresAtEpochSeconds"
    ),
    pk = "<ecosystem_id>",
    sk = "<key_hash>"
)]
pub struct IdempotencyRecord {
    pub ecosystem_id: String,
    pub key_hash: String,
    pub operation: String,
    pub response: Json,
    pub status_code: u16,
    #[dyna(created_at)]
    pub created_at: Time,
    #[dyna(ttl)]
    pub expires_at_epoch_seconds: i64,
}
