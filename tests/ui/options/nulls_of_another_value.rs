// `nulls` is given a value that it does not take.
use dyna_runtime::{DynaEntity, DynaTable};

#[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>", nulls = "omit")]
struct User {
    id: String,
    #[dyna(nulls)]
    note: Option<String>,
}

fn main() {}
