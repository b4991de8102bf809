//! What a subscription allows: a constant instead of a table, as in the document.

use crate::model::SubscriptionType;

/// A tier. A limit of `None` is unlimited.
#[expect(
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "fields have the names of the document"
)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tier {
    pub tier_name: &'static str,
    pub medical_reports: bool,
    pub max_documents_per_month: Option<u32>,
    pub priority_processing: bool,
    pub advanced_analytics: bool,
    pub export_capabilities: bool,
    pub chat_interactions_per_day: Option<u32>,
    pub storage_gb: u32,
    pub retention_days: u32,
    pub support_level: &'static str,
    pub monthly_price_usd: f64,
    pub yearly_price_usd: f64,
    pub apple_product_id: Option<&'static str>,
    pub google_product_id: Option<&'static str>,
}

const FREE: Tier = Tier {
    tier_name: "Free",
    medical_reports: false,
    max_documents_per_month: Some(5),
    priority_processing: false,
    advanced_analytics: false,
    export_capabilities: false,
    chat_interactions_per_day: Some(10),
    storage_gb: 1,
    retention_days: 30,
    support_level: "community",
    monthly_price_usd: 0.0,
    yearly_price_usd: 0.0,
    apple_product_id: None,
    google_product_id: None,
};

const PREMIUM: Tier = Tier {
    tier_name: "Premium",
    medical_reports: true,
    max_documents_per_month: None,
    priority_processing: true,
    advanced_analytics: true,
    export_capabilities: true,
    chat_interactions_per_day: None,
    storage_gb: 10,
    retention_days: 365,
    support_level: "priority",
    monthly_price_usd: 9.99,
    yearly_price_usd: 99.99,
    apple_product_id: Some("com.serenya.premium.monthly"),
    google_product_id: Some("serenya_premium_monthly"),
};

/// `getSubscriptionTiers`
pub fn get_subscription_tiers() -> Vec<Tier> {
    vec![FREE, PREMIUM]
}

/// The tier of a subscription.
pub fn tier(of: SubscriptionType) -> &'static Tier {
    match of {
        SubscriptionType::Free => &FREE,
        SubscriptionType::Premium => &PREMIUM,
    }
}
