//! Four places where the design does not do what it says, as DynamoDB itself shows, and the way out of each.

use crate::model::Discord;
use dyna_examples::Designed;
use dyna_runtime::{DynaEntity, DynaTable, Error, Result, Table};
use serde::{Deserialize, Serialize};

/// The table with one index more: gsi1 turned around. Its keys are attributes that every item already has, so no item
/// changes, and DynamoDB fills such an index by itself when it is added to a live table.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "discord-clone-{stage}-DiscordTable",
    pk = "pk",
    sk = "sk",
    tag = "entityType",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(turned, pk = "gsi1sk", sk = "gsi1pk")
)]
pub enum Wider {
    Server(ListedServer),
    Connection(OpenConnection),
}

/// What a list of servers shows of each. It is there to be read: to put it would drop what it leaves out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Wider,
    tag = "Server",
    pk = "SERVER#<server_id>",
    sk = "META",
    gsi1(as = by_id, pk = "SERVER#<server_id>", sk = "META"),
    turned(as = everywhere, pk = "META", sk = "SERVER#<server_id>"),
)]
pub struct ListedServer {
    pub server_id: String,
    pub name: String,
}

/// What it takes to push to a user, on every open connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Wider,
    tag = "Connection",
    pk = "CHANNEL#<channel_id>",
    sk = "CONN#<connection_id>",
    gsi1(as = by_id, pk = "CONN#<connection_id>", sk = "USER#<user_id>"),
    turned(as = of_user, pk = "USER#<user_id>", sk = "CONN#<connection_id>"),
)]
pub struct OpenConnection {
    pub connection_id: String,
    pub channel_id: String,
    pub user_id: String,
    pub ttl: u64,
}

/// Copies every item as it is.
pub async fn copy(db: &Table<Discord>, wider: &Table<Wider>) -> Result<()> {
    let items = db.client().scan().table_name(db.name()?).send().await;
    for item in items.map_err(failed)?.items.unwrap_or_default() {
        let put = wider.client().put_item().table_name(wider.name()?);
        put.set_item(Some(item)).send().await.map_err(failed)?;
    }
    Ok(())
}

fn failed(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::from(error.into())
}

pub const ALL_SERVERS: Designed = Designed {
    index: Some("gsi1"),
    condition: "begins_with(gsi1pk, :p)",
    values: &[(":p", "SERVER#")],
};

pub const OF_USER: Designed = Designed {
    index: Some("gsi1"),
    condition: "gsi1pk = :p",
    values: &[(":p", "USER#01JGSTEST001")],
};

pub const CHANNEL: Designed = Designed {
    index: Some("gsi1"),
    condition: "gsi1pk = :p",
    values: &[(":p", "CHANNEL#01JGSTEST003")],
};

pub const AFTER: Designed = Designed {
    index: None,
    condition: "pk = :p AND sk > :s",
    values: &[(":p", "CHANNEL#01JGSTEST003"), (":s", "MSG#1735257609000#")],
};
