//! Between Dyna and DynamoDB: interceptors, responses that cannot be read, conflicts, errors.

mod capacity;
mod conditions;
mod conflicts;
mod errors;
mod interceptors;
mod server;
mod spans;
mod undone;
mod unreadable;

use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "notes",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk", sk = "gsi2sk", projection = "keys_only")
)]
enum Notes {
    Note(Note),
    Account(Account),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Notes,
    pk = "USER#<user>",
    sk = "NOTE#<n:04>",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "NOTE#<n:04>"),
    gsi2(as = keys_by_topic, pk = "TOPIC#<topic>", sk = "NOTE#<n:04>"),
)]
struct Note {
    user: String,
    n: u16,
    topic: String,
    secret: String,
    count: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaProjection)]
#[dyna(of = Note)]
struct Secret {
    n: u16,
    secret: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Notes, pk = "ACCOUNT#<id>", sk = "ACCOUNT")]
struct Account {
    id: String,
    #[dyna(unique)]
    email: String,
    secret: String,
}

fn note(n: u16) -> Note {
    Note {
        user: "ann".to_owned(),
        n,
        topic: "rust".to_owned(),
        secret: format!("plain {n}"),
        count: 0,
    }
}

fn account(id: &str) -> Account {
    Account {
        id: id.to_owned(),
        email: format!("{id}@example.com"),
        secret: "plain".to_owned(),
    }
}
