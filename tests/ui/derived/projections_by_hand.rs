// A type that may need attributes that an index lacks.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = "sk", index(by_plan, pk = "plan", projection = "keys_only")), pk = "USER#<id>", sk = "A")]
struct User {
    id: String,
    #[dyna(unique)]
    mail: String,
}

struct Head {
    mail: String,
}

struct Index;

impl dyna_runtime::DynaProjection for Head {}
impl dyna_runtime::entity::View<User> for Head {}
impl dyna_runtime::entity::CoveredBy<Index> for Head {}
impl dyna_runtime::DynaFields for Head {}

fn main() {}
