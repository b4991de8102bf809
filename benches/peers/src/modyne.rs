//! modyne 0.3: entities whose keys are written out, over `serde_dynamo`.

use dyna_benches::caller::Caller;
use dyna_benches::fixture::Reaction;
use dyna_benches::shapes::{self, same};
use dyna_benches::works::requests::{BATCH, PAGES, UNDONE_NOTHING, WRITTEN};
use dyna_benches::{Contestant, message};
use modyne::expr::KeyCondition;
use modyne::model::BatchWrite;
use modyne::{
    Aggregate, Entity, EntityDef, EntityExt, Error, Item, ProjectionExt, QueryInput, QueryInputExt,
    Table, keys,
};
use serde::{Deserialize, Serialize};

const PEER: &str = "modyne";

pub struct Chat(aws_sdk_dynamodb::Client);

impl Table for Chat {
    type PrimaryKey = Key;
    type IndexKeys = ();

    fn table_name(&self) -> &str {
        "chat"
    }

    fn client(&self) -> &aws_sdk_dynamodb::Client {
        &self.0
    }
}

#[derive(Debug, Serialize)]
pub struct Key {
    pk: String,
    sk: String,
}

impl keys::PrimaryKey for Key {
    const PRIMARY_KEY_DEFINITION: keys::PrimaryKeyDefinition = keys::PrimaryKeyDefinition {
        hash_key: "pk",
        range_key: Some("sk"),
    };
}

impl keys::Key for Key {
    const DEFINITION: keys::KeyDefinition =
        <Self as keys::PrimaryKey>::PRIMARY_KEY_DEFINITION.into_key_definition();
}

message! {
    /// A message.
    #[derive(Debug, Clone, Serialize, Deserialize, EntityDef)]
    #[serde(rename = "Message")]
    Reaction
}

impl Entity for Message {
    type KeyInput<'a> = (&'a str, u64, &'a str);
    type Table = Chat;
    type IndexKeys = ();

    fn primary_key((channel_id, sent_ms, message_id): Self::KeyInput<'_>) -> Key {
        Key {
            pk: format!("CHANNEL#{channel_id}"),
            sk: format!("MSG#{sent_ms:013}#{message_id}"),
        }
    }

    fn full_key(&self) -> keys::FullKey<Key, Self::IndexKeys> {
        let key = (&*self.channel_id, self.sent_ms, &*self.message_id);
        keys::FullKey {
            primary: Self::primary_key(key),
            indexes: (),
        }
    }
}

struct InChannel(&'static str);

impl QueryInput for InChannel {
    type Index = Key;
    type Aggregate = Vec<Message>;

    fn key_condition(&self) -> KeyCondition<Key> {
        KeyCondition::in_partition(format!("CHANNEL#{}", self.0)).begins_with("MSG#")
    }
}

pub(crate) fn contestant(work: &str) -> Option<Contestant> {
    match work {
        "get/14-fields" => Some(get()),
        "put/14-fields" => Some(put()),
        "batch/25" => Some(batch()),
        _ => PAGES
            .into_iter()
            .find(|count| work == format!("query/{count}"))
            .map(query),
    }
}

fn messages(count: usize) -> Vec<Message> {
    shapes::messages(count).into_iter().map(same).collect()
}

fn sample() -> Message {
    messages(1).remove(0)
}

fn get() -> Contestant {
    let message = sample();
    let caller = Caller::new(shapes::answer(&shapes::messages(1)[0]));
    let table = Chat(caller.client.clone());
    caller.reading(PEER, async move || {
        let key = (&*message.channel_id, message.sent_ms, &*message.message_id);
        let output = Message::get(key)
            .execute(&table)
            .await
            .expect("the answer is right");
        output
            .item
            .map(|item| Message::from_item(item).expect("it was written"))
    })
}

fn put() -> Contestant {
    let caller = Caller::new(WRITTEN);
    let table = Chat(caller.client.clone());
    caller.writing(PEER, sample, async move |message: Message| {
        message
            .put()
            .execute(&table)
            .await
            .expect("the answer is right");
    })
}

fn batch() -> Contestant {
    let caller = Caller::new(UNDONE_NOTHING);
    let table = Chat(caller.client.clone());
    caller.writing(
        PEER,
        || messages(BATCH),
        async move |messages: Vec<Message>| {
            let puts = messages.into_iter().map(EntityExt::put);
            let batch = puts.fold(BatchWrite::new(), BatchWrite::operation);
            batch.execute(&table).await.expect("the answer is right");
        },
    )
}

fn query(count: usize) -> Contestant {
    let caller = Caller::new(shapes::page(&shapes::messages(count)));
    let table = Chat(caller.client.clone());
    caller.reading(PEER, async move || {
        let output = InChannel("general-4711").query().execute(&table).await;
        let items = output
            .expect("the answer is right")
            .items
            .unwrap_or_default();
        let mut messages = Vec::new();
        reduce(&mut messages, items).expect("it was written");
        messages
    })
}

fn reduce(messages: &mut Vec<Message>, items: Vec<Item>) -> Result<(), Error> {
    Aggregate::reduce(messages, items)
}
