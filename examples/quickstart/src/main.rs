//! A chat in one table, on the built-in engine: `cargo run -p quickstart`.

use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

/// The table, and all that is stored in it.
#[derive(DynaTable)]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk")
)]
enum Chat {
    User(User),
    Message(Message),
}

#[derive(Debug, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "PROFILE", gsi1(as = by_email, pk = "EMAIL#<email|lower>"))]
struct User {
    id: String,
    email: String,
}

#[derive(Debug, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "CHANNEL#<channel>", sk = "MSG#<sent_ms:013>")]
struct Message {
    channel: String,
    sent_ms: u64,
    text: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> dyna_runtime::Result<()> {
    let db = Chat::embedded().await?; // on AWS: `Chat::open(client)`

    let (id, email) = ("ann".into(), "Ann@example.com".into());
    User { id, email }.create().send(&db).await?; // fails if the item exists; `put` replaces it

    for (sent_ms, text) in (1_735_257_600_000..).zip(["Hello", "Is anyone here?", "Bye"]) {
        let message = Message {
            channel: "general".into(),
            sent_ms,
            text: text.into(),
        };
        message.put().send(&db).await?;
    }
    let newest = Message::query("general").descending().limit(2);
    for message in newest.send(&db).await?.items {
        println!("{}: {}", message.sent_ms, message.text);
    }
    let asked = Message::query("general").filter(Message::TEXT.contains("anyone"));
    println!("\n{}\n{} found\n", asked.explain(), asked.count(&db).await?);

    let user = User::by_email("ANN@EXAMPLE.COM").one(&db).await?;
    println!("by email: {user:?}");
    // A key cannot be injected: the request is never made.
    let error = Message::query("general#MSG").send(&db).await.unwrap_err();
    println!("refused: {error}");
    Ok(())
}
