//! What is in the table: the document's user, payment and settings, and enough around them, about 400 items, the same each time.

use crate::model::{
    AuthProvider, Biometric, ConfigData, Consents, CurrentSession, Device, Features, Limits,
    Payment, PaymentData, Serenya, Services, Subscription, SubscriptionType, SystemConfig, Usage,
    User, UserData,
};
use crate::patterns::{NewUser, new_user, text};
use dyna_cli::Program;
use dyna_runtime::{Result, Table};
use jiff::civil::{Date, date};
use jiff::{SignedDuration, Timestamp};
use uuid::{Uuid, uuid};

/// The user of the document.
pub const JOHN: Uuid = uuid!("ac5cada7-7b1f-4673-b2b1-089f3e308363");
pub const JOHNS_EMAIL: &str = "user@example.com";
pub const JOHNS_GOOGLE_ID: &str = "113426185144286227617";
const USERS: u128 = 30;
const DAYS: i8 = 12;

/// When the program runs: when the document's user was last changed.
pub fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_758_987_900)
}

/// The id of any other user.
pub fn user_id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

/// Writes it all.
pub async fn write(db: &Table<Serenya>) -> Result<()> {
    let mut left = db
        .batch_write()
        .put_all(&users())
        .put_all(&payments())
        .put_all(&configs());
    while !left.is_empty() {
        left = left.send().await?;
    }
    Ok(())
}

/// The schema of the table, with the document's items.
pub fn shown() -> Program {
    let payments = payments().into_iter().take(3);
    let payments = payments.map(Serenya::from);
    let configs = configs().into_iter().map(Serenya::from);
    let items = [Serenya::from(john())];
    dyna_cli::main::<Serenya>().samples(items.into_iter().chain(payments).chain(configs))
}

/// The document's user, and others with nothing but what `createUser` writes. Every third is premium.
pub fn users() -> Vec<User> {
    let others = (1..USERS).map(other);
    [john()].into_iter().chain(others).collect()
}

pub fn other(n: u128) -> User {
    let new = NewUser {
        id: user_id(n),
        email: &format!("user{n}@example.com"),
        name: &format!("User {n}"),
        auth_provider: AuthProvider::Apple,
        external_id: &format!("001234.{n:04}"),
    };
    let mut user = new_user(new, now());
    if n.is_multiple_of(3) {
        user.data.subscription.subscription_type = SubscriptionType::Premium;
    }
    user
}

pub fn john() -> User {
    let data = UserData {
        id: JOHN,
        email: JOHNS_EMAIL.to_owned(),
        name: "John Doe".to_owned(),
        auth_provider: AuthProvider::Google,
        external_id: JOHNS_GOOGLE_ID.to_owned(),
        account_status: "active".to_owned(),
        consents: Consents {
            medical_disclaimers: true,
            terms_of_service: true,
            privacy_policy: true,
            consent_version: Some("v2.1.0".to_owned()),
            consent_date: Some("2025-09-27T10:00:00Z".to_owned()),
            ip_address: Some("192.168.1.100".to_owned()),
            user_agent: Some("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)".to_owned()),
        },
        current_device: Some(Device {
            device_id: "iphone-123-abc-def".to_owned(),
            device_name: "iPhone 15 Pro".to_owned(),
            platform: "ios".to_owned(),
            platform_version: "17.0.1".to_owned(),
            app_version: "1.2.3".to_owned(),
            biometric_type: "faceid".to_owned(),
            device_fingerprint: "a8c5d2e9f7b1c4e8".to_owned(),
            last_active_at: "2025-09-27T10:30:00Z".to_owned(),
            timezone: "America/New_York".to_owned(),
        }),
        current_session: Some(session("sess_abc123def456")),
        biometric: Some(Biometric {
            registration_id: "bio_reg_faceid_123".to_owned(),
            biometric_type: "faceid".to_owned(),
            is_verified: true,
            verification_level: "high".to_owned(),
            challenge_data: "encrypted_challenge_blob".to_owned(),
            challenge_expires_at: "2025-09-27T11:00:00Z".to_owned(),
            last_verification_at: "2025-09-27T10:00:00Z".to_owned(),
            failure_count: 0,
            locked_until: None,
        }),
        subscription: subscription(),
    };
    User {
        data,
        created_at: "2025-09-27T10:00:00Z".to_owned(),
        updated_at: text(now()),
        ttl: Some(1_759_095_652),
    }
}

pub fn session(id: &str) -> CurrentSession {
    CurrentSession {
        session_id: id.to_owned(),
        access_token_hash: "sha256_hash_of_access_token".to_owned(),
        refresh_token_hash: "sha256_hash_of_refresh_token".to_owned(),
        issued_at: "2025-09-27T10:00:00Z".to_owned(),
        expires_at: "2025-09-28T10:00:00Z".to_owned(),
        last_accessed_at: "2025-09-27T15:45:00Z".to_owned(),
        biometric_expires_at: "2025-10-04T10:00:00Z".to_owned(),
        user_agent: "SerenyaApp/1.2.3 (iPhone15,2; iOS 17.0.1)".to_owned(),
        source_ip: "192.168.1.100".to_owned(),
    }
}

pub fn subscription() -> Subscription {
    Subscription {
        subscription_id: "sub_free_123".to_owned(),
        subscription_type: SubscriptionType::Free,
        subscription_status: "active".to_owned(),
        provider: "internal".to_owned(),
        external_subscription_id: None,
        start_date: "2025-09-27T00:00:00Z".to_owned(),
        end_date: "2025-10-27T00:00:00Z".to_owned(),
        auto_renew: Some(true),
        trial_period_days: Some(0),
        grace_period_days: Some(7),
        usage_current_period: Usage {
            documents_processed: 2,
            period_start: "2025-09-01T00:00:00Z".to_owned(),
            period_end: "2025-09-30T23:59:59Z".to_owned(),
        },
    }
}

/// The document's payment, and one of every user on each of the twelve days before it.
pub fn payments() -> Vec<Payment> {
    let days = |n: u128| (0..DAYS).map(move |day| payment(n, day));
    let others = (1..USERS).flat_map(days);
    let johns = (1..=DAYS).map(johns_payment);
    let mut payments = vec![johns_payment(0)];
    payments.extend(johns);
    payments.extend(others);
    payments
}

/// What John paid so many days before the document's payment.
pub fn johns_payment(days: i8) -> Payment {
    let id = match days {
        0 => "payment-abc-123".to_owned(),
        days => format!("payment-{days:02}"),
    };
    paid(JOHN, date(2025, 9, 27 - days), id)
}

fn payment(n: u128, day: i8) -> Payment {
    paid(
        user_id(n),
        date(2025, 9, 15 + day),
        format!("payment-{n}-{day:02}"),
    )
}

/// The document's payment, of another user, day and id.
pub fn paid(user_id: Uuid, date: Date, payment_id: String) -> Payment {
    Payment {
        date,
        data: PaymentData {
            payment_id,
            user_id,
            subscription_id: "sub_premium_456".to_owned(),
            amount: 9.99,
            currency: "USD".to_owned(),
            payment_status: "completed".to_owned(),
            payment_method: "apple_pay".to_owned(),
            provider_transaction_id: "apple_pay_transaction_123456".to_owned(),
            provider_receipt_data: "base64_encoded_receipt".to_owned(),
            provider_sandbox: false,
            initiated_at: format!("{date}T10:00:00Z"),
            processed_at: format!("{date}T10:15:00Z"),
            platform: "ios".to_owned(),
            app_version: "1.2.3".to_owned(),
            refund_status: None,
            refund_amount: None,
            refunded_at: None,
            refund_reason: None,
        },
        created_at: format!("{date}T10:15:00Z"),
        updated_at: text(now()),
    }
}

/// The document's settings, and their next version.
pub fn configs() -> Vec<SystemConfig> {
    ["v1", "v2"].map(config).into()
}

pub fn config(version: &str) -> SystemConfig {
    SystemConfig {
        data: ConfigData {
            config_key: "app_settings".to_owned(),
            version: version.to_owned(),
            features: Features {
                biometric_auth_enabled: true,
                apple_signin_enabled: true,
                google_signin_enabled: true,
                premium_subscriptions_enabled: true,
                document_processing_enabled: true,
            },
            limits: Limits {
                max_file_size_mb: 10,
                max_files_per_upload: 5,
                session_timeout_hours: 24,
                biometric_timeout_days: 7,
            },
            services: Services {
                anthropic_api_timeout_ms: 30_000,
                apple_signin_timeout_ms: 15_000,
                google_signin_timeout_ms: 15_000,
            },
        },
        created_at: "2025-09-27T00:00:00Z".to_owned(),
        updated_at: text(now()),
    }
}
