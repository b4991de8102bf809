// An entity without `Serialize` and `Deserialize`.
use dyna_runtime::{DynaEntity, DynaTable};

#[derive(DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

fn main() {}
