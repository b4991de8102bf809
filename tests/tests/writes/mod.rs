//! Writes in the embedded engine: what is stored, what is refused, and what comes back.

mod batch;
mod explained;
mod limits;
mod moves;
mod server;
mod single;
mod sizes;
mod transact;

use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "writes", pk = "pk", sk = "sk", tag = "kind")]
enum Shop {
    User(User),
    Order(Order),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>", sk = "PROFILE")]
struct User {
    id: String,
    name: String,
    age: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<number:05>")]
struct Order {
    user: String,
    number: u32,
    total: u32,
}

fn user(id: &str, age: u8) -> User {
    User {
        id: id.to_owned(),
        name: id.to_owned(),
        age,
    }
}
