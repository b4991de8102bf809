//! A user, with what were six tables: consents, device, session, biometrics and subscription are maps within `data`.

use super::Serenya;
use dyna_runtime::{DynaEntity, DynaFields, DynaProjection, KeyPart};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// The profile. Both look-ups are made of what is in `data`; the address is hashed.
///
/// `ttl` is when the session ends, as the document has it. **DynamoDB then deletes the whole user**, see [`crate::remedies`].
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Serenya,
    tag = "user",
    pk = "USER#<data.id>",
    sk = "PROFILE",
    by_email(as = by_email, pk = "USER_EMAIL#<data.email|sha256>", sk = "PROFILE"),
    by_external_id(
        as = by_external_id,
        pk = "USER_EXTERNAL#<data.auth_provider>#<data.external_id>",
        sk = "PROFILE"
    ),
)]
pub struct User {
    pub data: UserData,
    #[dyna(created_at)]
    pub created_at: String,
    #[dyna(updated_at)]
    pub updated_at: String,
    #[dyna(ttl)]
    pub ttl: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
pub struct UserData {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub auth_provider: AuthProvider,
    pub external_id: String,
    pub account_status: String,
    pub consents: Consents,
    pub current_device: Option<Device>,
    pub current_session: Option<CurrentSession>,
    pub biometric: Option<Biometric>,
    pub subscription: Subscription,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
pub enum AuthProvider {
    Google,
    Apple,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consents {
    pub medical_disclaimers: bool,
    pub terms_of_service: bool,
    pub privacy_policy: bool,
    pub consent_version: Option<String>,
    pub consent_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub device_id: String,
    pub device_name: String,
    pub platform: String,
    pub platform_version: String,
    pub app_version: String,
    pub biometric_type: String,
    pub device_fingerprint: String,
    pub last_active_at: String,
    pub timezone: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurrentSession {
    pub session_id: String,
    pub access_token_hash: String,
    pub refresh_token_hash: String,
    pub issued_at: String,
    pub expires_at: String,
    pub last_accessed_at: String,
    pub biometric_expires_at: String,
    pub user_agent: String,
    pub source_ip: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Biometric {
    pub registration_id: String,
    pub biometric_type: String,
    pub is_verified: bool,
    pub verification_level: String,
    pub challenge_data: String,
    pub challenge_expires_at: String,
    pub last_verification_at: String,
    pub failure_count: u32,
    pub locked_until: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
pub struct Subscription {
    pub subscription_id: String,
    pub subscription_type: SubscriptionType,
    pub subscription_status: String,
    pub provider: String,
    pub external_subscription_id: Option<String>,
    pub start_date: String,
    pub end_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_renew: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial_period_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_period_days: Option<u32>,
    pub usage_current_period: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubscriptionType {
    Free,
    Premium,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
pub struct Usage {
    pub documents_processed: u32,
    pub period_start: String,
    pub period_end: String,
}

/// The subscription alone: `#data.#subscription`, and nothing of the rest is read.
#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = User)]
pub struct CurrentSubscription {
    #[dyna(nested)]
    pub data: SubscriptionOf,
}

#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = UserData)]
pub struct SubscriptionOf {
    pub subscription: Subscription,
}
