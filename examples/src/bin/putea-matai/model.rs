//! The table of `PūteaMātai`, a personal finance application: five entities and no index.
//!
//! The ids have no attributes of their own: they are in the keys alone, and read back from them. Nor does an item say what it is: its key
//! does. What the document leaves open is text here: it names one `status` of uploads and one `type` of annotations.
//!
//! What it says in two ways, or DynamoDB does in another, and what is done here (the program shows each):
//!
//! - `SK between TRANSACTION#<startDate> and TRANSACTION#<endDate>` leaves the last day out: the key of each transaction goes on after its
//!   date. A range of `date` is exact at both ends.
//! - `SK between 'TAG#' and 'TAG#\uffff'` leaves out what sorts after U+FFFF, as emoji do. The tags are what begins with `TAG#`.
//! - Its account is `account-5678efgh`; its transaction and its upload are of the account `5678efgh`. Here all have the account's own id.
//! - Nothing keeps `#` out of a user's id, and `USER#<userId>` is also the beginning of the keys of accounts. Dyna refuses such an id.
//! - `txn-abc123` is of 13 August, and in the summary of the 1st: an id is unique on its day only, and a date that is changed is a
//!   move to another key ([`crate::changes::redate`]).
//! - `tags` are copies of the tags' texts, which do not follow when a tag is renamed; `tagIds` are what counts. The diagram has only the
//!   copies.
//! - The diagram gives each user one account and one tag (`||--||`); the text means many.

#![expect(
    clippy::struct_field_names,
    reason = "fields have the names of the attributes"
)]

use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Everything that lives in the table.
///
/// The document does not name it.
#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "putea-matai-{stage}", pk = "PK", sk = "SK")]
pub enum PuteaMatai {
    User(User),
    Account(Account),
    Tag(Tag),
    Transaction(Transaction),
    Upload(Upload),
}

/// Who is signed in, under the id that Cognito gave. `@` sorts before all letters, so the profile is the first of its partition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = PuteaMatai, pk = "USER#<user_id>", sk = "@PROFILE")]
pub struct User {
    #[dyna(key_only)]
    pub user_id: String,
    pub email: String,
    pub preferences: Preferences,
}

/// How a user likes to see amounts and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preferences {
    pub currency: String,
    pub timezone: String,
}

/// A bank account of a user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(table = PuteaMatai, pk = "USER#<user_id>", sk = "ACCOUNT#<account_id>")]
pub struct Account {
    #[dyna(key_only)]
    pub user_id: String,
    #[dyna(key_only)]
    pub account_id: String,
    pub name: String,
    pub currency: String,
    pub created_at: Timestamp,
}

/// What a transaction can be filed under.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = PuteaMatai, pk = "USER#<user_id>", sk = "TAG#<tag_id>")]
pub struct Tag {
    #[dyna(key_only)]
    pub user_id: String,
    #[dyna(key_only)]
    pub tag_id: String,
    pub text: String,
}

/// Money that came or went. Each month of an account is a partition, which is computed from the date.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = PuteaMatai,
    pk = "USER#<user_id>#ACCOUNT#<account_id>#<date:%Y-%m>",
    sk = "TRANSACTION#<date>#<transaction_id>"
)]
pub struct Transaction {
    #[dyna(key_only)]
    pub user_id: String,
    #[dyna(key_only)]
    pub account_id: String,
    #[dyna(key_only)]
    pub transaction_id: String,
    pub date: Date,
    #[serde(with = "dyna_runtime::serde::decimal")]
    pub amount: Decimal,
    pub currency: String,
    pub merchant: String,
    pub tag_ids: Vec<String>,
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    #[serde(default)]
    pub annotations: Vec<Annotation>,
}

/// A remark on a transaction, stored inside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotation {
    pub annotation_id: String,
    pub text: String,
    pub r#type: String,
    pub created_at: Timestamp,
}

/// A bank statement in S3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = PuteaMatai,
    pk = "USER#<user_id>#ACCOUNT#<account_id>",
    sk = "UPLOAD#<upload_id>"
)]
pub struct Upload {
    #[dyna(key_only)]
    pub user_id: String,
    #[dyna(key_only)]
    pub account_id: String,
    #[dyna(key_only)]
    pub upload_id: String,
    pub uploaded_at: Timestamp,
    pub date_range: DateRange,
    pub s3_object_key: String,
    pub status: String,
}

/// The days of a statement, the last one included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DateRange {
    pub start: Date,
    pub end: Date,
}

/// What the application needs when it starts: everything in the partition of a user, the profile first.
#[derive(Debug, Clone, PartialEq, Serialize, DynaCollection)]
pub enum Startup {
    Profile(User),
    Account(Account),
    Tag(Tag),
}
