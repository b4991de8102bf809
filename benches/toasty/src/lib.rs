//! toasty 0.11 at the work of Dyna's peers, against `serde_dynamo` on the SDK that toasty is built on. It has no templates, so the keys are
//! fields, and the tag is one too. What is `None` it leaves out, where the others write NULL.

use dyna_benches::answers::{self, Item, same};
use dyna_benches::caller::Caller;
use dyna_benches::fixture::{self, keys};
use dyna_benches::sdk::{batch_write, get_item, put_item, query_items};
use dyna_benches::{Contestant, Work};
use serde::{Deserialize, Serialize};
use toasty::stmt::CreateMany;
use toasty::{Db, Embed, Model};
use toasty_driver_dynamodb::DynamoDb;

const PEER: &str = "toasty";
const SERDE_DYNAMO: &str = "serde_dynamo";

#[derive(Debug, Model, Serialize, Deserialize)]
#[table = "chat"]
#[key(partition = pk, local = sk)]
struct Message {
    #[serde(skip)]
    pk: String,
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
    #[document]
    reactions: Vec<Reaction>,
    revision: u32,
}

#[derive(Debug, Embed, Serialize, Deserialize)]
struct Reaction {
    emoji: String,
    count: u32,
    user_ids: Vec<String>,
}

/// All works.
pub fn works() -> Vec<Work> {
    let mut works = vec![
        Work::new("toasty/get/14-fields", get),
        Work::new("toasty/put/14-fields", put),
        Work::new("toasty/batch/25", batch),
    ];
    works.extend(
        [10, 100, 2_000]
            .map(|count| Work::new(format!("toasty/query/{count}"), move || query(count))),
    );
    works
}

fn sample() -> fixture::Message {
    fixture::messages(1).remove(0)
}

fn key(message: &fixture::Message) -> (String, String) {
    keys(&message.channel_id, message.sent_ms, &message.message_id)
}

fn item(message: &fixture::Message) -> Item {
    answers::item(message, key(message), "Message")
}

fn read(item: Item) -> fixture::Message {
    serde_dynamo::from_item(item).expect("it was written")
}

fn open(caller: &Caller) -> Db {
    let driver = DynamoDb::new("dynamodb://canned".to_owned(), caller.client.clone());
    let mut builder = Db::builder();
    let db = builder.models(toasty::models!(Message)).build(driver);
    caller.wait(db).expect("the schema is right")
}

fn get() -> [Contestant; 2] {
    let (message, again) = (sample(), sample());
    let caller = Caller::new(answers::one(&item(&message)));
    let (db, client) = (open(&caller), caller.client.clone());
    let with_toasty = async move || {
        let (pk, sk) = key(&message);
        let found = Message::get_by_pk_and_sk(&mut db.clone(), pk, sk).await;
        found.expect("the answer is right")
    };
    let with_serde_dynamo = async move || get_item(&client, key(&again)).await.map(read);
    [
        caller.clone().reading(PEER, with_toasty),
        caller.reading(SERDE_DYNAMO, with_serde_dynamo),
    ]
}

fn create(message: Message) -> <Message as toasty::schema::Model>::Create {
    let (pk, sk) = keys(&message.channel_id, message.sent_ms, &message.message_id);
    toasty::create!(Message {
        pk,
        sk,
        entity_type: "Message",
        channel_id: message.channel_id,
        sent_ms: message.sent_ms,
        message_id: message.message_id,
        author_id: message.author_id,
        author_name: message.author_name,
        content: message.content,
        language: message.language,
        number: message.number,
        edited_ms: message.edited_ms,
        reply_to: message.reply_to,
        attachments: message.attachments,
        mentions: message.mentions,
        reactions: message.reactions,
        revision: message.revision,
    })
}

fn put() -> [Contestant; 2] {
    let caller = Caller::new("{}");
    let (db, client) = (open(&caller), caller.client.clone());
    let with_toasty = async move |message| {
        let created = create(message).exec(&mut db.clone()).await;
        created.expect("the answer is right");
    };
    let with_serde_dynamo = async move |message| put_item(&client, item(&message)).await;
    [
        caller.clone().writing(PEER, || same(sample()), with_toasty),
        caller.writing(SERDE_DYNAMO, sample, with_serde_dynamo),
    ]
}

fn batch() -> [Contestant; 2] {
    let caller = Caller::new(r#"{"UnprocessedItems":{}}"#);
    let (db, client) = (open(&caller), caller.client.clone());
    let with_toasty = async move |messages: Vec<Message>| {
        let items = messages.into_iter().map(create);
        let batch = items.fold(Message::create_many(), CreateMany::item);
        let created = batch.exec(&mut db.clone()).await;
        created.expect("the answer is right");
    };
    let with_serde_dynamo = async move |messages: Vec<fixture::Message>| {
        batch_write(&client, messages.iter().map(item)).await;
    };
    let sample = || fixture::messages(25);
    [
        caller
            .clone()
            .writing(PEER, move || same(sample()), with_toasty),
        caller.writing(SERDE_DYNAMO, sample, with_serde_dynamo),
    ]
}

fn query(count: usize) -> [Contestant; 2] {
    let messages = fixture::messages(count);
    let caller = Caller::new(answers::page(messages.iter().map(item)));
    let (db, client) = (open(&caller), caller.client.clone());
    let (pk, sk) = ("CHANNEL#general-4711", "MSG#");
    let with_toasty = async move || {
        let query = Message::filter_by_pk(pk).filter(Message::fields().sk().starts_with(sk));
        let found = query.exec(&mut db.clone()).await;
        found.expect("the answer is right")
    };
    let with_serde_dynamo = async move || query_items(&client, pk, sk, read).await;
    [
        caller.clone().reading(PEER, with_toasty),
        caller.reading(SERDE_DYNAMO, with_serde_dynamo),
    ]
}
