//! A ledger that a program writes with boto3: `boto3_items.py` has the same items.

use crate::Model;
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Result, Table};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeSet;

/// The table.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "boto3-{copy}",
    pk = "PK",
    sk = "SK",
    tag = "type",
    index(gsi1, name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")
)]
pub enum Ledger {
    /// `account`
    Account(Account),
    /// `entry`
    Entry(Entry),
}

/// An account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Ledger, tag = "account", pk = "ACCOUNT#<account_id>", sk = "#META")]
pub struct Account {
    account_id: String,
    opened: String,
    #[serde(with = "dyna_runtime::serde::decimal")]
    limit: Decimal,
    /// `None` in Python is stored as NULL.
    #[dyna(nulls = "store")]
    closed: Option<String>,
    active: bool,
    #[serde(default, with = "dyna_runtime::serde::string_set")]
    owners: Option<BTreeSet<String>>,
    #[serde(default, with = "dyna_runtime::serde::number_set")]
    pins: Option<BTreeSet<Pin>>,
    #[serde(default, with = "dyna_runtime::serde::binary_set")]
    blobs: Option<BTreeSet<ByteBuf>>,
    logo: Option<ByteBuf>,
    settings: Option<Settings>,
    score: Option<f64>,
}

/// A number in a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Pin(#[serde(with = "dyna_runtime::serde::decimal")] Decimal);

/// What an account is set to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Settings {
    theme: String,
    limits: Vec<Option<f64>>,
    empty: Empty,
}

/// A map without entries.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Empty {}

/// An entry of an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Ledger,
    tag = "entry",
    pk = "ACCOUNT#<account_id>",
    sk = "ENTRY#<at>#<entry_id>",
    gsi1(as = by_id, pk = "ENTRY#<entry_id>", sk = "<at>"),
)]
pub struct Entry {
    account_id: String,
    at: String,
    entry_id: String,
    #[serde(with = "dyna_runtime::serde::decimal")]
    amount: Decimal,
    memo: Option<String>,
    tags: Option<Vec<String>>,
}

impl Model for Ledger {
    const LIBRARY: &'static str = "boto3";

    async fn read_all(db: &Table<Self>) -> Result<Vec<Self>> {
        Self::scan().consistent().all(db).await
    }

    async fn write_back(self, db: &Table<Self>) -> Result<()> {
        match self {
            Self::Account(account) => account.put().send(db).await,
            Self::Entry(entry) => entry.put().send(db).await,
        }
    }

    async fn change(db: &Table<Self>) -> Result<()> {
        Account::update("a1")
            .set(Account::LIMIT, Decimal::from(2000))
            .set(Account::SETTINGS.field(Settings::THEME), "light")
            .remove(Account::BLOBS)
            .send(db)
            .await?;
        let at = "2026-11-18T03:04:05Z";
        let less = Entry::update("a1", at, "e1").add(Entry::AMOUNT, Decimal::new(-66, 2));
        less.send(db).await?;
        Entry::delete("a2", "2026-11-18T03:04:07Z", "e3")
            .send(db)
            .await?;
        let account = Account {
            account_id: "a3".into(),
            opened: "2026-11-18T03:04:05.678901+00:00".into(),
            limit: Decimal::new(5, 1),
            closed: None,
            active: true,
            owners: Some(BTreeSet::from(["cy".into()])),
            pins: None,
            blobs: None,
            logo: None,
            settings: None,
            score: None,
        };
        account.create().send(db).await?;
        let entry = Entry {
            account_id: "a3".into(),
            at: "2026-11-18T09:10:11Z".into(),
            entry_id: "e4".into(),
            amount: Decimal::from(5),
            memo: Some("gift".into()),
            tags: None,
        };
        entry.create().send(db).await
    }
}
