//! The outbox and the idempotency table under faults: lost responses, late requests, throttling, and indexes that are behind.

use crate::model::{
    AuditLog, Card, CardRequest, CardStatus, IdempotencyRecord, InboundMessage, Json, Notification,
    OutboxEvent, OutboxSequence, OutboxStatus, PendingApproval, Score, Transaction, User,
};
use crate::patterns::idempotency::{Reply, answer_once};
use crate::patterns::outbox::{relay, set_card_status};
use crate::sample::{self, now};
use crate::tables::Tables;
use dyna_runtime::simulate::{Faults, Simulation};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn faults() -> Faults {
    Faults::evenly(0.2).stale_indexes(0.5, Duration::from_secs(2))
}

/// All tables, each through a client of its own.
async fn tables(sim: &Simulation<Card>) -> Tables {
    macro_rules! table {
        ($entity:ty) => {
            sim.with_table::<$entity>().await.unwrap().client()
        };
    }
    Tables {
        users: table!(User),
        scores: table!(Score),
        cards: sim.client(),
        card_requests: table!(CardRequest),
        transactions: table!(Transaction),
        idempotency: table!(IdempotencyRecord),
        outbox: table!(OutboxEvent),
        outbox_sequences: table!(OutboxSequence),
        audit_logs: table!(AuditLog),
        notifications: table!(Notification),
        inbound: table!(InboundMessage),
        approvals: table!(PendingApproval),
    }
}

fn event(writer: u32, n: u32, card: &Card) -> OutboxEvent {
    OutboxEvent {
        event_id: format!("e-{writer}-{n}"),
        entity_type: "card".to_owned(),
        entity_id: card.card_id.clone(),
        ecosystem_id: card.ecosystem_id.clone(),
        status: OutboxStatus::Pending,
        retry_count: 0,
        last_error: None,
        sent_at: None,
        next_retry_at: now(),
        created_at: now(),
        ..sample::outbox_events().swap_remove(0)
    }
}

/// Changes the status of the card ten times. How many changes were acknowledged, and how many are in doubt.
async fn change(db: Tables, writer: u32) -> (u64, u64) {
    let (mut acknowledged, mut unknown) = (0, 0);
    let of = sample::card(5, 0);
    for n in 0..10 {
        loop {
            let get = Card::get(&of.ecosystem_id, &of.card_id).consistent();
            let Ok(Some(card)) = get.send(&db.cards).await else {
                continue;
            };
            let status = match card.status {
                CardStatus::Active => CardStatus::Suspended,
                _ => CardStatus::Active,
            };
            match set_card_status(&db, &card, status, event(writer, n, &card)).await {
                Ok(_) => acknowledged += 1,
                Err(error) if error.is_outcome_unknown() => unknown += 1,
                Err(_) => continue,
            }
            break;
        }
    }
    (acknowledged, unknown)
}

#[tokio::test(start_paused = true)]
async fn every_change_of_a_card_is_told_at_least_once_under_faults() {
    for seed in 0..5 {
        let sim = Simulation::<Card>::new(seed, faults()).await.unwrap();
        let card = sample::card(5, 0);
        card.create().send(&sim.direct()).await.unwrap();
        let mut writers = tokio::task::JoinSet::new();
        for writer in 0..3 {
            writers.spawn(change(tables(&sim).await, writer));
        }
        let events = sim.with_table::<OutboxEvent>().await.unwrap();
        let received = Arc::new(Mutex::new(BTreeSet::new()));
        let mut failures = 0_u32;
        let mut send = async |event: &OutboxEvent| {
            failures += 1;
            if failures.is_multiple_of(5) {
                return Err("the receiver is not there".to_owned());
            }
            received.lock().unwrap().insert(event.sequence_number);
            Ok(())
        };
        let db = events.client();
        let mut written = Vec::new();
        while let Some(done) = writers.join_next().await {
            written.push(done.unwrap());
            // What fails is told by the next one.
            let _ = relay(&db, 100, [now(), now()], &mut send).await;
        }
        sim.wait(Duration::from_secs(10)).await;
        let direct = events.direct();
        loop {
            let left = OutboxEvent::scan().consistent().all(&direct).await.unwrap();
            if left.iter().all(|event| event.status == OutboxStatus::Sent) {
                break;
            }
            let _ = relay(&db, 100, [now(), now()], &mut send).await;
        }
        let acknowledged: u64 = written.iter().map(|done| done.0).sum();
        let unknown: u64 = written.iter().map(|done| done.1).sum();
        let get = Card::get(&card.ecosystem_id, &card.card_id).consistent();
        let stored = get.send(&sim.direct()).await.unwrap().unwrap();
        let all = OutboxEvent::scan().consistent().all(&direct).await.unwrap();
        let changes = all.len() as u64;
        let context = format!("seed {seed}: {acknowledged} and {unknown} of {changes}");
        assert!(
            (acknowledged..=acknowledged + unknown).contains(&changes),
            "{context}"
        );
        // Each change has its event, and each event its number.
        assert_eq!(stored.version, 1 + changes, "{context}");
        let numbers: BTreeSet<u64> = all.iter().map(|event| event.sequence_number).collect();
        let first = *numbers.first().unwrap();
        assert_eq!(numbers, (first..first + changes).collect(), "{context}");
        assert_eq!(*received.lock().unwrap(), numbers, "{context}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_answered_once_under_faults() {
    for seed in 0..20 {
        let sim = Simulation::<Card>::new(seed, faults()).await.unwrap();
        let answered = Arc::new(AtomicU64::new(0));
        let mut clients = tokio::task::JoinSet::new();
        for client in 0..3_u16 {
            let (db, answered) = (tables(&sim).await, answered.clone());
            clients.spawn(async move {
                let mut replies = Vec::new();
                for _ in 0..5 {
                    let answer = || async {
                        answered.fetch_add(1, Ordering::Relaxed);
                        Ok(Reply {
                            status_code: 200 + client,
                            response: Json::new(),
                        })
                    };
                    let of = ["eco-1", "hash-1", "pay"];
                    let reply = answer_once(&db.idempotency, of, now(), answer).await;
                    replies.extend(reply.ok());
                }
                replies
            });
        }
        let replies: Vec<Reply> = clients.join_all().await.into_iter().flatten().collect();
        assert!(answered.load(Ordering::Relaxed) <= 1, "seed {seed}");
        assert!(
            replies.iter().all(|reply| *reply == replies[0]),
            "seed {seed}"
        );
    }
}
