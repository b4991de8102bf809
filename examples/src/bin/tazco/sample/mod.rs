//! What is in the tables: 24 users with their cards, requests and messages, about 1300 items, the same each time.

mod messages;

#[cfg(test)]
pub use messages::{inbound_message, notification, pending_approval};
pub use messages::{inbound_messages, notifications, pending_approvals};

use crate::model::{
    ApprovedBy, AuditLog, Card, CardRequest, CardStatus, CardSummary, CardType, Decision,
    IdempotencyRecord, InboundMessage, Json, Notification, OutboxEvent, OutboxSequence,
    OutboxStatus, PaymentStatus, PendingApproval, RequestStatus, Role, Score, ScoreSource, Tier,
    Time, Transaction, TransactionStatus, TransactionType, User, UserStatus,
};
use crate::patterns::outbox_sequences::sequence_id;
use crate::tables::Tables;
use dyna_cli::Program;
use dyna_runtime::entity::BatchWritable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{DynaEntity, Result, Table};
use jiff::{SignedDuration, Timestamp};
use std::time::SystemTime;
use uuid::{Builder, Uuid};

pub const ADMINS: [&str; 2] = ["eco-000", "eco-001"];
pub const PHONES: [&str; 2] = ["+5491100000000", "+5491100000001"];
const USERS: i64 = 24;
const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

/// When the program runs: noon of the day the design was written.
pub fn now() -> Time {
    Time(Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_767_787_200))
}

/// So many minutes before the program runs; after it, if they are negative.
pub fn ago(minutes: i64) -> Time {
    Time(now().0 - SignedDuration::from_mins(minutes))
}

/// Where requests start to need attention.
pub fn seven_days_ago() -> Time {
    ago(7 * DAY)
}

pub fn user_id(n: i64) -> String {
    format!("eco-{n:03}")
}

pub fn request_id(n: i64, k: i64) -> String {
    format!("req-{n:03}-{k}")
}

pub fn card_id(n: i64, k: i64) -> String {
    format!("card-{n:03}-{k}")
}

/// The id of the transaction of a card so many hours ago.
pub fn transaction_id(n: i64, k: i64, hours: i64) -> Uuid {
    let millis = ago(hours * HOUR).0.as_millisecond().unsigned_abs();
    let [.., card] = n.to_be_bytes();
    let [.., nth] = k.to_be_bytes();
    let rest = [0, card, nth, 0, 0, 0, 0, 0, 0, 0];
    Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

/// Writes it all. Cards have a version, so each is created by itself, at its time.
pub async fn write(to: &Tables) -> Result<()> {
    put_all(&to.users, &users()).await?;
    put_all(&to.scores, &scores()).await?;
    put_all(&to.card_requests, &card_requests()).await?;
    put_all(&to.transactions, &transactions()).await?;
    put_all(&to.idempotency, &idempotency_records()).await?;
    put_all(&to.outbox, &outbox_events()).await?;
    put_all(&to.outbox_sequences, &outbox_sequences()).await?;
    put_all(&to.audit_logs, &audit_logs()).await?;
    put_all(&to.notifications, &notifications()).await?;
    put_all(&to.inbound, &inbound_messages()).await?;
    put_all(&to.approvals, &pending_approvals()).await?;
    for card in cards() {
        let created: SystemTime = card.created_at.into();
        let then = to.cards.clone().with_clock(move || created);
        let new = Card { version: 0, ..card };
        new.create().send(&then).await?;
    }
    Ok(())
}

/// The schema of all tables, with some of the items of each.
pub fn shown() -> Program {
    dyna_cli::main::<User>()
        .table::<Score>()
        .table::<Card>()
        .table::<CardRequest>()
        .table::<Transaction>()
        .table::<IdempotencyRecord>()
        .table::<OutboxEvent>()
        .table::<OutboxSequence>()
        .table::<AuditLog>()
        .table::<Notification>()
        .table::<InboundMessage>()
        .table::<PendingApproval>()
        .samples(users().into_iter().take(3))
        .samples(scores().into_iter().take(3))
        .samples(cards().into_iter().take(3))
        .samples(card_requests().into_iter().take(3))
        .samples(transactions().into_iter().take(3))
        .samples(idempotency_records().into_iter().take(3))
        .samples(outbox_events().into_iter().take(3))
        .samples(outbox_sequences().into_iter().take(3))
        .samples(audit_logs().into_iter().take(3))
        .samples(notifications().into_iter().take(3))
        .samples(inbound_messages().into_iter().take(3))
        .samples(pending_approvals().into_iter().take(3))
}

async fn put_all<E>(db: &Table<E>, items: &[E]) -> Result<()>
where
    E: DynaEntity + BatchWritable + HasEntity<E>,
{
    let mut left = db.batch_write().put_all(items);
    while !left.is_empty() {
        left = left.send().await?;
    }
    Ok(())
}

pub fn users() -> Vec<User> {
    let user = |n| User {
        ecosystem_id: user_id(n),
        firebase_uid: format!("fb-{n:03}"),
        email: format!("user{n}@tazco.example"),
        role: if n < 2 { Role::Admin } else { Role::User },
        status: if n == 23 {
            UserStatus::Disabled
        } else {
            UserStatus::Active
        },
        current_score: 655 + n,
        tier: tier(n),
        card_summary: CardSummary {
            active_cards: 1,
            total_balance: 100 * n,
            total_limit: 50_000,
        },
        created_at: ago(90 * DAY),
        updated_at: now(),
        last_login_at: ago(n * HOUR),
    };
    (0..USERS).map(user).collect()
}

fn tier(n: i64) -> Tier {
    match n % 3 {
        0 => Tier::Low,
        1 => Tier::Medium,
        _ => Tier::High,
    }
}

/// Twelve of each user, one a day, each five points up.
pub fn scores() -> Vec<Score> {
    let score = |n: i64, k: i64| Score {
        ecosystem_id: user_id(n),
        score_id: format!("score-{n:03}-{k:02}"),
        value: 600 + n + 5 * k,
        previous_value: 595 + n + 5 * k,
        delta: 5,
        reason: "payment on time".to_owned(),
        source: ScoreSource::System,
        source_id: None,
        related_entity_type: Some("payment".to_owned()),
        related_entity_id: Some(format!("pay-{n:03}-{k:02}")),
        timestamp: ago((12 - k) * DAY),
    };
    (0..USERS)
        .flat_map(|n| (0..12).map(move |k| score(n, k)))
        .collect()
}

/// One to three of each user: active, suspended, cancelled.
pub fn cards() -> Vec<Card> {
    (0..USERS)
        .flat_map(|n| (0..=n % 3).map(move |k| card(n, k)))
        .collect()
}

pub fn card(n: i64, k: i64) -> Card {
    let (status, reason) = match k {
        0 => (CardStatus::Active, None),
        1 => (CardStatus::Suspended, Some("lost".to_owned())),
        _ => (CardStatus::Cancelled, None),
    };
    Card {
        ecosystem_id: user_id(n),
        card_id: card_id(n, k),
        r#type: CardType::CreditCard,
        product_id: "classic".to_owned(),
        status,
        status_reason: reason,
        limit: 50_000,
        balance: 100 * n,
        available_credit: 50_000 - 100 * n,
        minimum_payment: 5 * n,
        next_due_date: ago(-20 * DAY),
        version: 1,
        approved_by: ApprovedBy::Auto,
        approved_by_admin_id: None,
        score_at_approval: 600 + n,
        created_at: ago((80 - k) * DAY),
        updated_at: ago((80 - k) * DAY),
        activated_at: Some(ago((79 - k) * DAY)),
        cancelled_at: (k == 2).then(|| ago(5 * DAY)),
    }
}

/// Five of each user. The last one of every second user is pending, since a day for the first of them, two days more for each other:
/// for seven days to the millisecond in one case.
pub fn card_requests() -> Vec<CardRequest> {
    (0..USERS)
        .flat_map(|n| (1..=5).map(move |k| card_request(n, k)))
        .collect()
}

pub fn card_request(n: i64, k: i64) -> CardRequest {
    let is_pending = k == 5 && n % 2 == 0;
    let status = match k {
        _ if is_pending => RequestStatus::Pending,
        2 | 4 => RequestStatus::Rejected,
        _ => RequestStatus::Approved,
    };
    let created = if is_pending {
        (n + 1) * DAY
    } else {
        (60 - 5 * k) * DAY + n
    };
    CardRequest {
        ecosystem_id: user_id(n),
        request_id: request_id(n, k),
        product_id: "classic".to_owned(),
        idempotency_key: format!("idem-{n:03}-{k}"),
        status,
        score_at_request: 600 + n,
        tier_at_request: tier(n),
        decision: (!is_pending).then(|| Decision {
            decided_by: ApprovedBy::Auto,
            admin_id: None,
            reason: "score".to_owned(),
            decided_at: ago(created - HOUR),
        }),
        resulting_card_id: (status == RequestStatus::Approved && k == 1).then(|| card_id(n, 0)),
        created_at: ago(created),
        updated_at: now(),
        expires_at: is_pending.then(|| ago(created - 30 * DAY)),
    }
}

/// Twelve of each card, one an hour; every fourth is a payment.
pub fn transactions() -> Vec<Transaction> {
    cards_of_all()
        .flat_map(|(n, k)| (1..=12).map(move |hours| transaction(n, k, hours)))
        .collect()
}

fn cards_of_all() -> impl Iterator<Item = (i64, i64)> {
    (0..USERS).flat_map(|n| (0..=n % 3).map(move |k| (n, k)))
}

/// The transaction of a card so many hours ago.
pub fn transaction(n: i64, k: i64, hours: i64) -> Transaction {
    let is_payment = hours % 4 == 0;
    Transaction {
        ecosystem_id: user_id(n),
        card_id: card_id(n, k),
        transaction_id: transaction_id(n, k, hours),
        r#type: if is_payment {
            TransactionType::Payment
        } else {
            TransactionType::Purchase
        },
        amount: 100 * hours,
        merchant: (!is_payment).then(|| format!("Shop {hours}")),
        payment_status: is_payment.then_some(PaymentStatus::OnTime),
        days_overdue: is_payment.then_some(0),
        score_impact: is_payment.then_some(5),
        idempotency_key: format!("tx-{n:03}-{k}-{hours:02}"),
        status: TransactionStatus::Completed,
        failure_reason: None,
        timestamp: ago(hours * HOUR),
        processed_at: ago(hours * HOUR - 1),
    }
}

/// One of each user. The first thirteen have expired, the last of them at this very second.
pub fn idempotency_records() -> Vec<IdempotencyRecord> {
    (0..USERS).map(idempotency_record).collect()
}

pub fn idempotency_record(n: i64) -> IdempotencyRecord {
    IdempotencyRecord {
        ecosystem_id: user_id(n),
        key_hash: format!("hash-{n:03}"),
        operation: "createCardRequest".to_owned(),
        response: json([("requestId", request_id(n, 5))]),
        status_code: 201,
        created_at: now(),
        expires_at_epoch_seconds: now().0.as_second() + (n - 12) * 3_600,
    }
}

fn json<const N: usize>(entries: [(&str, String); N]) -> Json {
    let entries = entries.map(|(name, value)| (name.to_owned(), value.into()));
    entries.into_iter().collect()
}

/// Sixty, one a minute. Every fourth has failed; the next try of one of them is due this very millisecond.
pub fn outbox_events() -> Vec<OutboxEvent> {
    (0..60).map(outbox_event).collect()
}

pub fn outbox_event(e: i64) -> OutboxEvent {
    let status = match e % 4 {
        0 => OutboxStatus::Pending,
        2 => OutboxStatus::Failed,
        _ if e % 8 == 3 => OutboxStatus::DeadLetter,
        _ => OutboxStatus::Sent,
    };
    let has_failed = matches!(status, OutboxStatus::Failed | OutboxStatus::DeadLetter);
    let user = e % USERS;
    OutboxEvent {
        event_id: format!("event-{e:03}"),
        event_type: "card.updated".to_owned(),
        entity_type: "card".to_owned(),
        entity_id: card_id(user, 0),
        ecosystem_id: user_id(user),
        sequence_number: (e / USERS + 1).unsigned_abs(),
        payload: json([("cardId", card_id(user, 0))]),
        status,
        retry_count: u32::from(has_failed),
        last_error: has_failed.then(|| "timeout".to_owned()),
        next_retry_at: ago(30 - e),
        created_at: ago(120 - e),
        sent_at: (status == OutboxStatus::Sent).then(|| ago(119 - e)),
    }
}

/// The sequences that gave the events their numbers: three for the first twelve users, two for the others.
pub fn outbox_sequences() -> Vec<OutboxSequence> {
    let sequence = |n| {
        let entity_key = format!("{}:card:{}", user_id(n), card_id(n, 0));
        OutboxSequence {
            sequence_id: sequence_id(&entity_key),
            entity_key,
            current: if n < 12 { 3 } else { 2 },
            updated_at: now(),
        }
    };
    (0..USERS).map(sequence).collect()
}

/// Thirty, ten minutes apart, by two admins in turn.
pub fn audit_logs() -> Vec<AuditLog> {
    (0..30).map(audit_log).collect()
}

pub fn audit_log(a: i64) -> AuditLog {
    let admin = a % 2;
    AuditLog {
        log_id: format!("log-{a:03}"),
        admin_ecosystem_id: user_id(admin),
        admin_email: format!("user{admin}@tazco.example"),
        action: "request.review".to_owned(),
        target_type: "cardRequest".to_owned(),
        target_id: request_id(a % 10, 5),
        target_ecosystem_id: Some(user_id(a % 10)),
        previous_value: None,
        new_value: Some(json([("note", format!("review {a}"))])),
        reason: "manual review".to_owned(),
        request_id: format!("http-{a:03}"),
        ip_address: Some("192.0.2.7".to_owned()),
        user_agent: None,
        timestamp: ago(10 * a),
    }
}
