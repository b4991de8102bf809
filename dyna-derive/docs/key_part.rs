use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KeyPart)]
pub struct UserId(String);

#[derive(Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Open,
    InProgress,
    Closed,
}

#[derive(Serialize, Deserialize, KeyPart)]
#[dyna(number)]
pub struct Weight(f64);

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "tasks",
        pk = "pk",
        sk = "sk",
        index(by_weight, pk = "user", sk = number("weight"))
    ),
    pk = "USER#<user>",
    sk = "<state>#<id>",
    by_weight(as = by_weight, pk = "<user>", sk = "<weight>")
)]
pub struct Task {
    user: UserId,
    state: State, // `open`, `in_progress` or `closed` in the key
    id: String,
    weight: Weight, // a number key, which sorts by value
}
