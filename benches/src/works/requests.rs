//! Whole requests on canned answers: everything from the call to the value, but for the network.

use super::{DYNA, HAND, SERDE_DYNAMO};
use crate::answers::Item;
use crate::caller::Caller;
use crate::hand;
use crate::sdk::{batch_write, get_item, put_item, query_items};
use crate::shapes::{self, Chat, LastRead, Message, Metrics, Profile, Sample, item, messages};
use crate::work::{Contestant, Work};
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{Get, Put};

/// How many items a page may have. The last is one of a megabyte, the most that DynamoDB sends.
pub const PAGES: [usize; 5] = [0, 1, 10, 100, 2_000];
/// How many items a batch has: the most that DynamoDB takes.
pub const BATCH: usize = 25;
/// The answer to a write.
pub const WRITTEN: &str = "{}";
/// The answer to a batch of writes.
pub const UNDONE_NOTHING: &str = r#"{"UnprocessedItems":{}}"#;

pub(super) fn works() -> Vec<Work> {
    let get_message =
        |message: &Message| Message::get(&message.channel_id, message.sent_ms, &message.message_id);
    let mut works = vec![
        Work::new("get/small", || {
            get(|read: &LastRead| LastRead::get(&read.user_id, &read.channel_id))
        }),
        Work::new("get/14-fields", move || get(get_message)).and(|_| [get_by_hand()]),
        Work::new("get/nested", || {
            get(|profile: &Profile| Profile::get(&profile.user_id))
        }),
        Work::new("get/100-attributes", || {
            get(|metrics: &Metrics| Metrics::get(&metrics.server_id, metrics.hour))
        }),
        Work::new("put/small", put::<LastRead>),
        Work::new("put/14-fields", put::<Message>).and(|_| [put_by_hand()]),
        Work::new("put/nested", put::<Profile>),
        Work::new("put/100-attributes", put::<Metrics>),
        Work::new("batch/25", batch),
    ];
    works.extend(PAGES.map(|count| Work::new(format!("query/{count}"), move || query(count))));
    works
}

fn read<E: Sample>(item: Item) -> E {
    serde_dynamo::from_item(item).expect("it was written")
}

fn read_by_hand(item: Item) -> Message {
    hand::from_item(item).expect("it was written")
}

fn get<E: Sample>(get: fn(&E) -> Get<E>) -> [Contestant; 2]
where
    Chat: HasEntity<E>,
{
    let caller = Caller::new(shapes::answer(&E::sample()));
    let (entity, db) = (E::sample(), Chat::open(caller.client.clone()));
    let ours = caller.clone().reading(DYNA, async move || {
        get(&entity).send(&db).await.expect("the answer is right")
    });
    let (entity, client) = (E::sample(), caller.client.clone());
    let theirs = caller.reading(SERDE_DYNAMO, async move || {
        get_item(&client, entity.keys()).await.map(read::<E>)
    });
    [ours, theirs]
}

fn get_by_hand() -> Contestant {
    let message = Message::sample();
    let caller = Caller::new(shapes::answer(&message));
    let client = caller.client.clone();
    caller.reading(HAND, async move || {
        let keys = hand::keys(&message.channel_id, message.sent_ms, &message.message_id);
        let item = get_item(&client, keys.expect("right keys")).await;
        item.map(read_by_hand)
    })
}

fn put<E: Sample + Replaceable>() -> [Contestant; 2]
where
    Chat: HasEntity<E>,
{
    let caller = Caller::new(WRITTEN);
    let db = Chat::open(caller.client.clone());
    let ours = caller
        .clone()
        .writing(DYNA, E::sample, async move |entity| {
            Put::new(&entity)
                .send(&db)
                .await
                .expect("the answer is right");
        });
    let client = caller.client.clone();
    let theirs = caller.writing(SERDE_DYNAMO, E::sample, async move |entity| {
        put_item(&client, item(&entity)).await;
    });
    [ours, theirs]
}

fn put_by_hand() -> Contestant {
    let caller = Caller::new(WRITTEN);
    let client = caller.client.clone();
    caller.writing(HAND, Message::sample, async move |message| {
        put_item(&client, hand::to_item(&message)).await;
    })
}

fn batch() -> [Contestant; 3] {
    let sample = || messages(BATCH);
    let caller = Caller::new(UNDONE_NOTHING);
    let db = Chat::open(caller.client.clone());
    let ours = caller
        .clone()
        .writing(DYNA, sample, async move |messages: Vec<Message>| {
            let batch = db.batch_write().put_all(&messages);
            let left = batch.send().await.expect("the answer is right");
            assert!(left.is_empty(), "the server leaves nothing undone");
        });
    let with = |peer, encode: fn(&Message) -> Item| {
        let client = caller.client.clone();
        caller
            .clone()
            .writing(peer, sample, async move |messages: Vec<Message>| {
                batch_write(&client, messages.iter().map(encode)).await;
            })
    };
    [ours, with(SERDE_DYNAMO, item), with(HAND, hand::to_item)]
}

fn query(count: usize) -> [Contestant; 3] {
    let page = shapes::page(&messages(count));
    let caller = Caller::new(page);
    let db = Chat::open(caller.client.clone());
    let ours = caller.clone().reading(DYNA, async move || {
        let page = Message::query("general-4711").send(&db).await;
        page.expect("the answer is right").items
    });
    let with = |peer, read: fn(Item) -> Message| {
        let client = caller.client.clone();
        caller.clone().reading(peer, async move || {
            query_items(&client, "CHANNEL#general-4711", "MSG#", read).await
        })
    };
    [ours, with(SERDE_DYNAMO, read), with(HAND, read_by_hand)]
}
