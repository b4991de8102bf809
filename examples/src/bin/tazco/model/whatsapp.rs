//! Tables 10 to 12: messages to and from admins, and the approvals they are about.

use super::Time;
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// 10. A message to an admin. One that needs no further try has no `nextRetryAt`, and is not in the index by it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-whatsapp-notifications",
        pk = "notificationId",
        index(
            by_related,
            name = "NotificationsByRelatedEntity",
            pk = "relatedEntityTypeRelatedEntityId",
            sk = "createdAtNotificationId"
        ),
        index(
            by_creation,
            name = "NotificationsByDeliveryStatusCreatedAt",
            pk = "deliveryStatus",
            sk = "createdAtNotificationId"
        ),
        index(
            by_retry,
            name = "NotificationsByDeliveryStatusNextRetryAt",
            pk = "deliveryStatus",
            sk = "nextRetryAtNotificationId"
        )
    ),
    pk = "<notification_id>",
    by_related(
        as = of_entity,
        pk = "<related_entity_type>#<related_entity_id>",
        sk = "<created_at>#<notification_id>"
    ),
    by_creation(as = by_creation, pk = "<delivery_status>", sk = "<created_at>#<notification_id>"),
    by_retry(as = by_retry, pk = "<delivery_status>", sk = "<next_retry_at>#<notification_id>"),
)]
pub struct Notification {
    pub notification_id: String,
    pub recipient_phone: String,
    pub recipient_name: Option<String>,
    pub message_content: String,
    pub notification_type: String,
    pub related_entity_type: RelatedType,
    pub related_entity_id: String,
    pub ecosystem_id: String,
    pub delivery_status: DeliveryStatus,
    pub wpp_message_id: Option<String>,
    pub retry_count: u32,
    pub last_error: Option<String>,
    pub next_retry_at: Option<Time>,
    pub created_at: Time,
    pub sent_at: Option<Time>,
    pub delivered_at: Option<Time>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "camelCase")]
pub enum RelatedType {
    CardRequest,
    Payment,
}

/// Its words are ours: the design has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    Pending,
    Sent,
    Delivered,
    Failed,
}

/// 11. A message from outside. Only one that has an id of `WhatsApp` is in the index by it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-whatsapp-inbound",
        pk = "messageId",
        index(by_wpp_message_id, name = "InboundByWppMessageId", pk = "wppMessageId"),
        index(
            by_sender,
            name = "InboundBySenderPhoneReceivedAt",
            pk = "senderPhone",
            sk = "receivedAtMessageId"
        )
    ),
    pk = "<message_id>",
    by_wpp_message_id(as = by_wpp_message_id, pk = "<wpp_message_id>"),
    by_sender(as = by_sender, pk = "<sender_phone>", sk = "<received_at>#<message_id>"),
)]
pub struct InboundMessage {
    pub message_id: String,
    pub wpp_message_id: Option<String>,
    pub sender_phone: String,
    pub sender_name: Option<String>,
    pub is_from_whitelisted_admin: bool,
    pub raw_body: String,
    pub parsed_command: Option<Command>,
    pub processed_status: ProcessedStatus,
    pub processed_action: Option<String>,
    pub processing_error: Option<String>,
    pub related_request_id: Option<String>,
    pub related_ecosystem_id: Option<String>,
    pub received_at: Time,
    pub processed_at: Option<Time>,
}

/// What a message asks for. The design names it, but not what is in it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    pub action: String,
    pub request_id: Option<String>,
}

/// Its words are ours: the design has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProcessedStatus {
    Received,
    Processed,
    Ignored,
    Failed,
}

/// 12. A card request that waits for an admin's answer, until it expires. `expiresAt` is text, so DynamoDB does not delete it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(
        name = "tazco-pending-approvals",
        pk = "requestId",
        index(
            by_expiry,
            name = "PendingApprovalsByStatusExpiresAt",
            pk = "approvalStatus",
            sk = "expiresAtRequestId"
        )
    ),
    pk = "<request_id>",
    by_expiry(as = by_expiry, pk = "<approval_status>", sk = "<expires_at>#<request_id>"),
)]
pub struct PendingApproval {
    pub request_id: String,
    pub ecosystem_id: String,
    pub notification_ids: Vec<String>,
    pub notifications_sent_at: Option<Time>,
    pub approval_status: ApprovalStatus,
    pub responding_admin_phone: Option<String>,
    pub response_received_at: Option<Time>,
    pub expires_at: Time,
    #[dyna(created_at)]
    pub created_at: Time,
    #[dyna(updated_at)]
    pub updated_at: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalStatus {
    Pending,
    Approved,
    Rejected,
    Expired,
}
