//! Messages and the conversations they are part of.

use super::{Time, WhatsApp};
use dyna_runtime::{DynaEntity, KeyPart};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A message, in or out. Its id is in the key alone; `fromPk` is a copy of `from` that the index writes.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "MESSAGE",
    pk = "MSG#<wa_message_id>",
    gsi_direction(as = by_direction, pk = "<direction>", sk = "<received_at>"),
    gsi_from(as = by_sender, pk = "<from>", sk = "<received_at>"),
    gsi_inbox(as = in_inbox, pk = "<inbox_pk>", sk = "<received_at>"),
    gsi_conversation(as = in_conversation, pk = "<conversation_pk>", sk = "<received_at>"),
    gsi_status(as = by_status, pk = "<delivery_status>", sk = "<sent_at>"),
    gsi_group(as = in_group, pk = "<group_id>", sk = "<sent_at>"),
    gsi_campaign(as = of_campaign, pk = "<campaign_id>", sk = "<sent_at>"),
)]
pub struct Message {
    #[dyna(key_only)]
    pub wa_message_id: String,
    pub direction: Direction,
    pub received_at: Time,
    pub sent_at: Option<Time>,
    /// Epoch seconds, as `WhatsApp` has them: text.
    pub wa_timestamp: String,
    pub from: String,
    pub to: String,
    pub sender_name: String,
    pub conversation_pk: String,
    /// `text`, `image`, `template` and so on: what `WhatsApp` has, and will have.
    #[serde(rename = "type")]
    pub kind: String,
    pub preview: String,
    pub text_body: Option<String>,
    pub caption: Option<String>,
    pub media_id: Option<String>,
    pub mime_type: Option<String>,
    pub s3_bucket: Option<String>,
    pub s3_key: Option<String>,
    /// Of a message that was sent.
    pub delivery_status: Option<Delivery>,
    pub delivery_status_history: Vec<StatusUpdate>,
    pub inbox_pk: String,
    /// Not in the contract; `gsi_group` is empty without it.
    pub group_id: Option<String>,
    /// Not in the contract; `gsi_campaign` is empty without it.
    pub campaign_id: Option<String>,
}

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "UPPERCASE")]
pub enum Direction {
    Inbound,
    Outbound,
}

/// How far a message that was sent has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    Sent,
    Delivered,
    Read,
    Failed,
}

/// One entry of the history of a message that was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusUpdate {
    pub status: Delivery,
    pub at: Time,
}

/// A customer's thread with one phone of the business. The inbox has it under the time of its last message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "CONVERSATION",
    pk = "CONV#<phone_arn_suffix>#<from>",
    gsi_inbox(as = in_inbox, pk = "<inbox_pk>", sk = "<received_at>"),
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "CONVERSATION"),
)]
pub struct Conversation {
    #[dyna(key_only)]
    pub phone_arn_suffix: String,
    pub inbox_pk: String,
    /// The customer.
    pub from: String,
    pub received_at: Time,
    pub unread_count: u32,
    pub last_message_pk: String,
    pub last_type: String,
    pub last_preview: String,
    pub archived: bool,
    pub waba_meta_id: String,
    pub business_account_name: String,
}
