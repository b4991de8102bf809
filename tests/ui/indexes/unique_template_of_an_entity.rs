// The key of a unique value could be that of an item.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    #[dyna(unique = "USER#<mail>")]
    mail: String,
}

fn main() {}
