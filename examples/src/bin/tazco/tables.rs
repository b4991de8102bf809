//! The twelve tables, opened together.

use crate::model::{
    AuditLog, Card, CardRequest, IdempotencyRecord, InboundMessage, Notification, OutboxEvent,
    OutboxSequence, PendingApproval, Score, Time, Transaction, User,
};
use dyna_examples::{Contents, Engine, Result, contents};
use dyna_runtime::Table;
use std::time::SystemTime;

/// A handle of each table, in the order of the design.
#[derive(Debug, Clone)]
pub struct Tables {
    pub users: Table<User>,
    pub scores: Table<Score>,
    pub cards: Table<Card>,
    pub card_requests: Table<CardRequest>,
    pub transactions: Table<Transaction>,
    pub idempotency: Table<IdempotencyRecord>,
    pub outbox: Table<OutboxEvent>,
    pub outbox_sequences: Table<OutboxSequence>,
    pub audit_logs: Table<AuditLog>,
    pub notifications: Table<Notification>,
    pub inbound: Table<InboundMessage>,
    pub approvals: Table<PendingApproval>,
}

impl Tables {
    /// Makes the tables in an engine. It is always `now` there.
    pub async fn open(engine: &Engine, now: Time) -> Result<Self> {
        let now: SystemTime = now.into();
        Ok(Self {
            users: engine.open("").await?.with_clock(move || now),
            scores: engine.open("").await?.with_clock(move || now),
            cards: engine.open("").await?.with_clock(move || now),
            card_requests: engine.open("").await?.with_clock(move || now),
            transactions: engine.open("").await?.with_clock(move || now),
            idempotency: engine.open("").await?.with_clock(move || now),
            outbox: engine.open("").await?.with_clock(move || now),
            outbox_sequences: engine.open("").await?.with_clock(move || now),
            audit_logs: engine.open("").await?.with_clock(move || now),
            notifications: engine.open("").await?.with_clock(move || now),
            inbound: engine.open("").await?.with_clock(move || now),
            approvals: engine.open("").await?.with_clock(move || now),
        })
    }

    /// What is in all of them.
    pub async fn contents(&self) -> dyna_runtime::Result<Vec<Contents>> {
        let found = [
            contents(&self.users).await?,
            contents(&self.scores).await?,
            contents(&self.cards).await?,
            contents(&self.card_requests).await?,
            contents(&self.transactions).await?,
            contents(&self.idempotency).await?,
            contents(&self.outbox).await?,
            contents(&self.outbox_sequences).await?,
            contents(&self.audit_logs).await?,
            contents(&self.notifications).await?,
            contents(&self.inbound).await?,
            contents(&self.approvals).await?,
        ];
        Ok(found.concat())
    }
}
