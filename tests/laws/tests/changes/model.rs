//! A table with a stream, and its records as the SDK has them.

use aws_sdk_dynamodbstreams::types::{Record, ShardIteratorType};
use dyna_runtime::codec::Item;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    tag = "type",
    ttl = "expires",
    stream = "new_and_old_images"
)]
pub(super) enum Chat {
    User(User),
    Message(Message),
}

/// The same table, read by a program that takes what it does not know.
#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(schema = Chat)]
pub(super) enum Any {
    User(User),
    Message(Message),
    #[dyna(unknown)]
    Other(Item),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "@")]
pub(super) struct User {
    pub(super) id: String,
    #[dyna(unique)]
    pub(super) mail: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "CHANNEL#<channel>", sk = "MSG#<n:04>")]
pub(super) struct Message {
    pub(super) channel: String,
    pub(super) n: u16,
    pub(super) text: String,
    #[dyna(ttl)]
    pub(super) expires: Option<u64>,
}

pub(super) fn message(n: u16, text: &str) -> Message {
    Message {
        channel: "general".to_owned(),
        n,
        text: text.to_owned(),
        expires: None,
    }
}

/// The table in an engine of its own.
pub(super) async fn opened<T: DynaTable>() -> (Embedded, Table<T>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<T>::embedded_in(&engine).await.unwrap();
    (engine, db)
}

/// All records of the table's stream.
pub(super) async fn records<T: DynaTable>(engine: &Embedded, db: &Table<T>) -> Vec<Record> {
    let table = db.client().describe_table().table_name(db.name().unwrap());
    let table = table.send().await.unwrap().table.unwrap();
    let arn = table.latest_stream_arn().unwrap();
    let streams = engine.streams_client();
    let stream = streams.describe_stream().stream_arn(arn).send().await;
    let stream = stream.unwrap().stream_description.unwrap();
    let mut records = Vec::new();
    for shard in stream.shards() {
        let iterator = streams.get_shard_iterator().stream_arn(arn);
        let iterator = iterator.shard_id(shard.shard_id().unwrap());
        let iterator = iterator.shard_iterator_type(ShardIteratorType::TrimHorizon);
        let iterator = iterator.send().await.unwrap().shard_iterator.unwrap();
        let page = streams.get_records().shard_iterator(iterator).send().await;
        records.extend(page.unwrap().records.unwrap_or_default());
    }
    records
}

/// Puts an item of other software.
pub(super) async fn put_raw<T: DynaTable>(db: &Table<T>, attributes: &[(&str, &str)]) {
    let mut put = db.client().put_item().table_name(db.name().unwrap());
    for (name, value) in attributes {
        put = put.item(
            *name,
            aws_sdk_dynamodb::types::AttributeValue::S((*value).to_owned()),
        );
    }
    put.send().await.unwrap();
}
