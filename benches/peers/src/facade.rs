//! dynamodb-facade 0.2: declarative macros, over `serde_dynamo`.

use dyna_benches::caller::Caller;
use dyna_benches::fixture::Reaction;
use dyna_benches::shapes::{self, same};
use dyna_benches::works::requests::{BATCH, PAGES, UNDONE_NOTHING, WRITTEN};
use dyna_benches::{Contestant, message};
use dynamodb_facade::explicit_client::{DynamoDBItemOp, dynamodb_batch_write};
use dynamodb_facade::{
    DynamoDBItemBatchOp, KeyId, StringAttribute, attribute_definitions, dynamodb_item,
    table_definitions,
};
use serde::{Deserialize, Serialize};

const PEER: &str = "dynamodb-facade";

attribute_definitions! {
    Pk { "pk": StringAttribute }
    Sk { "sk": StringAttribute }
    EntityType { "entity_type": StringAttribute }
}

table_definitions! {
    Chat {
        type PartitionKey = Pk;
        type SortKey = Sk;
        fn table_name() -> String { "chat".to_owned() }
    }
}

message! {
    /// A message.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    Reaction
}

dynamodb_item! {
    #[table = Chat]
    Message {
        #[partition_key]
        Pk {
            fn attribute_id(&self) -> &'id str { &self.channel_id }
            fn attribute_value(id) -> String { format!("CHANNEL#{id}") }
        }
        #[sort_key]
        Sk {
            fn attribute_id(&self) -> (u64, &'id str) { (self.sent_ms, &self.message_id) }
            fn attribute_value(id) -> String { format!("MSG#{:013}#{}", id.0, id.1) }
        }
        EntityType { const VALUE: &'static str = "Message"; }
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
    let client = caller.client.clone();
    caller.reading(PEER, async move || {
        let key = KeyId::pk(&*message.channel_id).sk((message.sent_ms, &*message.message_id));
        Message::get(client.clone(), key)
            .await
            .expect("the answer is right")
    })
}

fn put() -> Contestant {
    let caller = Caller::new(WRITTEN);
    let client = caller.client.clone();
    caller.writing(PEER, sample, async move |message: Message| {
        message
            .put(client.clone())
            .await
            .expect("the answer is right");
    })
}

fn batch() -> Contestant {
    let caller = Caller::new(UNDONE_NOTHING);
    let client = caller.client.clone();
    caller.writing(
        PEER,
        || messages(BATCH),
        async move |messages: Vec<Message>| {
            let puts: Vec<_> = messages
                .iter()
                .map(DynamoDBItemBatchOp::batch_put)
                .collect();
            dynamodb_batch_write::<Chat>(client.clone(), puts)
                .await
                .expect("the answer is right");
        },
    )
}

fn query(count: usize) -> Contestant {
    let caller = Caller::new(shapes::page(&shapes::messages(count)));
    let client = caller.client.clone();
    caller.reading(PEER, async move || {
        let condition = Message::key_condition("general-4711").sk_begins_with("MSG#");
        let query = Message::query(client.clone(), condition);
        query.all().await.expect("the answer is right")
    })
}
