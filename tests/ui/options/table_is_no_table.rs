// `table = ..` names something that is no table.
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>")]
struct User {
    id: String,
}

enum Shop {}

fn main() {}
