//! Each of the 25 item types by its key.

use super::Db;
use crate::model::{
    Address, Analytics, BusinessProfile, Call, Campaign, Catalog, Config, ConfigKind, Conversation,
    FlowResponse, Group, Idempotency, Media, Message, Order, PaymentConfig, Product, Quality,
    Refund, TemplateEum, TemplateMedia, TemplateMeta, Tenant, WebhookConfig, WebhookEvent,
};
use dyna_runtime::Result;

/// 1. Messages.
pub async fn message(db: &Db, wa_message_id: &str) -> Result<Option<Message>> {
    Message::get(wa_message_id).send(db).await
}

/// 2. Conversations.
pub async fn conversation(
    db: &Db,
    phone_arn_suffix: &str,
    customer: &str,
) -> Result<Option<Conversation>> {
    Conversation::get(phone_arn_suffix, customer).send(db).await
}

/// 3. Tenants.
pub async fn tenant(db: &Db, tenant_id: &str) -> Result<Option<Tenant>> {
    Tenant::get(tenant_id).send(db).await
}

/// 4. Payment Configurations.
pub async fn payment_config(
    db: &Db,
    tenant_id: &str,
    config_name: &str,
) -> Result<Option<PaymentConfig>> {
    PaymentConfig::get(tenant_id, config_name).send(db).await
}

/// 5. Payment Orders.
pub async fn payment_order(db: &Db, reference_id: &str) -> Result<Option<Order>> {
    Order::get(reference_id).send(db).await
}

/// 6. Refunds.
pub async fn refund(db: &Db, refund_id: &str) -> Result<Option<Refund>> {
    Refund::get(refund_id).send(db).await
}

/// 7. Business Profiles.
pub async fn business_profile(db: &Db, waba_meta_id: &str) -> Result<Option<BusinessProfile>> {
    BusinessProfile::get(waba_meta_id).send(db).await
}

/// 8. Templates (AWS EUM).
pub async fn template_eum(
    db: &Db,
    waba_id: &str,
    name: &str,
    language: &str,
) -> Result<Option<TemplateEum>> {
    TemplateEum::get(waba_id, name, language).send(db).await
}

/// 9. Templates (Meta Cache).
pub async fn template_meta(
    db: &Db,
    waba_meta_id: &str,
    name: &str,
) -> Result<Option<TemplateMeta>> {
    TemplateMeta::get(waba_meta_id, name).send(db).await
}

/// 10. Template Media.
pub async fn template_media(db: &Db, media_id: &str) -> Result<Option<TemplateMedia>> {
    TemplateMedia::get(media_id).send(db).await
}

/// 11. Media Records. An item that has expired is not there, whether DynamoDB has deleted it yet or not.
pub async fn media(db: &Db, media_id: &str) -> Result<Option<Media>> {
    Media::get(media_id).skip_expired().send(db).await
}

/// 12. Groups.
pub async fn group(db: &Db, group_id: &str) -> Result<Option<Group>> {
    Group::get(group_id).send(db).await
}

/// 13. Catalogs.
pub async fn catalog(db: &Db, catalog_id: &str) -> Result<Option<Catalog>> {
    Catalog::get(catalog_id).send(db).await
}

/// 14. Catalog Products.
pub async fn product(db: &Db, catalog_id: &str, retailer_id: &str) -> Result<Option<Product>> {
    Product::get(catalog_id, retailer_id).send(db).await
}

/// 15. Campaigns.
pub async fn campaign(db: &Db, campaign_id: &str) -> Result<Option<Campaign>> {
    Campaign::get(campaign_id).send(db).await
}

/// 16. Webhook Events. An item that has expired is not there, whether DynamoDB has deleted it yet or not.
pub async fn webhook_event(db: &Db, event_id: &str) -> Result<Option<WebhookEvent>> {
    WebhookEvent::get(event_id).skip_expired().send(db).await
}

/// 17. Webhook Configurations.
pub async fn webhook_config(db: &Db, waba_meta_id: &str) -> Result<Option<WebhookConfig>> {
    WebhookConfig::get(waba_meta_id).send(db).await
}

/// 18. Call Logs.
pub async fn call(db: &Db, call_id: &str) -> Result<Option<Call>> {
    Call::get(call_id).send(db).await
}

/// 19. Analytics Records.
pub async fn analytics(db: &Db, waba_meta_id: &str, date: &str) -> Result<Option<Analytics>> {
    Analytics::get(waba_meta_id, date).send(db).await
}

/// 20. Phone Quality.
pub async fn phone_quality(db: &Db, phone_number_id: &str) -> Result<Option<Quality>> {
    Quality::get(phone_number_id).send(db).await
}

/// 21. Infrastructure Config.
pub async fn infrastructure_config(db: &Db) -> Result<Option<Config>> {
    Config::get(ConfigKind::Infra).send(db).await
}

/// 22. Media Types Config.
pub async fn media_types_config(db: &Db) -> Result<Option<Config>> {
    Config::get(ConfigKind::MediaTypes).send(db).await
}

/// 23. Customer Addresses.
pub async fn address(db: &Db, customer_phone: &str, address_id: &str) -> Result<Option<Address>> {
    Address::get(customer_phone, address_id).send(db).await
}

/// 24. Flow Responses.
pub async fn flow_response(
    db: &Db,
    flow_id: &str,
    response_id: &str,
) -> Result<Option<FlowResponse>> {
    FlowResponse::get(flow_id, response_id).send(db).await
}

/// 25. Idempotency Records. An item that has expired is not there, whether DynamoDB has deleted it yet or not.
pub async fn idempotency(db: &Db, request_id: &str) -> Result<Option<Idempotency>> {
    Idempotency::get(request_id).skip_expired().send(db).await
}
