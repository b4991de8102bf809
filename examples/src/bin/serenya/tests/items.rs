//! The items of the document, as its text has them, and what the model makes of them.

use crate::answers::NEW;
use crate::later;
use crate::model::{Payment, Serenya, SystemConfig, User};
use crate::patterns::new_user;
use crate::sample::{self, JOHN};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_examples::{item, stored};
use dyna_runtime::codec::Item;
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{DynaEntity, DynaTable, Get, Put, Table};
use jiff::civil::date;

const USER: &str = r#"{
  "PK": "USER#ac5cada7-7b1f-4673-b2b1-089f3e308363",
  "SK": "PROFILE",
  "GSI1PK": "USER_EMAIL#a8f5c7e2d9b1c0e4f7a8d2c5b9e1f4a7c2e8b5d1f9c3a6e0d7b4f1a9c8e5b2d6",
  "GSI1SK": "PROFILE",
  "GSI2PK": "USER_EXTERNAL#google#113426185144286227617",
  "GSI2SK": "PROFILE",
  "entity_type": "user",
  "data": {
    "id": "ac5cada7-7b1f-4673-b2b1-089f3e308363",
    "email": "user@example.com",
    "name": "John Doe",
    "auth_provider": "google",
    "external_id": "113426185144286227617",
    "account_status": "active",
    "consents": {
      "medical_disclaimers": true,
      "terms_of_service": true,
      "privacy_policy": true,
      "consent_version": "v2.1.0",
      "consent_date": "2025-09-27T10:00:00Z",
      "ip_address": "192.168.1.100",
      "user_agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)"
    },
    "current_device": {
      "device_id": "iphone-123-abc-def",
      "device_name": "iPhone 15 Pro",
      "platform": "ios",
      "platform_version": "17.0.1",
      "app_version": "1.2.3",
      "biometric_type": "faceid",
      "device_fingerprint": "a8c5d2e9f7b1c4e8",
      "last_active_at": "2025-09-27T10:30:00Z",
      "timezone": "America/New_York"
    },
    "current_session": {
      "session_id": "sess_abc123def456",
      "access_token_hash": "sha256_hash_of_access_token",
      "refresh_token_hash": "sha256_hash_of_refresh_token",
      "issued_at": "2025-09-27T10:00:00Z",
      "expires_at": "2025-09-28T10:00:00Z",
      "last_accessed_at": "2025-09-27T15:45:00Z",
      "biometric_expires_at": "2025-10-04T10:00:00Z",
      "user_agent": "SerenyaApp/1.2.3 (iPhone15,2; iOS 17.0.1)",
      "source_ip": "192.168.1.100"
    },
    "biometric": {
      "registration_id": "bio_reg_faceid_123",
      "biometric_type": "faceid",
      "is_verified": true,
      "verification_level": "high",
      "challenge_data": "encrypted_challenge_blob",
      "challenge_expires_at": "2025-09-27T11:00:00Z",
      "last_verification_at": "2025-09-27T10:00:00Z",
      "failure_count": 0,
      "locked_until": null
    },
    "subscription": {
      "subscription_id": "sub_free_123",
      "subscription_type": "free",
      "subscription_status": "active",
      "provider": "internal",
      "external_subscription_id": null,
      "start_date": "2025-09-27T00:00:00Z",
      "end_date": "2025-10-27T00:00:00Z",
      "auto_renew": true,
      "trial_period_days": 0,
      "grace_period_days": 7,
      "usage_current_period": {
        "documents_processed": 2,
        "period_start": "2025-09-01T00:00:00Z",
        "period_end": "2025-09-30T23:59:59Z"
      }
    }
  },
  "created_at": "2025-09-27T10:00:00Z",
  "updated_at": "2025-09-27T15:45:00Z",
  "ttl": 1759095652
}"#;

const PAYMENT: &str = r#"{
  "PK": "USER#ac5cada7-7b1f-4673-b2b1-089f3e308363",
  "SK": "PAYMENT#2025-09-27#payment-abc-123",
  "entity_type": "payment",
  "data": {
    "payment_id": "payment-abc-123",
    "user_id": "ac5cada7-7b1f-4673-b2b1-089f3e308363",
    "subscription_id": "sub_premium_456",
    "amount": 9.99,
    "currency": "USD",
    "payment_status": "completed",
    "payment_method": "apple_pay",
    "provider_transaction_id": "apple_pay_transaction_123456",
    "provider_receipt_data": "base64_encoded_receipt",
    "provider_sandbox": false,
    "initiated_at": "2025-09-27T10:00:00Z",
    "processed_at": "2025-09-27T10:15:00Z",
    "platform": "ios",
    "app_version": "1.2.3",
    "refund_status": null,
    "refund_amount": null,
    "refunded_at": null,
    "refund_reason": null
  },
  "created_at": "2025-09-27T10:15:00Z",
  "updated_at": "2025-09-27T10:15:00Z"
}"#;

const CONFIG: &str = r#"{
  "PK": "SYSTEM#CONFIG",
  "SK": "APP_SETTINGS#v1",
  "entity_type": "system_config",
  "data": {
    "config_key": "app_settings",
    "version": "v1",
    "features": {
      "biometric_auth_enabled": true,
      "apple_signin_enabled": true,
      "google_signin_enabled": true,
      "premium_subscriptions_enabled": true,
      "document_processing_enabled": true
    },
    "limits": {
      "max_file_size_mb": 10,
      "max_files_per_upload": 5,
      "session_timeout_hours": 24,
      "biometric_timeout_days": 7
    },
    "services": {
      "anthropic_api_timeout_ms": 30000,
      "apple_signin_timeout_ms": 15000,
      "google_signin_timeout_ms": 15000
    }
  },
  "created_at": "2025-09-27T00:00:00Z",
  "updated_at": "2025-09-27T10:00:00Z"
}"#;

/// What the document's code of `createUser` writes, which leaves out some of what its sample has.
const CREATED: &str = r#"{
  "PK": "USER#00000000-0000-0000-0000-000000000100",
  "SK": "PROFILE",
  "GSI1PK": "USER_EMAIL#f0030501023327437b06e5c6f87df7871b8e704ae608d1d0b7b24fdd2a06c716",
  "GSI1SK": "PROFILE",
  "GSI2PK": "USER_EXTERNAL#google#999",
  "GSI2SK": "PROFILE",
  "entity_type": "user",
  "data": {
    "id": "00000000-0000-0000-0000-000000000100",
    "email": "new@example.com",
    "name": "New",
    "auth_provider": "google",
    "external_id": "999",
    "account_status": "active",
    "consents": {
      "medical_disclaimers": false,
      "terms_of_service": false,
      "privacy_policy": false,
      "consent_version": null,
      "consent_date": null
    },
    "current_device": null,
    "current_session": null,
    "biometric": null,
    "subscription": {
      "subscription_id": "sub_free_00000000-0000-0000-0000-000000000100",
      "subscription_type": "free",
      "subscription_status": "active",
      "provider": "internal",
      "start_date": "2025-09-27T15:45:00.000Z",
      "end_date": "2026-09-27T15:45:00.000Z",
      "usage_current_period": {
        "documents_processed": 0,
        "period_start": "2025-09-27T15:45:00.000Z",
        "period_end": "2025-10-27T15:45:00.000Z"
      }
    }
  },
  "created_at": "2025-09-27T15:45:00.000Z",
  "updated_at": "2025-09-27T15:45:00.000Z",
  "ttl": 1759074300
}"#;

#[tokio::test]
async fn a_user_is_created_as_the_code_of_the_document_does_it() {
    let user = new_user(NEW, sample::now());
    let read = Serenya::from_item(item(CREATED).unwrap()).unwrap();
    assert_eq!(read, Serenya::User(user.clone()));

    let db = table().await;
    user.create().send(&db).await.unwrap();
    let mut written = stored(&db, &item(CREATED).unwrap()).await.unwrap().unwrap();
    let mut designed = item(CREATED).unwrap();
    // What is NULL in the sample, and not there in the code.
    let data = |item: &mut Item| match item.remove("data") {
        Some(AttributeValue::M(data)) => data,
        _ => panic!("`data` is a map"),
    };
    let (mut ours, theirs) = (data(&mut written), data(&mut designed));
    if let Some(AttributeValue::M(subscription)) = ours.get_mut("subscription") {
        let null = subscription.remove("external_subscription_id");
        assert_eq!(null, Some(AttributeValue::Null(true)));
    }
    assert_eq!((written, ours), (designed, theirs));
}

async fn table() -> Table<Serenya> {
    later(&Serenya::embedded().await.unwrap(), 0)
}

/// What the program writes now: with the time of the write, in milliseconds.
fn as_written(json: &str) -> Item {
    let mut item = item(json).unwrap();
    let now = AttributeValue::S("2025-09-27T15:45:00.000Z".to_owned());
    item.insert("updated_at".to_owned(), now);
    if item.contains_key("GSI1PK") {
        // The SHA-256 of user@example.com.
        let hash = "b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514";
        let email = AttributeValue::S(format!("USER_EMAIL#{hash}"));
        item.insert("GSI1PK".to_owned(), email);
    }
    item
}

/// An item of the document is read as an entity, and written again in its place attribute by attribute as it was.
async fn holds<E: DynaEntity + Replaceable>(json: &str, get: Get<E>)
where
    Serenya: HasEntity<E>,
{
    let db = table().await;
    let put = db.client().put_item().table_name(db.name().unwrap());
    let designed = item(json).unwrap();
    put.set_item(Some(designed.clone())).send().await.unwrap();
    let entity = get.send(&db).await.unwrap().unwrap();
    Put::new(&entity).send(&db).await.unwrap();
    let found = stored(&db, &designed).await.unwrap();
    assert_eq!(found, Some(as_written(json)));
}

#[tokio::test]
async fn the_items_of_the_document_are_stored_as_they_are() {
    holds(USER, User::get(JOHN)).await;
    let payment = Payment::get(JOHN, date(2025, 9, 27), "payment-abc-123");
    holds(PAYMENT, payment).await;
    holds(CONFIG, SystemConfig::get("app_settings", "v1")).await;
}

#[tokio::test]
async fn the_program_writes_the_items_of_the_document() {
    let db = table().await;
    sample::write(&db).await.unwrap();
    for json in [USER, PAYMENT, CONFIG] {
        let designed = as_written(json);
        let found = stored(&db, &designed).await.unwrap();
        assert_eq!(found, Some(designed));
    }
}

#[tokio::test]
async fn the_table_is_the_one_of_the_document() {
    let db = table().await;
    let name = db.name().unwrap();
    let table = db.client().describe_table().table_name(name).send().await;
    let table = table.unwrap().table.unwrap();
    let keys = |schema: &[aws_sdk_dynamodb::types::KeySchemaElement]| {
        let names = schema.iter().map(|e| e.attribute_name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(keys(table.key_schema()), ["PK", "SK"]);
    let mut indexes: Vec<_> = table
        .global_secondary_indexes()
        .iter()
        .map(|index| (index.index_name().unwrap(), keys(index.key_schema())))
        .collect();
    indexes.sort();
    let names = |pk: &str, sk: &str| vec![pk.to_owned(), sk.to_owned()];
    let expected = [
        ("GSI1-EmailLookup", names("GSI1PK", "GSI1SK")),
        ("GSI2-ExternalAuth", names("GSI2PK", "GSI2SK")),
    ];
    assert_eq!(indexes, expected);
    let ttl = db.client().describe_time_to_live().table_name(name).send();
    let ttl = ttl.await.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("ttl"));
}
