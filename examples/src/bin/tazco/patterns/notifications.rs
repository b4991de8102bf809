//! `tazco-whatsapp-notifications`.

use crate::model::{DeliveryStatus, Notification, RelatedType, Time};
use dyna_runtime::{Result, Table};

type Db = Table<Notification>;

/// One by its key.
pub async fn find_by_id(db: &Db, notification_id: &str) -> Result<Option<Notification>> {
    Notification::get(notification_id).send(db).await
}

/// Those about a card request or a payment, oldest first.
pub async fn find_by_related_entity(
    db: &Db,
    related_type: RelatedType,
    related_id: &str,
) -> Result<Vec<Notification>> {
    let related = Notification::of_entity(related_type, related_id);
    related.all(db).await
}

/// Those of a status, oldest first.
pub async fn find_by_delivery_status(
    db: &Db,
    status: DeliveryStatus,
    limit: usize,
) -> Result<Vec<Notification>> {
    let found = Notification::by_creation(status);
    found.limit(limit).all(db).await
}

/// Failed ones whose next try is due. What has no next try is not in the index.
pub async fn find_ready_for_retry(db: &Db, now: Time) -> Result<Vec<Notification>> {
    let failed = Notification::by_retry(DeliveryStatus::Failed);
    failed.next_retry_at_range(..=now).all(db).await
}

/// Gives up on one: without a next try it leaves the index.
pub async fn give_up(db: &Db, notification: &Notification) -> Result<Notification> {
    let never = None::<Time>;
    let change = Notification::update_loaded(notification).set(Notification::NEXT_RETRY_AT, never);
    change.returning_new().send(db).await
}
