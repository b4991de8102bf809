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
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Chat {
    User(User),
    Message(Message),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "PROFILE", gsi1(as = by_email, pk = "EMAIL#<email|lower>", sk = "USER"))]
struct User {
    id: String,
    email: String,
    messages: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "CHANNEL#<channel>", sk = "MSG#<sent_ms:013>#<id>")]
struct Message {
    channel: String,
    sent_ms: u64,
    id: String,
    author: String,
    text: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> dyna_runtime::Result<()> {
    let db = Chat::embedded().await?; // on AWS: `Chat::open(client)`

    let ann = User {
        id: "ann".into(),
        email: "Ann@example.com".into(),
        messages: 0,
    };
    ann.create().send(&db).await?; // fails if the item exists; `put` replaces it

    // Two writes together, or none.
    for (n, text) in ["Hello", "Is anyone here?", "Bye"].into_iter().enumerate() {
        let sent_ms = 1_735_257_600_000 + n as u64;
        let (channel, author) = ("general".into(), "ann".into());
        let message = Message {
            channel,
            sent_ms,
            id: format!("m{n}"),
            author,
            text: text.into(),
        };
        let counted = User::update("ann").add(User::MESSAGES, 1);
        db.transact()
            .create(&message)
            .update(counted)
            .send()
            .await?;
    }

    let newest = Message::query("general")
        .descending()
        .limit(2)
        .send(&db)
        .await?;
    for message in &newest.items {
        println!("{}: {}", message.author, message.text);
    }

    let asked = Message::query("general").filter(Message::TEXT.contains("anyone"));
    println!("\n{}\n", asked.explain());
    println!(
        "{} of the messages ask for someone",
        asked.count(&db).await?
    );

    let user = User::by_email("ANN@EXAMPLE.COM").one(&db).await?;
    println!("by email: {user:?}");

    // A key cannot be injected: the request is never made.
    let error = Message::query("general#MSG").send(&db).await.unwrap_err();
    println!("refused: {error}");
    Ok(())
}
