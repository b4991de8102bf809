//! The items of the document, as its text has them, and what the model makes of them.

use super::with_samples;
use crate::model::{Account, PuteaMatai, Tag, Transaction, Upload, User};
use crate::sample::{EVERYDAY, GROCERIES, USER};
use dyna_examples::{item, stored, written_back};
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{DynaEntity, Get};
use jiff::civil::date;

const USER_ITEM: &str = r#"{
  "PK": "USER#user-1234abcd",
  "SK": "@PROFILE",
  "email": "user@example.com",
  "preferences": {
    "currency": "NZD",
    "timezone": "Pacific/Auckland"
  }
}"#;

const ACCOUNT_ITEM: &str = r#"{
  "PK": "USER#user-1234abcd",
  "SK": "ACCOUNT#account-5678efgh",
  "name": "Everyday Checking",
  "currency": "NZD",
  "createdAt": "2023-05-01T12:00:00Z"
}"#;

const TAG_ITEM: &str = r#"{
  "PK": "USER#user-1234abcd",
  "SK": "TAG#tag-001",
  "text": "Groceries"
}"#;

const TRANSACTION_ITEM: &str = r#"{
  "PK": "USER#user-1234abcd#ACCOUNT#5678efgh#2025-08",
  "SK": "TRANSACTION#2025-08-13#txn-abc123",
  "amount": 150.75,
  "currency": "NZD",
  "merchant": "Supermarket X",
  "tagIds": ["tag-001"],
  "tags": ["Groceries"],
  "date": "2025-08-13",
  "notes": "Weekly shopping",
  "annotations": [
    {
      "annotationId": "ann-456def",
      "text": "Expected increase in grocery costs next month",
      "type": "advisory",
      "createdAt": "2025-08-14T09:00:00Z"
    }
  ]
}"#;

const UPLOAD_ITEM: &str = r#"{
  "PK": "USER#user-1234abcd#ACCOUNT#5678efgh",
  "SK": "UPLOAD#upload-789xyz",
  "uploadedAt": "2025-08-15T14:30:00Z",
  "dateRange": {
    "start": "2025-07-01",
    "end": "2025-07-31"
  },
  "s3ObjectKey": "uploads/user-1234abcd/account-5678efgh/statement-2025-07.csv",
  "status": "processed"
}"#;

/// An item of the document is read as an entity, and written again attribute by attribute as it was.
async fn holds<E: DynaEntity + Replaceable>(text: &str, get: Get<E>)
where
    PuteaMatai: HasEntity<E>,
{
    let designed = item(text).unwrap();
    let again = written_back::<PuteaMatai, E>(&designed, get).await;
    assert_eq!(again.unwrap(), Some(designed));
}

#[tokio::test]
async fn the_items_of_the_document_are_stored_as_they_are() {
    holds(USER_ITEM, User::get(USER)).await;
    holds(ACCOUNT_ITEM, Account::get(USER, EVERYDAY)).await;
    holds(TAG_ITEM, Tag::get(USER, GROCERIES)).await;
    let day = date(2025, 8, 13);
    let shopping = Transaction::get(USER, "5678efgh", day, "txn-abc123");
    holds(TRANSACTION_ITEM, shopping).await;
    let july = Upload::get(USER, "5678efgh", "upload-789xyz");
    holds(UPLOAD_ITEM, july).await;
}

#[tokio::test]
async fn the_program_writes_the_items_of_the_document_under_the_id_of_the_account() {
    let db = with_samples().await;
    let items = [
        USER_ITEM,
        ACCOUNT_ITEM,
        TAG_ITEM,
        TRANSACTION_ITEM,
        UPLOAD_ITEM,
    ];
    for text in items {
        let text = text.replace("#ACCOUNT#5678efgh", "#ACCOUNT#account-5678efgh");
        let designed = item(&text).unwrap();
        let found = stored(&db, &designed).await.unwrap();
        assert_eq!(found, Some(designed));
    }
}
