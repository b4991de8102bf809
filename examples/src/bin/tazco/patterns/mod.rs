//! The access patterns, a room for each table and a function for each pattern, named as in the design.
//!
//! For four tables the design has indexes but no patterns. Those are named after what the index is for, in the same manner.

pub mod approvals;
pub mod audit_logs;
pub mod card_requests;
pub mod cards;
pub mod idempotency;
pub mod inbound;
pub mod notifications;
pub mod outbox;
pub mod outbox_sequences;
pub mod scores;
pub mod transactions;
pub mod users;
