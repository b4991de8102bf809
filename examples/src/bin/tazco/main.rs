//! A card issuer in twelve tables: every access pattern of its design, run against the embedded engine.
//!
//! `model` is all there is to write; `patterns` is how it is used. The program writes about 1300 items, runs the patterns table by table,
//! and prints what it asked and what it got. Where the design does something else than it says, it shows both.
//!
//! `tazco schema shell` prints the init script that creates all tables; `tazco schema --help` has the other forms.

#![expect(
    unreachable_pub,
    reason = "the model and its patterns read as they would in a library"
)]

mod account;
mod answers;
mod model;
mod patterns;
mod sample;
mod tables;
#[cfg(test)]
mod tests;
mod traps;

use dyna_examples::{Account, Answers, Declared, Engine, Model, Result, compact, show};
use model::{
    ApprovalStatus, AuditLog, Card, CardRequest, CardStatus, DeliveryStatus, IdempotencyRecord,
    InboundMessage, Notification, OutboxEvent, OutboxSequence, OutboxStatus, PendingApproval,
    RelatedType, RequestStatus, Score, Tier, Transaction, TransactionType, User,
};
use patterns::{
    approvals, audit_logs, card_requests, cards, idempotency, inbound, notifications, outbox,
    outbox_sequences, scores, transactions, users,
};
use sample::{ADMINS, PHONES, ago, now, request_id, seven_days_ago};
use std::process::ExitCode;
use tables::Tables;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("schema") {
        return dyna_examples::schema(sample::shown(), arguments).await;
    }
    Box::pin(dyna_examples::main::<Tazco>()).await
}

/// The twelve tables as a program.
struct Tazco;

impl Model for Tazco {
    const NAME: &'static str = "tazco";
    const DOCUMENT: &'static str = include_str!("document.txt");

    fn tables() -> Vec<Declared> {
        vec![
            Declared::of::<User>(),
            Declared::of::<Score>(),
            Declared::of::<Card>(),
            Declared::of::<CardRequest>(),
            Declared::of::<Transaction>(),
            Declared::of::<IdempotencyRecord>(),
            Declared::of::<OutboxEvent>(),
            Declared::of::<OutboxSequence>(),
            Declared::of::<AuditLog>(),
            Declared::of::<Notification>(),
            Declared::of::<InboundMessage>(),
            Declared::of::<PendingApproval>(),
        ]
    }

    async fn tell(engine: &Engine, to: &mut Account) -> Result<()> {
        let db = &opened(engine).await?;
        to.heading("Tazco: a card issuer in twelve tables with 13 indexes");
        to.contents(&db.contents().await?);
        to.say("Each pattern: the request in Rust, what it asks DynamoDB, and what it gets.");
        run_people(to, db).await?;
        run_cards(to, db).await?;
        run_requests(to, db).await?;
        run_idempotency(to, db).await?;
        run_events(to, db).await?;
        run_whatsapp(to, db).await
    }

    async fn answer(engine: &Engine, to: &mut Answers) -> Result<()> {
        let db = &opened(engine).await?;
        answers::of_people(to, db).await;
        answers::of_cards(to, db).await;
        answers::of_requests(to, db).await;
        answers::of_idempotency(to, db).await;
        answers::of_events(to, db).await;
        answers::of_whatsapp(to, db).await;
        Ok(())
    }
}

/// The tables with their sample items.
async fn opened(engine: &Engine) -> Result<Tables> {
    let db = Tables::open(engine, now()).await?;
    sample::write(&db).await?;
    Ok(db)
}

async fn run_people(to: &mut Account, db: &Tables) -> Result<()> {
    to.heading("Users and scores");
    show!(to, "findById":
        User::get("eco-007") => users::find_by_id(&db.users, "eco-007"));
    show!(to, "findByFirebaseUid":
        User::by_firebase_uid("fb-007") => users::find_by_firebase_uid(&db.users, "fb-007"));
    show!(to, "getScoreHistory, newest first":
        Score::query("eco-007").descending().limit(3)
            => scores::get_score_history(&db.scores, "eco-007", 3));
    Ok(())
}

async fn run_cards(to: &mut Account, db: &Tables) -> Result<()> {
    to.heading("Cards and transactions");
    let (user, card) = ("eco-005", "card-005-0");
    let found = show!(to, "findById":
        Card::get(user, card) => cards::find_by_id(&db.cards, user, card));
    show!(to, "findByUser":
        Card::query(user) => cards::find_by_user(&db.cards, user, None));
    let suspended = Some(CardStatus::Suspended);
    show!(to, "findByUser, of one status":
        Card::of_user_by_status(user).status(CardStatus::Suspended)
            => cards::find_by_user(&db.cards, user, suspended));
    if let Some(found) = found {
        to.title("updateBalance, twice from the same version");
        to.code(
            "Card::update_loaded(&card).set(Card::BALANCE, ..).set(Card::AVAILABLE_CREDIT, ..)",
        );
        let change = Card::update_loaded(&found).set(Card::BALANCE, 20_000);
        let change = change.set(Card::AVAILABLE_CREDIT, 30_000);
        to.asks(&compact(&change.explain()));
        let first = cards::update_balance(&db.cards, &found, 20_000).await?;
        to.gets(&Some(first));
        let second = cards::update_balance(&db.cards, &found, 30_000).await;
        to.gets(&second.err());
    }
    let of = (user, card);
    let page = show!(to, "findByCard, newest first, with an opaque cursor":
        Transaction::query(user, card).descending().limit(3)
            => transactions::find_by_card(&db.transactions, of, None, 3, None));
    to.title("and the page after it");
    to.code("Transaction::query(user, card).descending().limit(3).after(page.next)");
    let second = transactions::find_by_card(&db.transactions, of, None, 3, page.next);
    to.gets(&second.await?);
    let payment = TransactionType::Payment;
    let of_type = || Transaction::TYPE.eq(payment);
    show!(to, "findByCard, of one type":
        Transaction::query(user, card).descending().filter(of_type()).limit(2)
            => transactions::find_by_card(&db.transactions, of, Some(payment), 2, None));
    let id = sample::transaction_id(5, 0, 3);
    show!(to, "findById":
        Transaction::get(user, card, id) => transactions::find_by_id(&db.transactions, of, id));
    show!(to, "getRecent":
        Transaction::query(user, card).descending().limit(2)
            => transactions::get_recent(&db.transactions, of, 2));
    Ok(())
}

async fn run_requests(to: &mut Account, db: &Tables) -> Result<()> {
    to.heading("Card requests");
    let requests = &db.card_requests;
    let pending = RequestStatus::Pending;
    show!(to, "findPendingByUser":
        CardRequest::query("eco-000").filter(CardRequest::STATUS.eq(pending))
            => card_requests::find_pending_by_user(requests, "eco-000"));
    let limited = traps::pending_with_limit(requests, "eco-000").await?;
    to.remark(&format!(
        "The design asks with Limit 1, which is what DynamoDB reads before it filters: that finds {limited}. \
         In Dyna a limit is what the caller gets."
    ));
    show!(to, "findAllPending, in pages":
        CardRequest::by_status(pending).limit(3)
            => card_requests::find_all_pending(requests, 3, None));
    show!(to, "The same by tier":
        CardRequest::by_tier(Tier::Medium).limit(3)
            => card_requests::find_by_tier(requests, Tier::Medium, 3));
    let time = seven_days_ago();
    to.title("countRequiringAttention");
    let count = CardRequest::by_status(pending).created_at_range(..=time);
    to.code("CardRequest::by_status(pending).created_at_range(..=time)");
    to.asks(&compact(&count.explain()));
    let count = card_requests::count_requiring_attention(requests, time).await?;
    to.gets(&Some(count));
    let as_text = traps::count_up_to_text(requests, time).await?;
    to.remark(&format!(
        "createdAt#requestId compared with the time alone gives {as_text}: what was created in that very millisecond \
         is longer, so it sorts after it. A range is exact at both ends."
    ));
    Ok(())
}

async fn run_idempotency(to: &mut Account, db: &Tables) -> Result<()> {
    to.heading("Idempotency");
    let db = &db.idempotency;
    show!(to, "What a request was answered":
        IdempotencyRecord::get("eco-013", "hash-013").skip_expired().consistent()
            => idempotency::find(db, "eco-013", "hash-013"));
    show!(to, "One that has expired":
        IdempotencyRecord::get("eco-012", "hash-012").skip_expired().consistent()
            => idempotency::find(db, "eco-012", "hash-012"));
    to.remark(
        "DynamoDB deletes what has expired within days, not at once: it is there, and has to be left out. For the same reason \
         attribute_not_exists refuses to keep a new answer in its place; the condition has to let it go.",
    );
    let record = IdempotencyRecord {
        expires_at_epoch_seconds: sample::idempotency_record(23).expires_at_epoch_seconds,
        ..sample::idempotency_record(12)
    };
    to.title("Keep an answer, once: the first time it is kept, then it is in the way");
    to.code("record.put().when(IdempotencyRecord::KEY_HASH.missing().or(expired))");
    let mut kept = Vec::new();
    for _ in 0..2 {
        let earlier = idempotency::create_once(db, &record, now()).await?;
        kept.push(match earlier {
            None => "kept".to_owned(),
            Some(earlier) => format!("not kept: {earlier}"),
        });
    }
    to.gets(&kept);
    to.title("Answer a request, once: the second time nothing is done, and the reply is the same");
    to.code("db.once(record).run(answer)");
    let mut replies = Vec::new();
    for status_code in [201, 500] {
        let reply = idempotency::Reply {
            status_code,
            response: record.response.clone(),
        };
        let request = ["eco-012", "hash-once", "createCardRequest"];
        let answer = async || Ok(reply);
        let reply = idempotency::answer_once(db, request, now(), answer).await?;
        replies.push(format!("status code {}", reply.status_code));
    }
    to.gets(&replies);
    Ok(())
}

/// A card changes and says so: the change, the event and its number in one transaction, then the relay.
async fn run_card_events(to: &mut Account, db: &Tables) -> Result<()> {
    let Some(card) = cards::find_by_id(&db.cards, "eco-000", "card-000-0").await? else {
        return Ok(());
    };
    to.title("A card is suspended, with the event that says so: one transaction over three tables");
    to.code(
        "db.cards.transact().update(change).on(&db.outbox_sequences).update(advance)\n    \
             .on(&db.outbox).create(&event)",
    );
    let event = OutboxEvent {
        event_id: "event-suspended".to_owned(),
        entity_id: card.card_id.clone(),
        ..sample::outbox_event(0)
    };
    let event = outbox::set_card_status(db, &card, CardStatus::Suspended, event).await?;
    to.gets(&vec![event]);
    to.title("The relay sends what is pending, in the order of each entity's numbers");
    let mut arrived = Vec::new();
    let send = async |event: &OutboxEvent| {
        arrived.push(format!("{} {}", event.entity_id, event.sequence_number));
        Ok(())
    };
    outbox::relay(&db.outbox, 5, [now(), ago(-60)], send).await?;
    to.gets(&arrived);
    Ok(())
}

async fn run_events(to: &mut Account, db: &Tables) -> Result<()> {
    to.heading("Outbox, sequences and audit logs");
    show!(to, "findPending, oldest first":
        OutboxEvent::by_creation(OutboxStatus::Pending).limit(3)
            => outbox::find_pending(&db.outbox, 3));
    let ready = show!(to, "findReadyForRetry":
        OutboxEvent::by_retry(OutboxStatus::Failed).next_retry_at_range(..=now()).limit(3)
            => outbox::find_ready_for_retry(&db.outbox, now(), 3));
    if let [first, second, ..] = ready.as_slice() {
        to.title("One of them is sent, one has to wait: they move within both indexes");
        to.code(
            "OutboxEvent::update_loaded(&event).set(OutboxEvent::STATUS, OutboxStatus::Sent).once()\n\
             OutboxEvent::update_loaded(&event).set(OutboxEvent::NEXT_RETRY_AT, later).set(OutboxEvent::RETRY_COUNT, count + 1).once()",
        );
        let sent = outbox::mark_sent(&db.outbox, first, now()).await?;
        let failed = outbox::mark_failed(&db.outbox, second, "refused", ago(-60)).await?;
        to.gets(&vec![sent, failed]);
    }
    to.title(
        "The next number of an entity's events: an atomic increment, which also starts a sequence",
    );
    to.code("OutboxSequence::upsert(hash).set(OutboxSequence::ENTITY_KEY, key).add(OutboxSequence::CURRENT, 1)");
    let mut numbers = Vec::new();
    for entity in ["card-000-0", "card-000-0", "card-000-9"] {
        let number =
            outbox_sequences::next(&db.outbox_sequences, "eco-000", "card", entity).await?;
        numbers.push(format!("{entity}: {number}"));
    }
    to.gets(&numbers);
    run_card_events(to, db).await?;
    let request = request_id(4, 5);
    show!(to, "Audit logs of something, newest first":
        AuditLog::query("cardRequest", &request).descending().limit(3)
            => audit_logs::find_by_target(&db.audit_logs, "cardRequest", &request, 3));
    show!(to, "Audit logs of an admin, newest first":
        AuditLog::by_actor(ADMINS[1]).descending().limit(3)
            => audit_logs::find_by_actor(&db.audit_logs, ADMINS[1], 3));
    Ok(())
}

async fn run_whatsapp(to: &mut Account, db: &Tables) -> Result<()> {
    to.heading("Messages and approvals");
    let notes = &db.notifications;
    show!(to, "A notification by its id":
        Notification::get("note-003") => notifications::find_by_id(notes, "note-003"));
    let (related, request) = (RelatedType::CardRequest, request_id(6, 5));
    show!(to, "Notifications about a card request":
        Notification::of_entity(related, &request)
            => notifications::find_by_related_entity(notes, related, &request));
    let sent = DeliveryStatus::Sent;
    show!(to, "Notifications of one status":
        Notification::by_creation(sent).limit(3)
            => notifications::find_by_delivery_status(notes, sent, 3));
    let failed = DeliveryStatus::Failed;
    let ready = show!(to, "Notifications to be sent again, of a sparse index":
        Notification::by_retry(failed).next_retry_at_range(..=now())
            => notifications::find_ready_for_retry(notes, now()));
    to.title("One of them is given up, and leaves the index");
    to.code("Notification::update_loaded(&note).set(Notification::NEXT_RETRY_AT, None)");
    if let [first, ..] = ready.as_slice() {
        notifications::give_up(notes, first).await?;
    }
    to.gets(&notifications::find_ready_for_retry(notes, now()).await?);
    show!(to, "An inbound message by its id":
        InboundMessage::get("in-003") => inbound::find_by_id(&db.inbound, "in-003"));
    show!(to, "and by the id that WhatsApp gave it":
        InboundMessage::by_wpp_message_id("wamid.in.004")
            => inbound::find_by_wpp_message_id(&db.inbound, "wamid.in.004"));
    show!(to, "Inbound messages of a phone since a time":
        InboundMessage::by_sender(PHONES[1]).received_at_range(ago(15)..)
            => inbound::find_by_sender(&db.inbound, PHONES[1], ago(15)));
    show!(to, "An approval by its request":
        PendingApproval::get(&request) => approvals::find_by_id(&db.approvals, &request));
    let expired = show!(to, "findExpired":
        PendingApproval::by_expiry(ApprovalStatus::Pending).expires_at_range(..=now())
            => approvals::find_expired(&db.approvals, now()));
    if let [oldest, ..] = expired.as_slice() {
        to.title("and the oldest is noted as expired");
        to.code("PendingApproval::update_loaded(&oldest).set(PendingApproval::APPROVAL_STATUS, ApprovalStatus::Expired)");
        to.gets(&Some(approvals::expire(&db.approvals, oldest).await?));
    }
    Ok(())
}
