// Items with unique fields could be replaced.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = "sk", index(by_plan, pk = "plan", projection = "keys_only")), pk = "USER#<id>", sk = "A")]
struct User {
    id: String,
    #[dyna(unique)]
    mail: String,
}

impl dyna_runtime::entity::Replaceable for User {}
impl dyna_runtime::entity::BatchWritable for User {}

fn main() {
    let user = User { id: String::new(), mail: String::new() };
    let _ = user.put();
}
