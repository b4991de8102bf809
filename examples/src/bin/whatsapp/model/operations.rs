//! What keeps the service running: webhooks, calls, figures, settings, requests that were answered already.

use super::{Time, WhatsApp};
use dyna_runtime::{DynaEntity, KeyPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

/// What Meta has sent. `webhookEventType` is a copy of `eventType` that the index writes.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "WEBHOOK_EVENT",
    pk = "WEBHOOK#<event_id>",
    gsi_webhook_event(as = by_type, pk = "<event_type>", sk = "<received_at>"),
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "WEBHOOK_EVENT"),
)]
pub struct WebhookEvent {
    pub event_id: String,
    pub event_type: String,
    pub waba_meta_id: String,
    pub payload: BTreeMap<String, Value>,
    pub processed_at: Option<Time>,
    pub received_at: Time,
    /// Not in the contract, which wants old events to go after 30 days. One without stays.
    #[dyna(ttl)]
    pub ttl: Option<u64>,
}

/// How Meta's calls are checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "WEBHOOK_CONFIG",
    pk = "WEBHOOK_CONFIG#<waba_meta_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "WEBHOOK_CONFIG"),
)]
pub struct WebhookConfig {
    pub waba_meta_id: String,
    pub verify_token: String,
    pub app_secret: String,
    pub enabled: bool,
    pub updated_at: Time,
}

/// A call.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "CALL",
    pk = "CALL#<call_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "CALL"),
)]
pub struct Call {
    pub call_id: String,
    pub waba_meta_id: String,
    pub from: String,
    pub to: String,
    pub status: CallStatus,
    /// In seconds.
    pub duration: u32,
    pub started_at: Time,
    pub ended_at: Option<Time>,
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallStatus {
    Initiated,
    Ringing,
    Answered,
    Ended,
    Failed,
}

/// The figures of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "ANALYTICS",
    pk = "ANALYTICS#<waba_meta_id>#<date:len=10>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "ANALYTICS"),
)]
pub struct Analytics {
    pub waba_meta_id: String,
    /// `2026-11-16`
    pub date: String,
    pub messages_sent: u32,
    pub messages_delivered: u32,
    pub messages_read: u32,
    pub messages_failed: u32,
    pub templates_used: BTreeMap<String, u32>,
}

/// What Meta thinks of a phone's messages. The phone is in the key alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "QUALITY_RATING",
    pk = "QUALITY#<phone_number_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "QUALITY_RATING"),
)]
pub struct Quality {
    #[dyna(key_only)]
    pub phone_number_id: String,
    pub waba_meta_id: String,
    pub quality_rating: Rating,
    pub throughput_status: String,
    pub last_checked_at: Time,
    pub quality_history: Vec<QualityChange>,
}

/// Meta's opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Rating {
    Green,
    Yellow,
    Red,
}

/// When an opinion changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QualityChange {
    pub rating: Rating,
    pub at: Time,
}

/// Settings of the service: `CONFIG#INFRA` and `CONFIG#MEDIA_TYPES`, each with the attributes of its kind.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(table = WhatsApp, tag = "CONFIG", pk = "CONFIG#<kind>")]
pub struct Config {
    #[dyna(key_only)]
    pub kind: ConfigKind,
    /// Of the infrastructure.
    pub vpc_endpoint: Option<String>,
    /// Of the infrastructure.
    pub service_linked_role: Option<String>,
    /// Of media: the MIME types of each kind.
    pub supported_types: Option<BTreeMap<String, Vec<String>>>,
    pub updated_at: Time,
}

/// What is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ConfigKind {
    Infra,
    MediaTypes,
}

/// What a customer has filled in. It has no `createdAt`, so `gsi_customer_phone` does not have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(table = WhatsApp, tag = "FLOW_RESPONSE", pk = "FLOW_RESPONSE#<flow_id>#<response_id>")]
pub struct FlowResponse {
    pub flow_id: String,
    pub response_id: String,
    pub customer_phone: String,
    pub screen_id: String,
    pub data: BTreeMap<String, Value>,
    pub completed_at: Time,
}

/// A request that was answered, and how: whoever asks again gets the same. It goes after 24 hours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(table = WhatsApp, tag = "IDEMPOTENCY", pk = "IDEMPOTENCY#<request_id>")]
pub struct Idempotency {
    pub request_id: String,
    pub processed_at: Time,
    /// Epoch seconds.
    #[dyna(ttl)]
    pub ttl: u64,
    pub result: BTreeMap<String, Value>,
}
