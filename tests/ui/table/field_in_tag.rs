// A field stored in the attribute of the tag.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", tag = "type"), pk = "USER#<id>")]
struct User {
    id: String,
    #[serde(rename = "type")]
    kind: String,
}

fn main() {}
