//! A team with its projects that `OneTable` writes: `onetable.mjs` has the same model.

use crate::{Difference, Model, State};
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The table.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "onetable-{copy}",
    pk = "pk",
    sk = "sk",
    tag = "_type",
    ttl = "expires",
    index(gs1, pk = "gs1pk", sk = "gs1sk")
)]
pub enum Team {
    /// `Account`
    Account(Account),
    /// `User`
    User(User),
    /// `Task`
    Task(Task),
}

/// An account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Team,
    pk = "account#<id>",
    sk = "account#",
    gs1(as = by_name, pk = "account#", sk = "account#<name>#<id>"),
)]
pub struct Account {
    id: String,
    #[dyna(unique(pk = "_unique#Account#name#<name>", sk = "_unique#", tag = "_Unique"))]
    name: String,
    status: Status,
    /// Where `map: "data.plan"` packs `plan` and `seats`.
    data: Option<Data>,
    balance: Option<f64>,
    #[dyna(created_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    created: Timestamp,
    #[dyna(updated_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    updated: Timestamp,
}

/// Whether an account is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
}

/// Packed properties.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Data {
    plan: String,
    seats: u32,
}

/// A user of an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Team,
    pk = "account#<account_id>",
    sk = "user#<email>",
    gs1(as = by_project, pk = "project#<project_id>", sk = "user#<email>"),
)]
pub struct User {
    account_id: String,
    email: String,
    /// Unique within an account: `scope`.
    #[dyna(unique(
        pk = "_unique#<account_id>#User#phone#<phone>",
        sk = "_unique#",
        tag = "_Unique"
    ))]
    phone: Option<String>,
    address: Option<Address>,
    roles: Option<Vec<String>>,
    #[serde(default, with = "dyna_runtime::serde::string_set")]
    skills: Option<BTreeSet<String>>,
    #[serde(default, with = "dyna_runtime::serde::rfc3339::option")]
    born: Option<Timestamp>,
    /// `OneTable` stores a `Buffer` as text in base64.
    photo: Option<String>,
    admin: Option<bool>,
    project_id: Option<String>,
    #[dyna(created_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    created: Timestamp,
    #[dyna(updated_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    updated: Timestamp,
}

/// Where a user lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Address {
    street: String,
    zip: Option<u32>,
}

/// A task of a project, whose id and name are in the key alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Team, pk = "project#<project_id>", sk = "task#<rank:06>#<name>")]
pub struct Task {
    #[dyna(key_only)]
    project_id: String,
    rank: u32,
    #[dyna(key_only)]
    name: String,
    done: bool,
    /// In seconds, as DynamoDB's TTL has it.
    #[dyna(ttl)]
    expires: Option<u64>,
    #[dyna(created_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    created: Timestamp,
    #[dyna(updated_at)]
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    updated: Timestamp,
}

/// A user without a project. The change gives one of them a project, and both libraries then store its key.
const fn half_a_key(key: &'static str, states: &'static [State]) -> Difference {
    Difference {
        states,
        key,
        attribute: "gs1sk",
        reason: "the sort key of an index without its partition key, which OneTable stores for an item that is not in the index",
    }
}

impl Model for Team {
    const LIBRARY: &'static str = "onetable";

    const DIFFERENCES: &'static [Difference] = &[
        half_a_key("account#a1 / user#bob@example.com", &[State::Written]),
        half_a_key(
            "account#a2 / user#dan@example.com",
            &[State::Written, State::Changed],
        ),
    ];

    async fn read_all(db: &Table<Self>) -> Result<Vec<Self>> {
        Self::scan().consistent().all(db).await
    }

    async fn write_back(self, db: &Table<Self>) -> Result<()> {
        match self {
            Self::Account(account) => account.create().send(db).await,
            Self::User(user) => user.create().send(db).await,
            Self::Task(task) => task.put().send(db).await,
        }
    }

    async fn change(db: &Table<Self>) -> Result<()> {
        Account::update("a1")
            .set(Account::BALANCE, 7.5)
            .send(db)
            .await?;
        if let Some(account) = Account::get("a2").send(db).await? {
            let update = Account::update_loaded(&account).set(Account::NAME, "Gamma");
            let update = update.set(Account::STATUS, Status::Active);
            update.send(db).await?;
        }
        let user = User::update("a1", "bob@example.com").set_by_project("p1");
        user.send(db).await?;
        let task = Task::update("p1", 7, "write").set(Task::DONE, true);
        task.send(db).await?;
        Task::delete("p1", 70, "test").send(db).await?;
        let (created, updated) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let account = Account {
            id: "a3".into(),
            name: "Delta".into(),
            status: Status::Active,
            data: Some(Data {
                plan: "free".into(),
                seats: 1,
            }),
            balance: None,
            created,
            updated,
        };
        account.create().send(db).await?;
        let user = User {
            account_id: "a3".into(),
            email: "cy@example.com".into(),
            phone: Some("+49 1".into()),
            address: None,
            roles: None,
            skills: Some(BTreeSet::from(["go".into()])),
            born: None,
            photo: None,
            admin: None,
            project_id: Some("p2".into()),
            created,
            updated,
        };
        user.create().send(db).await?;
        let task = Task {
            project_id: "p2".into(),
            rank: 123_456,
            name: "plan".into(),
            done: false,
            expires: Some(1_798_761_600),
            created,
            updated,
        };
        task.create().send(db).await
    }
}
