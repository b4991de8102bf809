//! What each of the 16 indexes is for.

use super::Db;
use crate::model::{Address, Analytics, BusinessProfile, Call, Campaign, Catalog, Conversation};
use crate::model::{Delivery, Direction, Group, Media, Message, Order, PaymentConfig, Product};
use crate::model::{Quality, Refund, TemplateEum, TemplateMeta, TemplateStatus, Tenant, Time};
use crate::model::{WebhookConfig, WebhookEvent};
use dyna_runtime::{Cursor, Page, Result};
use serde::Serialize;
use std::ops::Range;

/// `gsi_direction`: query by INBOUND/OUTBOUND, in a stretch of time.
pub async fn messages_by_direction(
    db: &Db,
    direction: Direction,
    time: Range<Time>,
) -> Result<Vec<Message>> {
    let messages = Message::by_direction(direction).received_at_range(time);
    messages.all(db).await
}

/// `gsi_from`: query by sender, newest first.
pub async fn messages_by_sender(db: &Db, sender: &str, limit: usize) -> Result<Page<Message>> {
    let messages = Message::by_sender(sender).descending();
    messages.limit(limit).send(db).await
}

/// `gsi_inbox`: inbox view. The index has the messages too; the conversations alone make the view.
pub async fn inbox_view(
    db: &Db,
    inbox: &str,
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<Conversation>> {
    let conversations = Conversation::in_inbox(inbox).descending();
    conversations.limit(limit).after(after).send(db).await
}

/// `gsi_inbox`: the messages of an inbox since a time.
pub async fn inbox_messages(db: &Db, inbox: &str, since: Time) -> Result<Vec<Message>> {
    let messages = Message::in_inbox(inbox).received_at_range(since..);
    messages.all(db).await
}

/// `gsi_conversation`: conversation timeline, newest first.
pub async fn conversation_timeline(
    db: &Db,
    conversation_pk: &str,
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<Message>> {
    let messages = Message::in_conversation(conversation_pk).descending();
    messages.limit(limit).after(after).send(db).await
}

/// `gsi_status`: delivery status queries, since a time.
pub async fn messages_by_status(db: &Db, status: Delivery, since: Time) -> Result<Vec<Message>> {
    let messages = Message::by_status(status).sent_at_range(since..);
    messages.all(db).await
}

/// `gsi_waba_itemtype`: WABA + item type queries, here for the calls of a business.
pub async fn calls_of_waba(db: &Db, waba: &str) -> Result<Vec<Call>> {
    let mut calls = Call::of_waba(waba).all(db).await?;
    calls.sort_by(|a, b| a.call_id.cmp(&b.call_id));
    Ok(calls)
}

/// `gsi_waba_itemtype`: how many items of each type a business has.
pub async fn items_of_waba(db: &Db, waba: &str) -> Result<Vec<(&'static str, usize)>> {
    Ok(vec![
        ("ANALYTICS", Analytics::of_waba(waba).count(db).await?),
        (
            "BUSINESS_PROFILE",
            BusinessProfile::of_waba(waba).count(db).await?,
        ),
        ("CALL", Call::of_waba(waba).count(db).await?),
        ("CAMPAIGN", Campaign::of_waba(waba).count(db).await?),
        ("CATALOG", Catalog::of_waba(waba).count(db).await?),
        ("CONVERSATION", Conversation::of_waba(waba).count(db).await?),
        ("GROUP", Group::of_waba(waba).count(db).await?),
        ("MEDIA", Media::of_waba(waba).count(db).await?),
        ("QUALITY_RATING", Quality::of_waba(waba).count(db).await?),
        (
            "TEMPLATE_META",
            TemplateMeta::of_waba(waba).count(db).await?,
        ),
        (
            "WEBHOOK_CONFIG",
            WebhookConfig::of_waba(waba).count(db).await?,
        ),
        (
            "WEBHOOK_EVENT",
            WebhookEvent::of_waba(waba).count(db).await?,
        ),
    ])
}

/// What there is of a customer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Customer {
    pub orders: Vec<Order>,
    pub refunds: Vec<Refund>,
    pub addresses: Vec<Address>,
}

/// `gsi_customer_phone`: customer queries.
pub async fn customer(db: &Db, phone: &str) -> Result<Customer> {
    Ok(Customer {
        orders: Order::of_customer(phone).all(db).await?,
        refunds: Refund::of_customer(phone).all(db).await?,
        addresses: Address::of_customer(phone).all(db).await?,
    })
}

/// `gsi_group`: group messages.
pub async fn group_messages(db: &Db, group_id: &str) -> Result<Vec<Message>> {
    Message::in_group(group_id).all(db).await
}

/// `gsi_catalog`: catalog products, page by page.
pub async fn catalog_products(
    db: &Db,
    catalog_id: &str,
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<Product>> {
    let products = Product::of_catalog(catalog_id).limit(limit);
    products.after(after).send(db).await
}

/// `gsi_order`: order queries: an order and its refunds.
pub async fn order(db: &Db, order_id: &str) -> Result<(Option<Order>, Vec<Refund>)> {
    let order = Order::of_order(order_id).one(db).await?;
    Ok((order, Refund::of_order(order_id).all(db).await?))
}

/// What a tenant has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TenantItems {
    pub tenant: Option<Tenant>,
    pub payment_configs: Vec<PaymentConfig>,
    pub orders: usize,
    pub refunds: usize,
}

/// `gsi_tenant`: tenant items.
pub async fn tenant_items(db: &Db, tenant_id: &str) -> Result<TenantItems> {
    let mut payment_configs = PaymentConfig::of_tenant(tenant_id).all(db).await?;
    payment_configs.sort_by(|a, b| a.config_name.cmp(&b.config_name));
    Ok(TenantItems {
        tenant: Tenant::of_tenant(tenant_id).one(db).await?,
        payment_configs,
        orders: Order::of_tenant(tenant_id).count(db).await?,
        refunds: Refund::of_tenant(tenant_id).count(db).await?,
    })
}

/// `gsi_payment_status`: payment status, newest first.
pub async fn orders_by_payment_status(db: &Db, status: &str, limit: usize) -> Result<Page<Order>> {
    let orders = Order::by_payment(status).descending();
    orders.limit(limit).send(db).await
}

/// `gsi_template_waba`: templates by WABA, of one status.
pub async fn templates_by_waba(
    db: &Db,
    waba_id: &str,
    status: TemplateStatus,
) -> Result<Vec<TemplateEum>> {
    let templates = TemplateEum::of_waba(waba_id).template_status(status);
    let mut templates = templates.all(db).await?;
    templates.sort_by(|a, b| a.meta_template_id.cmp(&b.meta_template_id));
    Ok(templates)
}

/// `gsi_template_name`: templates by name, in one language. Each business may have one.
pub async fn templates_by_name(db: &Db, name: &str, language: &str) -> Result<Vec<TemplateEum>> {
    let templates = TemplateEum::by_name(name).template_language(language);
    let mut templates = templates.all(db).await?;
    templates.sort_by(|a, b| a.waba_id.cmp(&b.waba_id));
    Ok(templates)
}

/// `gsi_campaign`: campaign messages.
pub async fn campaign_messages(db: &Db, campaign_id: &str) -> Result<Vec<Message>> {
    Message::of_campaign(campaign_id).all(db).await
}

/// `gsi_webhook_event`: webhook events of a type since a time, without those that have expired.
pub async fn webhook_events(db: &Db, event_type: &str, since: Time) -> Result<Vec<WebhookEvent>> {
    let events = WebhookEvent::by_type(event_type).received_at_range(since..);
    events.skip_expired().all(db).await
}
