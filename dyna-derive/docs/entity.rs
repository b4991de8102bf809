use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
pub enum Chat {
    Message(Message),
}

#[derive(Debug, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Chat,
    pk = "CHANNEL#<channel>",
    sk = "MSG#<sent_ms:013>#<id>",
    gsi1(as = by_author, pk = "AUTHOR#<author|lower>", sk = "<sent_ms:013>"),
)]
pub struct Message {
    channel: String,
    sent_ms: u64,
    id: String,
    author: String,
    /// The text, as it was typed.
    text: String,
    #[dyna(version)]
    version: u32,
}

pub async fn edit(db: &Table<Chat>) -> dyna_runtime::Result<Vec<Message>> {
    Message::update("general", 1_735_257_600_000, "m1")
        .set(Message::TEXT, "Hello")
        .send(db)
        .await?;
    let recent = Message::query("general").sent_ms_range(1_735_000_000_000..);
    recent.filter(Message::TEXT.contains("Hello")).all(db).await
}
