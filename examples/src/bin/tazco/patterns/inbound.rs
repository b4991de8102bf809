//! `tazco-whatsapp-inbound`.

use crate::model::{InboundMessage, Time};
use dyna_runtime::{Result, Table};

type Db = Table<InboundMessage>;

/// One by its key.
pub async fn find_by_id(db: &Db, message_id: &str) -> Result<Option<InboundMessage>> {
    InboundMessage::get(message_id).send(db).await
}

/// The one that `WhatsApp` knows under an id, to tell whether it came before.
pub async fn find_by_wpp_message_id(
    db: &Db,
    wpp_message_id: &str,
) -> Result<Option<InboundMessage>> {
    let found = InboundMessage::by_wpp_message_id(wpp_message_id);
    found.one(db).await
}

/// What came from a phone since a time, oldest first.
pub async fn find_by_sender(db: &Db, phone: &str, since: Time) -> Result<Vec<InboundMessage>> {
    let received = InboundMessage::by_sender(phone);
    received.received_at_range(since..).all(db).await
}
