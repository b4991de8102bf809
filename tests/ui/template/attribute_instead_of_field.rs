// The placeholder has the attribute's name, not the field's.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<userId>")]
struct User {
    user_id: String,
}

fn main() {}
