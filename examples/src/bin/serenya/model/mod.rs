//! The table of a health app: users with everything about them in one item, their payments, and settings. All payload is in one map,
//! `data`, and the keys are made of what is in it.
//!
//! What the document says in two ways, and what is done here:
//!
//! - Its samples have times without milliseconds, `2025-09-27T10:00:00Z`; its code writes them with `toISOString`, which has them. No
//!   key is made of a time, so they are text here, and both are read.
//! - It describes the sort key of settings as `CONFIG#{key}`; its sample has `APP_SETTINGS#v1`, which is taken.
//! - Its code makes payment ids that are UUIDs; its sample has `payment-abc-123`, so they are text.
//! - Its samples have NULL where there is no value, so it is stored: `nulls = "store"`.
//! - Its code leaves out parts of a new user that its sample has. They are `Option`s that are not stored if they are not there;
//!   `external_subscription_id`, which the sample has as NULL, is always stored.
//! - The hash in the sample's `GSI1PK` is not the SHA-256 of the address beside it.
//! - The `ttl` of its sample user is neither the end of the session, which is half a day earlier, nor 24 hours after the last change.
//! - Its CDK code has a property `globalSecondaryIndexes` and a billing mode `ON_DEMAND` that CDK's `Table` does not have:
//!   `serenya schema cloudformation` writes what it means. Point-in-time recovery is for production alone there; the declaration
//!   of a table is the same everywhere, and `point_in_time_recovery` can be said in it.
//!
//! What does not work, and has a way out in [`crate::remedies`], with three entities that are not in the document: the session's expiry
//! deletes the user, a user can be created twice, payments of a day are in no order, and nothing counts documents. Two things more are
//! left as they are: a usage period ends, but nothing starts the next one; and the tiers limit chats, which `checkUsageLimit` does not
//! look at.
//!
//! Its tiers are constants of the program (`tiers`). Its chat options and the jobs that it keeps in S3 are no part of the table.

#![expect(
    clippy::struct_field_names,
    reason = "fields have the names of the attributes"
)]

mod user;

pub use user::{
    AuthProvider, Biometric, Consents, CurrentSession, CurrentSubscription, Device, Subscription,
    SubscriptionType, Usage, User, UserData,
};

use crate::remedies::{EmailClaim, IdentityClaim, Session};
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Everything that lives in the table.
#[expect(
    clippy::large_enum_variant,
    reason = "a user is large, and most items are read as what they are"
)]
#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "serenya-{environment}",
    pk = "PK",
    sk = "SK",
    tag = "entity_type",
    ttl = "ttl",
    encryption = "aws_managed",
    nulls = "store",
    index(by_email, name = "GSI1-EmailLookup", pk = "GSI1PK", sk = "GSI1SK"),
    index(
        by_external_id,
        name = "GSI2-ExternalAuth",
        pk = "GSI2PK",
        sk = "GSI2SK"
    )
)]
pub enum Serenya {
    User(User),
    Payment(Payment),
    SystemConfig(SystemConfig),
    Session(Session),
    EmailClaim(EmailClaim),
    IdentityClaim(IdentityClaim),
}

/// What a user paid. The day of its sort key has no attribute of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Serenya,
    tag = "payment",
    pk = "USER#<data.user_id>",
    sk = "PAYMENT#<date>#<data.payment_id>",
)]
pub struct Payment {
    #[dyna(key_only)]
    pub date: Date,
    pub data: PaymentData,
    #[dyna(created_at)]
    pub created_at: String,
    #[dyna(updated_at)]
    pub updated_at: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
pub struct PaymentData {
    pub payment_id: String,
    pub user_id: Uuid,
    pub subscription_id: String,
    pub amount: f64,
    pub currency: String,
    pub payment_status: String,
    pub payment_method: String,
    pub provider_transaction_id: String,
    pub provider_receipt_data: String,
    pub provider_sandbox: bool,
    pub initiated_at: String,
    pub processed_at: String,
    pub platform: String,
    pub app_version: String,
    pub refund_status: Option<String>,
    pub refund_amount: Option<f64>,
    pub refunded_at: Option<String>,
    pub refund_reason: Option<String>,
}

/// Values that may change while the app runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Serenya,
    tag = "system_config",
    pk = "SYSTEM#CONFIG",
    sk = "<data.config_key|upper>#<data.version>",
)]
pub struct SystemConfig {
    pub data: ConfigData,
    #[dyna(created_at)]
    pub created_at: String,
    #[dyna(updated_at)]
    pub updated_at: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
pub struct ConfigData {
    pub config_key: String,
    pub version: String,
    pub features: Features,
    pub limits: Limits,
    pub services: Services,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a feature of its own, as in the document"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
pub struct Features {
    pub biometric_auth_enabled: bool,
    pub apple_signin_enabled: bool,
    pub google_signin_enabled: bool,
    pub premium_subscriptions_enabled: bool,
    pub document_processing_enabled: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub max_file_size_mb: u32,
    pub max_files_per_upload: u32,
    pub session_timeout_hours: u32,
    pub biometric_timeout_days: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Services {
    pub anthropic_api_timeout_ms: u32,
    pub apple_signin_timeout_ms: u32,
    pub google_signin_timeout_ms: u32,
}
