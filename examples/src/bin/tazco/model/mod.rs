//! Twelve tables of a card issuer, one entity each: the keys are the attributes themselves, and what is put together of two attributes
//! has an attribute of its own.
//!
//! What the design leaves open, and what is done here:
//!
//! - The composite keys of its indexes, such as `createdAt#requestId`, are attributes that it does not name. They are named as it names
//!   those of its tables, where `timestampScoreId` is `${timestamp}#${scoreId}`: `createdAtRequestId`.
//! - Its dates are text. They are compared as text, so all have one width: the 24 characters of [`Time`].
//! - An attribute that is not there is not stored, neither as NULL, which an index would refuse as a key.
//! - Amounts are whole numbers of the smallest unit of the currency, which it does not name.
//! - Of maps and words that it only names, such as `decision` and `deliveryStatus`, the contents are ours.
//!
//! What does something else than it says, and what is done here ([`crate::traps`] shows the first three):
//!
//! - `findPendingByUser` filters with "limit 1", but DynamoDB counts its limit before it filters: it reads one request, pending or not.
//!   In Dyna a limit is what the caller gets.
//! - `createdAt <= sevenDaysAgo`, `nextRetryAt <= now` and `expiresAt <= now` are asked of keys that go on with an id, so what is of that
//!   very millisecond sorts after it. A range is exact.
//! - An idempotency record that has expired stays until DynamoDB deletes it, maybe for days: it is found, and `attribute_not_exists`
//!   keeps a new one out. Reads leave it out with `.skip_expired()`, and the condition of the write lets it go.
//! - `findByCard` filters "in memory" by type, which makes short pages, or empty ones. Here DynamoDB filters, and pages are full.
//! - `expiresAt` of requests and approvals is text: nothing deletes them, unlike what has the TTL attribute. `findExpired` is to.
//! - `nextRetryAt` of an outbox event is always there, so events that were sent stay in the index of those to be retried, under `sent`.

#![expect(
    clippy::struct_field_names,
    reason = "fields have the names of the attributes"
)]

mod cards;
mod events;
mod people;
mod whatsapp;

pub use cards::{
    ApprovedBy, Card, CardRequest, CardStatus, CardType, Decision, IdempotencyRecord,
    PaymentStatus, RequestStatus, Transaction, TransactionStatus, TransactionType,
};
pub use dyna_examples::Time;
pub use events::{AuditLog, OutboxEvent, OutboxSequence, OutboxStatus};
pub use people::{CardSummary, Role, Score, ScoreSource, Tier, User, UserStatus};
pub use whatsapp::{
    ApprovalStatus, Command, DeliveryStatus, InboundMessage, Notification, PendingApproval,
    ProcessedStatus, RelatedType,
};

/// A map whose entries the design leaves to the application.
pub type Json = serde_json::Map<String, serde_json::Value>;
