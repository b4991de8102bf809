//! Where the document does not do what it says, and what does.
//!
//! - **The session's expiry is on the user.** DynamoDB deletes the item whose `ttl` has passed: the user, with consents and
//!   subscription, a day after the last login. [`Session`] is an item of its own, which may go.
//! - **`attribute_not_exists(PK)` prevents no duplicates.** `PK` has a new UUID each time, so it never exists; and an index cannot keep
//!   its keys unique. [`register`] creates an item for the address and one for the identity in the same transaction.
//! - **Payments are newest first by day only.** Within a day they come in the order of their ids, which are random. Ids that sort by
//!   time mend that without another key: [`payment_id`] makes a `UUIDv7`.
//! - **Nothing counts the documents, and a limit that is checked first and used later can be passed.** [`count_document`] does both in
//!   one update.

use crate::model::{
    AuthProvider, CurrentSession, Serenya, Subscription, SubscriptionType, Usage, User, UserData,
};
use crate::tiers::tier;
use dyna_runtime::{DynaEntity, Result, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

/// The session of a user. DynamoDB deletes it when it has ended, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Serenya, tag = "session", pk = "USER#<user_id>", sk = "SESSION")]
pub struct Session {
    pub user_id: Uuid,
    pub data: CurrentSession,
    #[dyna(ttl)]
    pub ttl: i64,
}

/// An address that is taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Serenya, tag = "email_claim", pk = "USER_EMAIL#<email|sha256>", sk = "CLAIM")]
pub struct EmailClaim {
    pub email: String,
    pub user_id: Uuid,
}

/// An identity at a provider that is taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Serenya,
    tag = "identity_claim",
    pk = "USER_EXTERNAL#<auth_provider>#<external_id>",
    sk = "CLAIM",
)]
pub struct IdentityClaim {
    pub auth_provider: AuthProvider,
    pub external_id: String,
    pub user_id: Uuid,
}

/// Creates a user, unless the address or the identity is taken; without an expiry.
pub async fn register(db: &Table<Serenya>, user: &User) -> Result<()> {
    let user = User {
        ttl: None,
        ..user.clone()
    };
    let email = EmailClaim {
        email: user.data.email.clone(),
        user_id: user.data.id,
    };
    let identity = IdentityClaim {
        auth_provider: user.data.auth_provider,
        external_id: user.data.external_id.clone(),
        user_id: user.data.id,
    };
    let all = db.transact().create(&user).create(&email);
    all.create(&identity).send().await
}

/// An id for a payment that is made at this time. Those of one millisecond are in no order.
pub fn payment_id(at: Timestamp) -> String {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or_default();
    let random = [0; 10]; // of a random number generator, in production
    let id = Builder::from_unix_timestamp_millis(millis, &random);
    id.into_uuid().to_string()
}

/// Counts a document, if the user's tier allows one more; fails with `is_condition_failed` otherwise.
pub async fn count_document(db: &Table<Serenya>, user_id: Uuid) -> Result<()> {
    let subscription = User::DATA.field(UserData::SUBSCRIPTION);
    let kind = subscription.clone().field(Subscription::SUBSCRIPTION_TYPE);
    let usage = subscription.field(Subscription::USAGE_CURRENT_PERIOD);
    let used = usage.field(Usage::DOCUMENTS_PROCESSED);
    let update = User::update(user_id).add(used.clone(), 1);
    let most = tier(SubscriptionType::Free).max_documents_per_month;
    let update = match most {
        Some(most) => update.when(kind.eq(SubscriptionType::Premium).or(used.lt(most))),
        None => update,
    };
    update.send(db).await
}
