//! The table of a `WhatsApp` business backend: a partition key alone, 25 item types, 16 indexes, an expiry.
//!
//! Every index is on attributes that items have anyway, so an item is in each index whose two attributes it has. What the contract
//! says in two ways, and what is done here:
//!
//! - `gsi_group` and `gsi_campaign` are for messages, but messages have neither `groupId` nor `campaignId` there, and groups and
//!   campaigns have no `sentAt`: as it stands both indexes stay empty. Here a message may have both.
//! - Only idempotency records have the `ttl` that media and webhook events are to expire by. `expiresAt` of a media record is text,
//!   which DynamoDB does not expire by; the number follows it here.
//! - Flow responses have a `customerPhone` but no `createdAt`, so `gsi_customer_phone` does not have them; the Meta cache of templates
//!   has `language` and `status` where the template indexes want `templateLanguage` and `templateStatus`.
//! - Two item types are both tagged `CONFIG`. A tag that does not tell types apart is refused, so they are one struct, told apart by key.
//! - `wabaId` is Meta's id on a tenant and AWS's on a template, and `wabaMetaId` is Meta's everywhere else: in the keys of
//!   `TEMPLATE_META#`, `WEBHOOK_CONFIG#` and `ANALYTICS#`, too, where the contract writes `wabaId`. A tenant has no `wabaMetaId`, so
//!   `gsi_waba_itemtype` does not have it.
//! - `gsi_inbox` is the "inbox view", but messages have both its attributes as well as conversations. Each is asked for by its type.
//! - The sort key of `gsi_waba_itemtype` and `gsi_tenant` is the item type: items of a type are in no order there.
//! - Its times are ISO 8601 without saying how many digits. They are sort keys, so all have one width: 24 characters, with milliseconds.
//! - Amounts are numbers without a unit: here they are whole numbers of the smallest one.

#![expect(
    clippy::duplicated_attributes,
    reason = "indexes may have a sort key in common"
)]
#![expect(
    clippy::enum_variant_names,
    clippy::struct_field_names,
    reason = "fields and words have the names of the contract"
)]

mod business;
mod commerce;
mod messages;
mod operations;
mod templates;

pub use business::{Address, BusinessProfile, Group, PaymentConfig, PaymentKind, Tenant};
pub use business::{ConfigStatus, Sync};
pub use commerce::{Availability, Catalog, Order, OrderStatus, Product, Refund, RefundStatus};
pub use messages::{Conversation, Delivery, Direction, Message, StatusUpdate};
pub use operations::{
    Analytics, Call, CallStatus, Config, ConfigKind, FlowResponse, Idempotency, Quality,
    QualityChange, Rating, WebhookConfig, WebhookEvent,
};
pub use templates::{Campaign, CampaignStatus, Media, TemplateEum, TemplateMedia, TemplateMeta};
pub use templates::{Category, TemplateStatus};

pub use dyna_examples::Time;

use dyna_runtime::DynaTable;

/// Everything that lives in the table.
#[expect(
    clippy::large_enum_variant,
    reason = "most items are messages, which are the largest"
)]
#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "base-wecare-digital-whatsapp",
    pk = "pk",
    tag = "itemType",
    ttl = "ttl",
    index(gsi_direction, pk = "direction", sk = "receivedAt"),
    index(gsi_from, pk = "fromPk", sk = "receivedAt"),
    index(gsi_inbox, pk = "inboxPk", sk = "receivedAt"),
    index(gsi_conversation, pk = "conversationPk", sk = "receivedAt"),
    index(gsi_status, pk = "deliveryStatus", sk = "sentAt"),
    index(gsi_waba_itemtype, pk = "wabaMetaId", sk = "itemType"),
    index(gsi_customer_phone, pk = "customerPhone", sk = "createdAt"),
    index(gsi_group, pk = "groupId", sk = "sentAt"),
    index(gsi_catalog, pk = "catalogId", sk = "retailerId"),
    index(gsi_order, pk = "orderId", sk = "createdAt"),
    index(gsi_tenant, pk = "tenantId", sk = "itemType"),
    index(gsi_payment_status, pk = "paymentStatus", sk = "createdAt"),
    index(gsi_template_waba, pk = "wabaId", sk = "templateStatus"),
    index(gsi_template_name, pk = "templateName", sk = "templateLanguage"),
    index(gsi_campaign, pk = "campaignId", sk = "sentAt"),
    index(gsi_webhook_event, pk = "webhookEventType", sk = "receivedAt")
)]
pub enum WhatsApp {
    Message(Message),
    Conversation(Conversation),
    Tenant(Tenant),
    PaymentConfig(PaymentConfig),
    Order(Order),
    Refund(Refund),
    BusinessProfile(BusinessProfile),
    TemplateEum(TemplateEum),
    TemplateMeta(TemplateMeta),
    TemplateMedia(TemplateMedia),
    Media(Media),
    Group(Group),
    Catalog(Catalog),
    Product(Product),
    Campaign(Campaign),
    WebhookEvent(WebhookEvent),
    WebhookConfig(WebhookConfig),
    Call(Call),
    Analytics(Analytics),
    Quality(Quality),
    Config(Config),
    Address(Address),
    FlowResponse(FlowResponse),
    Idempotency(Idempotency),
}
