// An `Option` where an index is looked up by a value.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chat", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "MSG#<id>",
    gsi1(as = by_email, pk = "EMAIL#<email>"),
)]
struct Message {
    id: String,
    email: Option<String>,
}

fn main() {
    let _ = Message::by_email(Some("a@b.c".to_owned()));
}
