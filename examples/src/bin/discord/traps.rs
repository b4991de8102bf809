//! Five places where the design does not do what it says, as DynamoDB itself shows, and the way out of each.

use crate::model::{Connection, Discord};
use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use dyna_examples::Designed;
use dyna_runtime::codec::Item;
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
    Server(AnyServer),
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
pub struct AnyServer {
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
    let scan = db.client().scan().table_name(db.name()?);
    let scan = scan.consistent_read(true);
    let mut items = scan.into_paginator().items().send();
    let mut batch = Vec::new();
    while let Some(item) = items.next().await {
        batch.push(put(item.map_err(failed)?));
        if batch.len() == 25 {
            write(wider, std::mem::take(&mut batch)).await?;
        }
    }
    write(wider, batch).await
}

fn put(item: Item) -> WriteRequest {
    let put = PutRequest::builder().set_item(Some(item)).build();
    WriteRequest::builder().set_put_request(put.ok()).build()
}

/// Writes a batch, and again what DynamoDB leaves undone of it.
async fn write(wider: &Table<Wider>, mut batch: Vec<WriteRequest>) -> Result<()> {
    let name = wider.name()?;
    while !batch.is_empty() {
        let request = wider.client().batch_write_item();
        let answer = request.request_items(name, batch).send().await;
        let left = answer.map_err(failed)?.unprocessed_items;
        batch = left
            .and_then(|mut left| left.remove(name))
            .unwrap_or_default();
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

pub const CONNECTIONS: Designed = Designed {
    index: None,
    condition: "pk = :p AND begins_with(sk, :s)",
    values: &[(":p", "CHANNEL#01JGSTEST003"), (":s", "CONN#")],
};

/// Get connections in channel, without those that have expired: DynamoDB may take days to delete them, and whoever pushes to one in the
/// meantime pushes to no one.
pub async fn live_connections_in_channel(
    db: &Table<Discord>,
    channel_id: &str,
) -> Result<Vec<Connection>> {
    Connection::query(channel_id).skip_expired().all(db).await
}
