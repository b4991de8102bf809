//! Notifications, inbound messages and approvals.

use super::{DAY, PHONES, ago, now, request_id, user_id};
use crate::model::{
    ApprovalStatus, Command, DeliveryStatus, InboundMessage, Notification, PendingApproval,
    ProcessedStatus, RelatedType,
};

/// Forty, a minute apart, about the pending requests. Of those that failed every second is tried again, one of them this very
/// millisecond.
pub fn notifications() -> Vec<Notification> {
    (0..40).map(notification).collect()
}

pub fn notification(n: i64) -> Notification {
    let status = match n % 4 {
        0 => DeliveryStatus::Pending,
        1 => DeliveryStatus::Sent,
        2 => DeliveryStatus::Delivered,
        _ => DeliveryStatus::Failed,
    };
    let user = n % 12 * 2;
    Notification {
        notification_id: format!("note-{n:03}"),
        recipient_phone: PHONES[usize::from(n % 2 == 1)].to_owned(),
        recipient_name: None,
        message_content: format!("Card request {} waits for you", request_id(user, 5)),
        notification_type: "approval_request".to_owned(),
        related_entity_type: RelatedType::CardRequest,
        related_entity_id: request_id(user, 5),
        ecosystem_id: user_id(user),
        delivery_status: status,
        wpp_message_id: matches!(status, DeliveryStatus::Sent | DeliveryStatus::Delivered)
            .then(|| format!("wamid.out.{n:03}")),
        retry_count: u32::from(status == DeliveryStatus::Failed),
        last_error: (status == DeliveryStatus::Failed).then(|| "unreachable".to_owned()),
        next_retry_at: (n % 8 == 3).then(|| ago(19 - n)),
        created_at: ago(100 - n),
        sent_at: None,
        delivered_at: None,
    }
}

/// Thirty, five minutes apart, from two admins in turn. Every third has no id of `WhatsApp`.
pub fn inbound_messages() -> Vec<InboundMessage> {
    (0..30).map(inbound_message).collect()
}

pub fn inbound_message(m: i64) -> InboundMessage {
    let request = request_id(m % 12 * 2, 5);
    InboundMessage {
        message_id: format!("in-{m:03}"),
        wpp_message_id: (m % 3 != 0).then(|| format!("wamid.in.{m:03}")),
        sender_phone: PHONES[usize::from(m % 2 == 1)].to_owned(),
        sender_name: Some("Admin".to_owned()),
        is_from_whitelisted_admin: true,
        raw_body: format!("APPROVE {request}"),
        parsed_command: Some(Command {
            action: "approve".to_owned(),
            request_id: Some(request.clone()),
        }),
        processed_status: ProcessedStatus::Received,
        processed_action: None,
        processing_error: None,
        related_request_id: Some(request),
        related_ecosystem_id: Some(user_id(m % 12 * 2)),
        received_at: ago(5 * m),
        processed_at: None,
    }
}

/// One of each pending request. It expires three days after the request, for one of them this very millisecond; those of the last six
/// have been noted as expired.
pub fn pending_approvals() -> Vec<PendingApproval> {
    (0..12).map(|n| pending_approval(2 * n)).collect()
}

pub fn pending_approval(n: i64) -> PendingApproval {
    let created = (n + 1) * DAY;
    PendingApproval {
        request_id: request_id(n, 5),
        ecosystem_id: user_id(n),
        notification_ids: vec![format!("note-{:03}", n / 2)],
        notifications_sent_at: Some(ago(created - 1)),
        approval_status: if n < 12 {
            ApprovalStatus::Pending
        } else {
            ApprovalStatus::Expired
        },
        responding_admin_phone: None,
        response_received_at: None,
        expires_at: ago(created - 3 * DAY),
        created_at: ago(created),
        updated_at: now(),
    }
}
