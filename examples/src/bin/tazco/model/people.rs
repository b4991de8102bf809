//! Tables 1 and 2: users and their scores.

use super::Time;
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// 1. Who has cards, or approves them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-users",
        pk = "ecosystemId",
        index(by_firebase_uid, name = "UserByFirebaseUid", pk = "firebaseUid")
    ),
    pk = "<ecosystem_id>",
    by_firebase_uid(as = by_firebase_uid, pk = "<firebase_uid>"),
)]
pub struct User {
    pub ecosystem_id: String,
    pub firebase_uid: String,
    pub email: String,
    pub role: Role,
    pub status: UserStatus,
    pub current_score: i64,
    pub tier: Tier,
    pub card_summary: CardSummary,
    #[dyna(created_at)]
    pub created_at: Time,
    #[dyna(updated_at)]
    pub updated_at: Time,
    pub last_login_at: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Admin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserStatus {
    Active,
    Disabled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    Low,
    Medium,
    High,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardSummary {
    pub active_cards: u32,
    pub total_balance: i64,
    pub total_limit: i64,
}

/// 2. How a user's score has changed.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(name = "tazco-scores", pk = "ecosystemId", sk = "timestampScoreId"),
    pk = "<ecosystem_id>",
    sk = "<timestamp>#<score_id>"
)]
pub struct Score {
    pub ecosystem_id: String,
    pub score_id: String,
    pub value: i64,
    pub previous_value: i64,
    pub delta: i64,
    pub reason: String,
    pub source: ScoreSource,
    pub source_id: Option<String>,
    pub related_entity_type: Option<String>,
    pub related_entity_id: Option<String>,
    pub timestamp: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreSource {
    System,
    Admin,
}
