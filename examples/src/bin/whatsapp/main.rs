//! A `WhatsApp` business backend: one table with a partition key alone, 25 item types, 16 indexes on what items have anyway.
//!
//! `model` is the contract; `patterns` is how it is used. The program writes about a thousand items, reads by keys and by every index,
//! lets time pass, counts, and prints what it asked and what it got.
//!
//! `whatsapp schema` prints the schema of the table instead: `cargo run --bin whatsapp schema --help`.

#![expect(
    unreachable_pub,
    reason = "the model and its patterns read as they would in a library"
)]

mod account;
mod answers;
mod model;
mod patterns;
mod sample;
#[cfg(test)]
mod tests;

use dyna_examples::{Account, Answers, Declared, Engine, Model, Result, show};
use dyna_runtime::{Table, schema};
use jiff::Timestamp;
use model::{Call, Config, ConfigKind, Conversation, Delivery, Direction, Media, Message, Order};
use model::{Product, TemplateEum, TemplateStatus, WebhookEvent, WhatsApp};
use patterns::Counter;
use sample::{AWS_WABAS, DAY, DIWALI, FAMILY, PHONES, TENANTS, WABAS, at, inbox};
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("schema") {
        return dyna_examples::schema(schema::main::<WhatsApp>(), arguments).await;
    }
    dyna_examples::main::<WhatsApp>().await
}

impl Model for WhatsApp {
    const NAME: &'static str = "whatsapp";
    const DOCUMENT: &'static str = include_str!("document.txt");

    fn tables() -> Vec<Declared> {
        vec![Declared::of::<WhatsApp>()]
    }

    async fn tell(engine: &Engine, to: &mut Account) -> Result<()> {
        let db = opened(engine).await?;
        run_keys(to, &db).await?;
        run_indexes(to, &db).await?;
        run_more_indexes(to, &db).await?;
        run_expiry(to, &db).await?;
        run_changes(to, &db).await
    }

    async fn answer(engine: &Engine, to: &mut Answers) -> Result<()> {
        let db = opened(engine).await?;
        answers::of_keys(to, &db).await;
        answers::of_indexes(to, &db).await;
        answers::of_expiry(to, &at_time(&db, at(2 * DAY))).await;
        answers::of_changes(to, &db).await;
        Ok(())
    }
}

/// The table with its sample items, in the evening of the first day.
async fn opened(engine: &Engine) -> Result<Table<WhatsApp>> {
    let db = at_time(&engine.open("example").await?, at(DAY * 3 / 4));
    sample::write(&db).await?;
    Ok(db)
}

/// The same table at another time.
fn at_time(db: &Table<WhatsApp>, time: Timestamp) -> Table<WhatsApp> {
    let since_1970 = Duration::from_secs(time.as_second().unsigned_abs());
    db.clone().with_clock(move || UNIX_EPOCH + since_1970)
}

async fn run_keys(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("WhatsApp business API: one table, 25 item types, 16 indexes");
    to.say(
        "Every item has a key of one attribute. Here are three of the 25; the others are alike.",
    );
    show!(to, "Messages": Message::get("wamid.0002") => patterns::message(db, "wamid.0002"));
    let customer = sample::customer(3);
    show!(to, "Conversations": Conversation::get(PHONES[1], &*customer)
        => patterns::conversation(db, PHONES[1], &customer));
    show!(to, "Infrastructure Config": Config::get(ConfigKind::Infra)
        => patterns::infrastructure_config(db));
    Ok(())
}

async fn run_indexes(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("Messages");
    let hour = at(0)..at(3_600);
    show!(to, "Query by INBOUND/OUTBOUND":
        Message::by_direction(Direction::Inbound).received_at_range(hour.clone())
            => patterns::messages_by_direction(db, Direction::Inbound, hour.clone()));
    let sender = &*sample::customer(3);
    show!(to, "Query by sender": Message::by_sender(sender).newest_first().limit(4)
        => patterns::messages_by_sender(db, sender, 4));
    let inbox = &*inbox(0);
    show!(to, "Inbox view": Conversation::in_inbox(inbox).newest_first().limit(5)
        => patterns::inbox_view(db, inbox, 5, None));
    to.remark(
        "Messages have inboxPk and receivedAt as well, so the index holds both types. The query asks for \
         conversations and gets a page full of them.",
    );
    let conversation = &*sample::conversation_pk(1, sender);
    show!(to, "Conversation timeline": Message::in_conversation(conversation).newest_first().limit(4)
        => patterns::conversation_timeline(db, conversation, 4, None));
    let since = at(DAY / 2);
    show!(to, "Delivery status queries": Message::by_status(Delivery::Failed).sent_at_range(since..)
        => patterns::messages_by_status(db, Delivery::Failed, since));
    show!(to, "Group messages": Message::in_group(FAMILY) => patterns::group_messages(db, FAMILY));
    show!(to, "Campaign messages": Message::of_campaign(DIWALI)
        => patterns::campaign_messages(db, DIWALI));
    Ok(())
}

async fn run_more_indexes(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("Everything else");
    show!(to, "WABA + item type queries": Call::of_waba(WABAS[0])
        => patterns::calls_of_waba(db, WABAS[0]));
    let customer = &*format!("+{}", sample::customer(3));
    show!(to, "Customer queries": Order::of_customer(customer) => patterns::customer(db, customer));
    show!(to, "Catalog products": Product::of_catalog("spices").limit(5)
        => patterns::catalog_products(db, "spices", 5, None));
    let (order, refunds) = patterns::order(db, "order-003").await?;
    to.title("Order queries");
    to.gets(&order);
    to.remark(&format!(
        "and {} refund of it, by the same index.",
        refunds.len()
    ));
    show!(to, "Tenant items": Order::of_tenant(TENANTS[1]) => patterns::tenant_items(db, TENANTS[1]));
    show!(to, "Payment status": Order::by_payment("pending").newest_first().limit(5)
        => patterns::orders_by_payment_status(db, "pending", 5));
    let approved = TemplateStatus::Approved;
    show!(to, "Templates by WABA": TemplateEum::of_waba(AWS_WABAS[1]).template_status(approved)
        => patterns::templates_by_waba(db, AWS_WABAS[1], approved));
    show!(to, "Templates by name": TemplateEum::by_name("login_code").template_language("hi")
        => patterns::templates_by_name(db, "login_code", "hi"));
    let since = at(DAY);
    show!(to, "Webhook events": WebhookEvent::by_type("status").received_at_range(since..).live()
        => patterns::webhook_events(db, "status", since));
    Ok(())
}

async fn run_expiry(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("What expires");
    to.say(
        "DynamoDB deletes what has expired within days. A read that is live leaves it out at once.",
    );
    let later = &at_time(db, at(2 * DAY));
    to.title("Idempotency records, two days later");
    to.gets(&patterns::idempotency(later, "request-02").await?);
    show!(to, "Temporary media references, two days later": Media::get("media-10").live()
        => patterns::media(later, "media-10"));
    Ok(())
}

async fn run_changes(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("What changes");
    let conversation = &sample::conversations()[3];
    let message = sample::message(603);
    to.title("A message comes in, and the event is sent twice");
    patterns::receive(db, &message, conversation).send().await?;
    let again = patterns::receive(db, &message, conversation).send().await;
    to.gets(&again.err());
    let read = patterns::mark_read(db, PHONES[1], &conversation.from);
    to.title("The conversation before it is opened, and after");
    let stored = patterns::conversation(db, PHONES[1], &conversation.from).await?;
    to.gets(&stored.into_iter().chain([read.await?]).collect::<Vec<_>>());
    to.title("WhatsApp tells that a message was delivered");
    let delivered = patterns::delivered(db, "wamid.0002", Delivery::Delivered, at(2 * DAY));
    to.gets(&Some(delivered.await?));
    to.title("Campaign counters");
    let mut counts = Vec::new();
    for counter in [Counter::Sent, Counter::Delivered, Counter::Read] {
        counts.push(patterns::tally(db, DIWALI, counter).await?);
    }
    to.gets(&counts);
    Ok(())
}
