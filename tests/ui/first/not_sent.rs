// Requests that are made and not sent.
#![deny(unused_must_use)]
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "chat", pk = "pk", sk = "sk"), pk = "USER#<id>", sk = "AT#<at:013>")]
struct User {
    id: String,
    at: u64,
}

fn run(user: User) {
    user.create();
    User::get("ann", 1u64);
    User::query("ann");
    User::delete("ann", 1u64);
}

fn main() {}
