//! What is sold and paid: orders, refunds, catalogs. Amounts are in the smallest unit of their currency.

use super::{Time, WhatsApp};
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// An order to be paid.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "PAYMENT_ORDER",
    pk = "ORDER#<reference_id>",
    gsi_order(as = of_order, pk = "<order_id>", sk = "<created_at>"),
    gsi_customer_phone(as = of_customer, pk = "<customer_phone>", sk = "<created_at>"),
    gsi_tenant(as = of_tenant, pk = "<tenant_id>", sk = "PAYMENT_ORDER"),
    gsi_payment_status(as = by_payment, pk = "<payment_status>", sk = "<created_at>"),
)]
pub struct Order {
    pub tenant_id: String,
    pub order_id: String,
    pub reference_id: String,
    pub config_name: String,
    pub customer_phone: String,
    pub currency: String,
    pub total_amount: u64,
    pub status: OrderStatus,
    /// What the gateway says: in its own words, so it is text.
    pub payment_status: String,
    pub transaction_id: Option<String>,
    pub created_at: Time,
}

/// How far an order has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    Pending,
    Completed,
    Failed,
}

/// Money that goes back.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "REFUND",
    pk = "REFUND#<refund_id>",
    gsi_order(as = of_order, pk = "<order_id>", sk = "<created_at>"),
    gsi_customer_phone(as = of_customer, pk = "<customer_phone>", sk = "<created_at>"),
    gsi_tenant(as = of_tenant, pk = "<tenant_id>", sk = "REFUND"),
)]
pub struct Refund {
    pub refund_id: String,
    pub order_id: String,
    pub tenant_id: String,
    pub customer_phone: String,
    pub amount: u64,
    pub currency: String,
    pub status: RefundStatus,
    pub reason: String,
    pub created_at: Time,
    pub processed_at: Option<Time>,
}

/// How far a refund has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RefundStatus {
    Pending,
    Processing,
    Completed,
    Failed,
    Cancelled,
}

/// A list of products. It has no `retailerId`, so `gsi_catalog` has its products alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "CATALOG",
    pk = "CATALOG#<catalog_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "CATALOG"),
)]
pub struct Catalog {
    pub catalog_id: String,
    pub waba_meta_id: String,
    pub name: String,
    pub product_count: u32,
    pub synced_at: Time,
}

/// A product of a catalog.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "PRODUCT",
    pk = "PRODUCT#<catalog_id>#<retailer_id>",
    gsi_catalog(as = of_catalog, pk = "<catalog_id>", sk = "<retailer_id>"),
)]
pub struct Product {
    pub catalog_id: String,
    pub retailer_id: String,
    pub name: String,
    pub description: String,
    pub price: u64,
    pub currency: String,
    pub image_url: String,
    pub availability: Availability,
}

/// Whether a product can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    InStock,
    OutOfStock,
}
