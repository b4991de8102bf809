// Functions and constants of an entity with one mistake: its calls are not reported too.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Chat {
    Message(Message),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Chat,
    pk = "CHANNEL#<channel>",
    sk = "MSG#<sent_ms:013>#<id>",
    gsi1(as = by_author, pk = "AUTHOR#<auhtor>", sk = "<sent_ms:013>"),
)]
struct Message {
    channel: String,
    sent_ms: u64,
    id: String,
    author: String,
    text: String,
}

async fn run(db: Table<Chat>, message: Message) -> dyna_runtime::Result<()> {
    let key = Message::key("general", 1_u64, "m1");
    Message::get("general", 1_u64, "m1")
        .consistent()
        .send(&db)
        .await?;
    Message::query("general")
        .sent_ms(5)
        .id_starts_with("m")
        .limit(5)
        .all(&db)
        .await?;
    Message::query_many(["general", "random"])
        .filter(Message::TEXT.eq("hi"))
        .send(&db)
        .await?;
    Message::by_author("ann")
        .sent_ms_range(..9)
        .descending()
        .first(&db)
        .await?;
    Message::by_author_many(["ann"]).count(&db).await?;
    Message::update("general", 1_u64, "m1")
        .set(Message::TEXT, "hello")
        .send(&db)
        .await?;
    Message::update_loaded(&message)
        .set(Message::TEXT, "hello")
        .send(&db)
        .await?;
    Message::upsert("general", 1_u64, "m1")
        .set(Message::TEXT, "hello")
        .send(&db)
        .await?;
    Message::delete("general", 1_u64, "m1").send(&db).await?;
    Message::scan().all(&db).await?;
    Message::rekey(key, &message).send(&db).await?;
    message.create().send(&db).await?;
    message.put().send(&db).await
}

fn main() {}
