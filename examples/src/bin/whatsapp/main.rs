//! A `WhatsApp` business backend: one table with a partition key alone, 25 item types, 16 indexes on what items have anyway.
//!
//! `model` is the contract; `patterns` is how it is used. The program writes about 1150 items, reads each item type by its key and by
//! every index, lets time pass, counts, and prints what it asked and what it got.
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

use dyna_examples::{Account, Answers, Declared, Engine, Model, Result, brief, contents, show};
use dyna_runtime::Table;
use model::{
    Address, Analytics, BusinessProfile, Call, Campaign, Catalog, Config, ConfigKind, Conversation,
    Delivery, Direction, FlowResponse, Group, Idempotency, Media, Message, Order, PaymentConfig,
    Product, Quality, Refund, TemplateEum, TemplateMedia, TemplateMeta, TemplateStatus, Tenant,
    Time, WebhookConfig, WebhookEvent, WhatsApp,
};
use patterns::Counter;
use sample::{AWS_WABAS, DAY, DIWALI, FAMILY, PHONES, TENANTS, WABAS, at, inbox};
use std::process::ExitCode;
use std::time::SystemTime;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("schema") {
        return dyna_examples::schema(sample::shown(), arguments).await;
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
        to.heading("WhatsApp business API: one table, 25 item types, 16 indexes");
        to.contents(&contents(&db).await?);
        run_keys(to, &db).await?;
        run_more_keys(to, &db).await?;
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
fn at_time(db: &Table<WhatsApp>, time: Time) -> Table<WhatsApp> {
    let time: SystemTime = time.into();
    db.clone().with_clock(move || time)
}

async fn run_keys(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("Each item type by its key");
    to.say("The key is one attribute, so each is a GetItem. What can expire is read live.");
    let customer = &*sample::customer(3);
    brief!(to, " 1  Messages": Message::get("wamid.0002") => patterns::message(db, "wamid.0002"));
    brief!(to, " 2  Conversations": Conversation::get(PHONES[1], customer)
        => patterns::conversation(db, PHONES[1], customer));
    brief!(to, " 3  Tenants": Tenant::get(TENANTS[0]) => patterns::tenant(db, TENANTS[0]));
    brief!(to, " 4  Payment Configurations": PaymentConfig::get(TENANTS[0], "upi")
        => patterns::payment_config(db, TENANTS[0], "upi"));
    brief!(to, " 5  Payment Orders": Order::get("ref-007") => patterns::payment_order(db, "ref-007"));
    brief!(to, " 6  Refunds": Refund::get("refund-03") => patterns::refund(db, "refund-03"));
    brief!(to, " 7  Business Profiles": BusinessProfile::get(WABAS[1])
        => patterns::business_profile(db, WABAS[1]));
    let waba = AWS_WABAS[0];
    brief!(to, " 8  Templates (AWS EUM)": TemplateEum::get(waba, "order_update", "hi")
        => patterns::template_eum(db, waba, "order_update", "hi"));
    brief!(to, " 9  Templates (Meta Cache)": TemplateMeta::get(WABAS[0], "login_code")
        => patterns::template_meta(db, WABAS[0], "login_code"));
    brief!(to, "10  Template Media": TemplateMedia::get("banner-1")
        => patterns::template_media(db, "banner-1"));
    brief!(to, "11  Media Records": Media::get("media-10").skip_expired() => patterns::media(db, "media-10"));
    brief!(to, "12  Groups": Group::get(FAMILY) => patterns::group(db, FAMILY));
    brief!(to, "13  Catalogs": Catalog::get("spices") => patterns::catalog(db, "spices"));
    Ok(())
}

async fn run_more_keys(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    brief!(to, "14  Catalog Products": Product::get("books", "sku-004")
        => patterns::product(db, "books", "sku-004"));
    brief!(to, "15  Campaigns": Campaign::get(DIWALI) => patterns::campaign(db, DIWALI));
    brief!(to, "16  Webhook Events": WebhookEvent::get("event-005").skip_expired()
        => patterns::webhook_event(db, "event-005"));
    brief!(to, "17  Webhook Configurations": WebhookConfig::get(WABAS[0])
        => patterns::webhook_config(db, WABAS[0]));
    brief!(to, "18  Call Logs": Call::get("call-03") => patterns::call(db, "call-03"));
    brief!(to, "19  Analytics Records": Analytics::get(WABAS[0], "2026-01-02")
        => patterns::analytics(db, WABAS[0], "2026-01-02"));
    brief!(to, "20  Phone Quality": Quality::get(PHONES[0]) => patterns::phone_quality(db, PHONES[0]));
    brief!(to, "21  Infrastructure Config": Config::get(ConfigKind::Infra)
        => patterns::infrastructure_config(db));
    brief!(to, "22  Media Types Config": Config::get(ConfigKind::MediaTypes)
        => patterns::media_types_config(db));
    let phone = &*format!("+{}", sample::customer(3));
    brief!(to, "23  Customer Addresses": Address::get(phone, "home")
        => patterns::address(db, phone, "home"));
    brief!(to, "24  Flow Responses": FlowResponse::get("feedback", "response-4")
        => patterns::flow_response(db, "feedback", "response-4"));
    brief!(to, "25  Idempotency Records": Idempotency::get("request-02").skip_expired()
        => patterns::idempotency(db, "request-02"));
    to.title("");
    Ok(())
}

async fn run_indexes(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("Messages, by the indexes that they are in");
    let hour = at(0)..at(3_600);
    show!(to, "Query by INBOUND/OUTBOUND":
        Message::by_direction(Direction::Inbound).received_at_range(hour.clone())
            => patterns::messages_by_direction(db, Direction::Inbound, hour.clone()));
    let sender = &*sample::customer(3);
    show!(to, "Query by sender": Message::by_sender(sender).descending().limit(4)
        => patterns::messages_by_sender(db, sender, 4));
    let inbox = &*inbox(0);
    show!(to, "Inbox view": Conversation::in_inbox(inbox).descending().limit(5)
        => patterns::inbox_view(db, inbox, 5, None));
    to.remark(
        "Messages have inboxPk and receivedAt as well, so the index holds both types. What the query asks for are \
         conversations: DynamoDB leaves the rest out by itemType, and a page is full all the same.",
    );
    let conversation = &*sample::conversation_pk(1, sender);
    show!(to, "Conversation timeline": Message::in_conversation(conversation).descending().limit(4)
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
    to.heading("Everything else, by the other indexes");
    show!(to, "WABA + item type queries": Call::of_waba(WABAS[0])
        => patterns::calls_of_waba(db, WABAS[0]));
    to.title("and how many items of each type there are");
    to.code("Analytics::of_waba(waba).count(db)\nBusinessProfile::of_waba(waba).count(db)\n..");
    let counts = patterns::items_of_waba(db, WABAS[0]).await?;
    let counts: Vec<_> = counts
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    to.gets(&vec![counts.join(", ")]);
    let customer = &*format!("+{}", sample::customer(3));
    to.title("Customer queries: one index, three types");
    to.code(
        "Order::of_customer(customer)\nRefund::of_customer(customer)\nAddress::of_customer(customer)",
    );
    to.gets(&patterns::customer(db, customer).await?);
    show!(to, "Catalog products": Product::of_catalog("spices").limit(5)
        => patterns::catalog_products(db, "spices", 5, None));
    to.title("Order queries: an order and its refunds, by the same index");
    to.code("Order::of_order(\"order-003\")\nRefund::of_order(\"order-003\")");
    let (order, refunds) = patterns::order(db, "order-003").await?;
    let order = order.iter().map(ToString::to_string);
    to.gets(
        &order
            .chain(refunds.iter().map(ToString::to_string))
            .collect::<Vec<_>>(),
    );
    to.title("Tenant items: four types, two of them counted");
    to.code(
        "Tenant::of_tenant(tenant)\nPaymentConfig::of_tenant(tenant)\n\
         Order::of_tenant(tenant).count(db)\nRefund::of_tenant(tenant).count(db)",
    );
    to.gets(&patterns::tenant_items(db, TENANTS[1]).await?);
    show!(to, "Payment status": Order::by_payment("pending").descending().limit(5)
        => patterns::orders_by_payment_status(db, "pending", 5));
    let approved = TemplateStatus::Approved;
    show!(to, "Templates by WABA": TemplateEum::of_waba(AWS_WABAS[1]).template_status(approved)
        => patterns::templates_by_waba(db, AWS_WABAS[1], approved));
    show!(to, "Templates by name": TemplateEum::by_name("login_code").template_language("hi")
        => patterns::templates_by_name(db, "login_code", "hi"));
    let since = at(DAY);
    show!(to, "Webhook events": WebhookEvent::by_type("status").received_at_range(since..).skip_expired()
        => patterns::webhook_events(db, "status", since));
    Ok(())
}

async fn run_expiry(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("What expires");
    to.say(
        "DynamoDB deletes what has expired within days. A read that is live leaves it out at once.",
    );
    let later = &at_time(db, at(2 * DAY));
    show!(to, "Idempotency records: 24 hours. Two days later":
        Idempotency::get("request-02").skip_expired() => patterns::idempotency(later, "request-02"));
    let week = &at_time(db, at(8 * DAY));
    show!(to, "Temporary media references: 7 days. Two days later":
        Media::get("media-10").skip_expired() => patterns::media(later, "media-10"));
    show!(to, "and eight days later":
        Media::get("media-10").skip_expired() => patterns::media(week, "media-10"));
    let month = &at_time(db, at(31 * DAY + DAY / 4));
    let since = at(DAY);
    to.title("Old webhook events: 30 days. Two days later, and 31 days and six hours later");
    to.code("WebhookEvent::by_type(\"status\").received_at_range(since..).skip_expired()");
    let mut counts = Vec::new();
    for db in [later, month] {
        let events = patterns::webhook_events(db, "status", since).await?;
        counts.push(format!("{} events", events.len()));
    }
    to.gets(&counts);
    Ok(())
}

async fn run_changes(to: &mut Account, db: &Table<WhatsApp>) -> Result<()> {
    to.heading("What changes");
    let conversation = &sample::conversations()[3];
    let message = sample::message(603);
    to.title("A message comes in, and its event a second time");
    to.code(
        "db.transact().create(&message).update(conversation.add(Conversation::UNREAD_COUNT, 1))",
    );
    patterns::receive(db, &message, conversation).send().await?;
    let again = patterns::receive(db, &message, conversation).send().await;
    to.gets(&again.err());
    to.title("Unread counter, before the conversation is opened and after");
    to.code("Conversation::update(phone, customer).set(Conversation::UNREAD_COUNT, 0)");
    let stored = patterns::conversation(db, PHONES[1], &conversation.from).await?;
    let read = patterns::mark_read(db, PHONES[1], &conversation.from).await?;
    to.gets(&stored.into_iter().chain([read]).collect::<Vec<_>>());
    to.title("Delivery status history: a message was delivered");
    to.code(
        "Message::update(id).set(Message::DELIVERY_STATUS, status)\n\
         .append(Message::DELIVERY_STATUS_HISTORY, [..])",
    );
    let delivered = patterns::delivered(db, "wamid.0002", Delivery::Delivered, at(2 * DAY));
    to.gets(&delivered.await?.delivery_status_history);
    to.title("and one that was read is not undone by a late report");
    to.code(".when(Message::DELIVERY_STATUS.ne(Some(Delivery::Read)))");
    let late = patterns::delivered(db, "wamid.0008", Delivery::Delivered, at(2 * DAY));
    to.gets(&late.await.err());
    to.title("Campaign counters");
    to.code("Campaign::update(id).add(Campaign::SENT_COUNT, 1)");
    let mut counts = Vec::new();
    for counter in [Counter::Sent, Counter::Delivered, Counter::Read] {
        counts.push(patterns::tally(db, DIWALI, counter).await?);
    }
    to.gets(&counts);
    to.title("A request is answered once: whoever asks again gets the first answer");
    to.code("record.put().when(Idempotency::REQUEST_ID.missing().or(Idempotency::TTL.le(now)))");
    let mut record = sample::idempotency().swap_remove(2);
    record.result.clear();
    let now = at(DAY * 3 / 4);
    to.gets(&Some(patterns::answer_once(db, &record, now).await?));
    Ok(())
}
