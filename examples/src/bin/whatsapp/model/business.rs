//! Who is served and how they are paid: tenants, profiles, groups, addresses.

use super::{Time, WhatsApp};
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A business.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "TENANT",
    pk = "TENANT#<tenant_id>",
    gsi_tenant(as = of_tenant, pk = "<tenant_id>", sk = "TENANT"),
)]
pub struct Tenant {
    pub tenant_id: String,
    pub display_name: String,
    pub waba_id: String,
    pub phone_e164: String,
    pub mcc: String,
    pub purpose_code: String,
    pub default_payment_config: String,
    pub created_at: Time,
}

/// A way in which a tenant is paid.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "PAYMENT_CONFIG",
    pk = "TENANT#<tenant_id>#PAYCFG#<config_name>",
    gsi_tenant(as = of_tenant, pk = "<tenant_id>", sk = "PAYMENT_CONFIG"),
)]
pub struct PaymentConfig {
    pub tenant_id: String,
    pub config_name: String,
    #[serde(rename = "type")]
    pub kind: PaymentKind,
    pub status: ConfigStatus,
    /// Of a payment gateway.
    pub payment_gateway_mid: Option<String>,
    /// Of UPI.
    pub upi_id: Option<String>,
    pub mcc: String,
    pub purpose_code: String,
    pub last_validated_at: Time,
}

/// A payment gateway, or India's payments interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PaymentKind {
    Pg,
    Upi,
}

/// Whether a way of payment can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfigStatus {
    Active,
    Inactive,
    Pending,
}

/// What customers see of a business.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "BUSINESS_PROFILE",
    pk = "PROFILE#<waba_meta_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "BUSINESS_PROFILE"),
)]
pub struct BusinessProfile {
    pub waba_meta_id: String,
    pub business_name: String,
    pub about: String,
    pub address: String,
    pub description: String,
    pub email: String,
    pub websites: Vec<String>,
    pub vertical: String,
    pub sync_status: Sync,
    pub updated_at: Time,
}

/// Whether Meta has the profile as it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sync {
    LocalOnly,
    PendingSync,
    Synced,
}

/// A group chat. Its messages are found by `gsi_group`, if they say that they are of the group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "GROUP",
    pk = "GROUP#<group_id>",
    gsi_waba_itemtype(as = of_waba, pk = "<waba_meta_id>", sk = "GROUP"),
)]
pub struct Group {
    pub group_id: String,
    pub waba_meta_id: String,
    pub name: String,
    pub description: String,
    pub participants: Vec<String>,
    pub admins: Vec<String>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// Where a customer's orders go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = WhatsApp,
    tag = "ADDRESS",
    pk = "ADDRESS#<customer_phone>#<address_id>",
    gsi_customer_phone(as = of_customer, pk = "<customer_phone>", sk = "<created_at>"),
)]
pub struct Address {
    pub customer_phone: String,
    pub address_id: String,
    pub name: String,
    pub phone_number: String,
    pub address: String,
    pub city: String,
    pub state: String,
    pub postal_code: String,
    pub country: String,
    pub is_default: bool,
    pub created_at: Time,
}
