//! The patterns with their sample data, as answers that are compared between engines.

use crate::at_time;
use crate::model::{Delivery, Direction, TemplateStatus, WhatsApp};
use crate::patterns::{self as p, Counter};
use crate::sample::{self, AWS_WABAS, DAY, DIWALI, FAMILY, PHONES, TENANTS, WABAS, at, inbox};
use dyna_examples::Answers;
use dyna_runtime::Table;

type Db = Table<WhatsApp>;

pub async fn of_keys(to: &mut Answers, db: &Db) {
    let customer = sample::customer(3);
    let phone = format!("+{customer}");
    to.ask("Messages", p::message(db, "wamid.0002")).await;
    let conversation = p::conversation(db, PHONES[1], &customer);
    to.ask("Conversations", conversation).await;
    to.ask("Tenants", p::tenant(db, TENANTS[0])).await;
    let config = p::payment_config(db, TENANTS[0], "upi");
    to.ask("Payment Configurations", config).await;
    to.ask("Payment Orders", p::payment_order(db, "ref-007"))
        .await;
    to.ask("Refunds", p::refund(db, "refund-03")).await;
    to.ask("Business Profiles", p::business_profile(db, WABAS[1]))
        .await;
    let template = p::template_eum(db, AWS_WABAS[0], "order_update", "hi");
    to.ask("Templates (AWS EUM)", template).await;
    let template = p::template_meta(db, WABAS[0], "login_code");
    to.ask("Templates (Meta Cache)", template).await;
    to.ask("Template Media", p::template_media(db, "banner-1"))
        .await;
    to.ask("Media Records", p::media(db, "media-10")).await;
    to.ask("Groups", p::group(db, FAMILY)).await;
    to.ask("Catalogs", p::catalog(db, "spices")).await;
    to.ask("Catalog Products", p::product(db, "books", "sku-004"))
        .await;
    to.ask("Campaigns", p::campaign(db, DIWALI)).await;
    to.ask("Webhook Events", p::webhook_event(db, "event-005"))
        .await;
    to.ask("Webhook Configurations", p::webhook_config(db, WABAS[0]))
        .await;
    to.ask("Call Logs", p::call(db, "call-03")).await;
    to.ask(
        "Analytics Records",
        p::analytics(db, WABAS[0], "2026-01-02"),
    )
    .await;
    to.ask("Phone Quality", p::phone_quality(db, PHONES[0]))
        .await;
    to.ask("Infrastructure Config", p::infrastructure_config(db))
        .await;
    to.ask("Media Types Config", p::media_types_config(db))
        .await;
    to.ask("Customer Addresses", p::address(db, &phone, "home"))
        .await;
    let response = p::flow_response(db, "feedback", "response-4");
    to.ask("Flow Responses", response).await;
    to.ask("Idempotency Records", p::idempotency(db, "request-02"))
        .await;
}

pub async fn of_indexes(to: &mut Answers, db: &Db) {
    let hour = at(0)..at(3_600);
    let inbound = p::messages_by_direction(db, Direction::Inbound, hour);
    to.ask("Query by INBOUND/OUTBOUND", inbound).await;
    let sender = sample::customer(3);
    to.page("Query by sender", p::messages_by_sender(db, &sender, 4))
        .await;
    let (first, second) = (&*inbox(0), &*inbox(1));
    let view = p::inbox_view(db, first, 10, None);
    let next = to.page("Inbox view", view).await;
    let view = p::inbox_view(db, first, 10, next);
    to.page("Inbox view: next page", view).await;
    let messages = p::inbox_messages(db, second, at(97 * 590));
    to.ask("Inbox view: messages", messages).await;
    let conversation = sample::conversation_pk(1, &sender);
    let timeline = p::conversation_timeline(db, &conversation, 15, None);
    let next = to.page("Conversation timeline", timeline).await;
    let timeline = p::conversation_timeline(db, &conversation, 15, next);
    to.page("Conversation timeline: next page", timeline).await;
    let failed = p::messages_by_status(db, Delivery::Failed, at(DAY / 2));
    to.ask("Delivery status queries", failed).await;
    to.ask("WABA + item type queries", p::calls_of_waba(db, WABAS[0]))
        .await;
    let items = p::items_of_waba(db, WABAS[0]);
    to.ask("WABA + item type queries: how many", items).await;
    to.ask("Customer queries", p::customer(db, &format!("+{sender}")))
        .await;
    to.ask("Group messages", p::group_messages(db, FAMILY))
        .await;
    let products = p::catalog_products(db, "spices", 20, None);
    let next = to.page("Catalog products", products).await;
    let products = p::catalog_products(db, "spices", 20, next);
    to.page("Catalog products: next page", products).await;
    to.ask("Order queries", p::order(db, "order-003")).await;
    to.ask("Tenant items", p::tenant_items(db, TENANTS[1]))
        .await;
    let pending = p::orders_by_payment_status(db, "pending", 5);
    to.page("Payment status", pending).await;
    let approved = p::templates_by_waba(db, AWS_WABAS[1], TemplateStatus::Approved);
    to.ask("Templates by WABA", approved).await;
    to.ask(
        "Templates by name",
        p::templates_by_name(db, "login_code", "hi"),
    )
    .await;
    to.ask("Campaign messages", p::campaign_messages(db, DIWALI))
        .await;
    to.ask("Webhook events", p::webhook_events(db, "status", at(DAY)))
        .await;
}

/// `later` is the same table, two days on.
pub async fn of_expiry(to: &mut Answers, later: &Db) {
    let day = p::idempotency(later, "request-02");
    to.ask("Idempotency records: 24 hours", day).await;
    to.ask(
        "Temporary media references: 7 days",
        p::media(later, "media-10"),
    )
    .await;
    let events = p::webhook_events(later, "status", at(DAY));
    to.ask("Old webhook events: 30 days", events).await;
    let month = &at_time(later, at(31 * DAY + DAY / 4));
    let events = p::webhook_events(month, "status", at(DAY));
    to.ask("Old webhook events: a month later", events).await;
}

pub async fn of_changes(to: &mut Answers, db: &Db) {
    let conversation = &sample::conversations()[3];
    let message = sample::message(603);
    let receive = || p::receive(db, &message, conversation).send();
    to.ask("Unread counters: receive", receive()).await;
    to.ask("Unread counters: the same again", receive()).await;
    let stored = || p::conversation(db, PHONES[1], &conversation.from);
    to.ask("Unread counters: conversation", stored()).await;
    let read = p::mark_read(db, PHONES[1], &conversation.from);
    to.ask("Unread counters: read", read).await;

    let (sent, read) = ("wamid.0002", "wamid.0008");
    let delivered = |id, status| p::delivered(db, id, status, at(2 * DAY));
    to.ask(
        "Delivery status history",
        delivered(sent, Delivery::Delivered),
    )
    .await;
    to.ask(
        "Delivery status history: late",
        delivered(read, Delivery::Sent),
    )
    .await;
    let moved = p::messages_by_status(db, Delivery::Delivered, at(0));
    to.ask("Delivery status history: index", moved).await;

    for counter in [Counter::Sent, Counter::Delivered, Counter::Read] {
        to.ask("Campaign counters", p::tally(db, DIWALI, counter))
            .await;
    }
    let mut record = sample::idempotency().swap_remove(2);
    record.result.clear();
    let again = p::answer_once(db, &record, at(DAY / 2));
    to.ask("Idempotency: again", again).await;
    let expired = p::answer_once(db, &record, at(2 * DAY));
    to.ask("Idempotency: expired", expired).await;
    "request-new".clone_into(&mut record.request_id);
    let first = p::answer_once(db, &record, at(DAY / 2));
    to.ask("Idempotency: first", first).await;
}
