//! What a subscription allows: a constant instead of a table, as in the document.

use crate::model::SubscriptionType;

/// A tier. `None` is unlimited.
#[expect(
    clippy::struct_field_names,
    reason = "fields have the names of the document"
)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tier {
    pub tier_name: &'static str,
    pub max_documents_per_month: Option<u32>,
    pub chat_interactions_per_day: Option<u32>,
    pub storage_gb: u32,
    pub retention_days: u32,
    pub support_level: &'static str,
    pub monthly_price_usd: f64,
    pub yearly_price_usd: f64,
}

const FREE: Tier = Tier {
    tier_name: "Free",
    max_documents_per_month: Some(5),
    chat_interactions_per_day: Some(10),
    storage_gb: 1,
    retention_days: 30,
    support_level: "community",
    monthly_price_usd: 0.0,
    yearly_price_usd: 0.0,
};

const PREMIUM: Tier = Tier {
    tier_name: "Premium",
    max_documents_per_month: None,
    chat_interactions_per_day: None,
    storage_gb: 10,
    retention_days: 365,
    support_level: "priority",
    monthly_price_usd: 9.99,
    yearly_price_usd: 99.99,
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
