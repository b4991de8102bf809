//! Notifications, inbound messages and approvals.

use super::with_samples;
use crate::model::{ApprovalStatus, DeliveryStatus, Notification, PendingApproval, RelatedType};
use crate::patterns::{approvals, inbound, notifications};
use crate::sample::{self, PHONES, ago, now};

#[tokio::test]
async fn notifications_are_found_by_id_entity_and_status() {
    let db = &with_samples().await.notifications;
    let found = notifications::find_by_id(db, "note-003").await.unwrap();
    assert_eq!(found, Some(sample::notification(3)));
    let related = RelatedType::CardRequest;
    let found = notifications::find_by_related_entity(db, related, "req-006-5").await;
    assert_eq!(found.unwrap(), [3, 15, 27, 39].map(sample::notification));
    let related = RelatedType::Payment;
    let found = notifications::find_by_related_entity(db, related, "req-006-5").await;
    assert_eq!(found.unwrap(), []);
    let found = notifications::find_by_delivery_status(db, DeliveryStatus::Sent, 3).await;
    assert_eq!(found.unwrap(), [1, 5, 9].map(sample::notification));
}

#[tokio::test]
async fn only_notifications_with_a_next_try_are_tried_again() {
    let db = &with_samples().await.notifications;
    let due = || notifications::find_ready_for_retry(db, now());
    assert_eq!(due().await.unwrap(), [3, 11, 19].map(sample::notification));
    // Ten have failed; five of them are in the index.
    let failed = DeliveryStatus::Failed;
    let all = notifications::find_by_delivery_status(db, failed, 100).await;
    assert_eq!(all.unwrap().len(), 10);
    assert_eq!(Notification::by_retry(failed).count(db).await.unwrap(), 5);

    let given_up = notifications::give_up(db, &sample::notification(3)).await;
    let expected = Notification {
        next_retry_at: None,
        ..sample::notification(3)
    };
    assert_eq!(given_up.unwrap(), expected);
    assert_eq!(due().await.unwrap(), [11, 19].map(sample::notification));
}

#[tokio::test]
async fn inbound_messages_are_found_by_either_id_and_by_sender() {
    let db = &with_samples().await.inbound;
    let found = inbound::find_by_id(db, "in-003").await.unwrap();
    assert_eq!(found, Some(sample::inbound_message(3)));
    let found = inbound::find_by_wpp_message_id(db, "wamid.in.004").await;
    assert_eq!(found.unwrap(), Some(sample::inbound_message(4)));
    let found = inbound::find_by_wpp_message_id(db, "wamid.in.003").await;
    assert_eq!(found.unwrap(), None);
    // The third was received at that very time.
    let found = inbound::find_by_sender(db, PHONES[1], ago(15)).await;
    assert_eq!(found.unwrap(), [3, 1].map(sample::inbound_message));
}

#[tokio::test]
async fn approvals_expire_at_their_millisecond() {
    let db = &with_samples().await.approvals;
    let found = approvals::find_by_id(db, "req-006-5").await.unwrap();
    assert_eq!(found, Some(sample::pending_approval(6)));
    let expired = || approvals::find_expired(db, now());
    let expected = [10, 8, 6, 4, 2].map(sample::pending_approval);
    assert_eq!(expired().await.unwrap(), expected);
    let noted = approvals::expire(db, &expected[0]).await.unwrap();
    let after = PendingApproval {
        approval_status: ApprovalStatus::Expired,
        ..expected[0].clone()
    };
    assert_eq!(noted, after);
    assert_eq!(expired().await.unwrap(), expected[1..]);
}
