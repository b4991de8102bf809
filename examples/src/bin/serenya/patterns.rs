//! The access patterns, named as in the document.

use crate::model::{
    AuthProvider, Consents, CurrentSession, CurrentSubscription, Payment, Serenya, Subscription,
    SubscriptionType, SystemConfig, Usage, User, UserData,
};
use crate::tiers::tier;
use dyna_runtime::{Page, Result, Table};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use uuid::Uuid;

type Db = Table<Serenya>;

/// `findByEmail`: the address is hashed as it was when the user was written.
pub async fn find_by_email(db: &Db, email: &str) -> Result<Option<User>> {
    User::by_email(email).first(db).await
}

/// `findByExternalId`
pub async fn find_by_external_id(
    db: &Db,
    provider: AuthProvider,
    external_id: &str,
) -> Result<Option<User>> {
    let found = User::by_external_id(provider, external_id);
    found.first(db).await
}

/// What `createUser` is given.
#[derive(Debug, Clone, Copy)]
pub struct NewUser<'n> {
    pub id: Uuid,
    pub email: &'n str,
    pub name: &'n str,
    pub auth_provider: AuthProvider,
    pub external_id: &'n str,
}

/// A user with the free tier and nothing agreed to.
pub fn new_user(new: NewUser<'_>, now: Timestamp) -> User {
    let after = |days: i64| text(now + SignedDuration::from_hours(24 * days));
    let data = UserData {
        id: new.id,
        email: new.email.to_owned(),
        name: new.name.to_owned(),
        auth_provider: new.auth_provider,
        external_id: new.external_id.to_owned(),
        account_status: "active".to_owned(),
        consents: Consents {
            medical_disclaimers: false,
            terms_of_service: false,
            privacy_policy: false,
            consent_version: None,
            consent_date: None,
            ip_address: None,
            user_agent: None,
        },
        current_device: None,
        current_session: None,
        biometric: None,
        subscription: Subscription {
            subscription_id: format!("sub_free_{}", new.id),
            subscription_type: SubscriptionType::Free,
            subscription_status: "active".to_owned(),
            provider: "internal".to_owned(),
            external_subscription_id: None,
            start_date: text(now),
            end_date: after(365),
            auto_renew: None,
            trial_period_days: None,
            grace_period_days: None,
            usage_current_period: Usage {
                documents_processed: 0,
                period_start: text(now),
                period_end: after(30),
            },
        },
    };
    User {
        data,
        created_at: text(now),
        updated_at: text(now),
        ttl: Some(session_end(now)),
    }
}

/// A time as `toISOString` writes it.
pub fn text(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A session lasts a day.
fn session_end(now: Timestamp) -> i64 {
    now.as_second() + 24 * 60 * 60
}

/// `createUser`: only if there is none with this id.
pub async fn create_user(db: &Db, new: NewUser<'_>, now: Timestamp) -> Result<User> {
    let user = new_user(new, now);
    user.create().send(db).await?;
    Ok(user)
}

/// `updateSession`: sets one map within `data`, and the expiry.
pub async fn update_session(
    db: &Db,
    user_id: Uuid,
    session: &CurrentSession,
    now: Timestamp,
) -> Result<()> {
    let current = User::DATA.field(UserData::CURRENT_SESSION);
    let update = User::update(user_id).set(current, session);
    update.set(User::TTL, session_end(now)).send(db).await
}

/// `createPayment`
pub async fn create_payment(db: &Db, payment: &Payment) -> Result<()> {
    payment.create().send(db).await
}

/// `getUserPayments`, latest first.
pub async fn get_user_payments(db: &Db, user_id: Uuid, limit: usize) -> Result<Page<Payment>> {
    let latest = Payment::query(user_id).descending();
    latest.limit(limit).send(db).await
}

/// `getCurrentSubscription`: reads nothing but the subscription.
pub async fn get_current_subscription(db: &Db, user_id: Uuid) -> Result<Option<Subscription>> {
    let get = User::get(user_id).project::<CurrentSubscription>();
    let found = get.send(db).await?;
    Ok(found.map(|current| current.data.subscription))
}

/// `updateSubscription`
pub async fn update_subscription(
    db: &Db,
    user_id: Uuid,
    subscription: &Subscription,
) -> Result<()> {
    let current = User::DATA.field(UserData::SUBSCRIPTION);
    User::update(user_id)
        .set(current, subscription)
        .send(db)
        .await
}

/// What `checkUsageLimit` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum UsageLimit {
    NoSubscription,
    Unlimited,
    Limited { usage: u32, limit: u32 },
}

impl UsageLimit {
    /// Whether one more is allowed.
    pub fn is_allowed(self) -> bool {
        match self {
            Self::NoSubscription => false,
            Self::Unlimited => true,
            Self::Limited { usage, limit } => usage < limit,
        }
    }
}

/// The one feature that `checkUsageLimit` knows a limit of.
pub const DOCUMENT_PROCESSING: &str = "document_processing";

/// `checkUsageLimit`. The document has no limit for any other feature, not even for the chats that its tiers limit.
pub async fn check_usage_limit(db: &Db, user_id: Uuid, feature: &str) -> Result<UsageLimit> {
    let Some(subscription) = get_current_subscription(db, user_id).await? else {
        return Ok(UsageLimit::NoSubscription);
    };
    let usage = subscription.usage_current_period.documents_processed;
    let limit = match feature {
        DOCUMENT_PROCESSING => tier(subscription.subscription_type).max_documents_per_month,
        _ => None,
    };
    Ok(match limit {
        None => UsageLimit::Unlimited,
        Some(limit) => UsageLimit::Limited { usage, limit },
    })
}

/// The settings of a version.
pub async fn app_settings(db: &Db, version: &str) -> Result<Option<SystemConfig>> {
    SystemConfig::get("app_settings", version).send(db).await
}
