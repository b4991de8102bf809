//! One line per item, for people.

use crate::model::{
    AuditLog, Card, CardRequest, IdempotencyRecord, InboundMessage, Notification, OutboxEvent,
    PendingApproval, Score, Transaction, User,
};
use std::fmt::{Display, Formatter, Result};

impl Display for User {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (id, email, score) = (&self.ecosystem_id, &self.email, self.current_score);
        write!(f, "{id} <{email}>, score {score}, {:?}", self.tier)
    }
}

impl Display for Score {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (value, delta, reason) = (self.value, self.delta, &self.reason);
        write!(f, "{} {value} ({delta:+}): {reason}", self.timestamp)
    }
}

impl Display for Card {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (id, status, version) = (&self.card_id, self.status, self.version);
        let (balance, limit) = (self.balance, self.limit);
        write!(
            f,
            "{id} {status:?}, {balance} of {limit} used, version {version}"
        )
    }
}

impl Display for CardRequest {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (id, status, at) = (&self.request_id, self.status, self.created_at);
        write!(f, "{id} {status:?}, of {at}, {:?}", self.tier_at_request)
    }
}

impl Display for Transaction {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (at, kind, amount) = (self.timestamp, self.r#type, self.amount);
        write!(f, "{at} {kind:?} of {amount}")?;
        self.merchant
            .iter()
            .try_for_each(|at| write!(f, " at {at}"))
    }
}

impl Display for IdempotencyRecord {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (operation, status) = (&self.operation, self.status_code);
        let until = self.expires_at_epoch_seconds;
        write!(f, "{operation} was answered with {status}, until {until}")
    }
}

impl Display for OutboxEvent {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (id, entity, number) = (&self.event_id, &self.entity_id, self.sequence_number);
        let (status, at) = (self.status, self.next_retry_at);
        write!(
            f,
            "{id} {status:?}, number {number} of {entity}, next try {at}"
        )
    }
}

impl Display for AuditLog {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (at, who, what) = (self.timestamp, &self.admin_email, &self.action);
        write!(f, "{at} {who}: {what} {}", self.target_id)
    }
}

impl Display for Notification {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (id, status) = (&self.notification_id, self.delivery_status);
        write!(f, "{id} {status:?}, about {}", self.related_entity_id)?;
        let next = self.next_retry_at.iter();
        next.into_iter()
            .try_for_each(|at| write!(f, ", next try {at}"))
    }
}

impl Display for InboundMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (at, from, body) = (self.received_at, &self.sender_phone, &self.raw_body);
        write!(f, "{at} {from}: {body}")
    }
}

impl Display for PendingApproval {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (id, status, until) = (&self.request_id, self.approval_status, self.expires_at);
        write!(f, "{id} {status:?}, until {until}")
    }
}
