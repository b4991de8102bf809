//! aymond 0.10: a macro for one type of item per table, with a codec of its own. It has no templates, so the keys are fields, and the
//! tag is one too. What is `None` it leaves out, where the others write NULL.

use aymond::Aymond;
use aymond::prelude::*;
use aymond::shim::aws_sdk_dynamodb::types::AttributeValue;
use dyna_benches::Contestant;
use dyna_benches::caller::Caller;
use dyna_benches::shapes::{self, Sample, same};
use dyna_benches::works::requests::{BATCH, PAGES, UNDONE_NOTHING, WRITTEN};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

const PEER: &str = "aymond";

#[aymond(item, table)]
#[derive(Clone, Serialize, Deserialize)]
pub struct Message {
    #[aymond(hash_key)]
    #[serde(skip)]
    pk: String,
    #[aymond(sort_key)]
    #[serde(skip)]
    sk: String,
    #[serde(skip)]
    entity_type: String,
    channel_id: String,
    sent_ms: u64,
    message_id: String,
    author_id: String,
    author_name: String,
    content: String,
    language: String,
    number: u64,
    edited_ms: Option<u64>,
    reply_to: Option<String>,
    attachments: u32,
    mentions: Vec<String>,
    reactions: Vec<Reaction>,
    revision: u32,
}

#[aymond(nested_item)]
#[derive(Clone, Serialize, Deserialize)]
pub struct Reaction {
    emoji: String,
    count: u32,
    user_ids: Vec<String>,
}

/// Lists of nested items are asked for this.
impl From<&Reaction> for HashMap<String, AttributeValue> {
    fn from(reaction: &Reaction) -> Self {
        reaction.clone().into()
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
    let keyed = |message: shapes::Message| {
        let (pk, sk) = message.keys();
        let entity_type = "Message".to_owned();
        Message {
            pk,
            sk,
            entity_type,
            ..same(message)
        }
    };
    shapes::messages(count).into_iter().map(keyed).collect()
}

fn sample() -> Message {
    messages(1).remove(0)
}

fn table(caller: &Caller) -> MessageTable {
    let aymond = Aymond::new_with_client(Arc::new(caller.client.clone()));
    MessageTable::new(&aymond, "chat")
}

fn get() -> Contestant {
    let message = shapes::Message::sample();
    let caller = Caller::new(shapes::answer(&message));
    let table = table(&caller);
    caller.reading(PEER, async move || {
        let (pk, sk) = message.keys();
        table
            .get()
            .pk(pk)
            .sk(sk)
            .send()
            .await
            .expect("the answer is right")
    })
}

fn put() -> Contestant {
    let caller = Caller::new(WRITTEN);
    let table = table(&caller);
    caller.writing(PEER, sample, async move |message: Message| {
        table
            .put()
            .item(message)
            .send()
            .await
            .expect("the answer is right");
    })
}

fn batch() -> Contestant {
    let caller = Caller::new(UNDONE_NOTHING);
    let table = table(&caller);
    caller.writing(
        PEER,
        || messages(BATCH),
        async move |messages: Vec<Message>| {
            let mut messages = messages.into_iter();
            let first = messages.next().expect("a batch is not empty");
            let batch = messages.fold(table.batch_write().put(first), |batch, message| {
                batch.put(message)
            });
            batch.send().await.expect("the answer is right");
        },
    )
}

fn query(count: usize) -> Contestant {
    let caller = Caller::new(shapes::page(&shapes::messages(count)));
    let table = table(&caller);
    caller.reading(PEER, async move || {
        let query = table
            .query()
            .pk("CHANNEL#general-4711")
            .sk_begins_with("MSG#");
        let items = query
            .send()
            .await
            .map(|item| item.expect("the answer is right"));
        items.collect::<Vec<Message>>().await
    })
}
