// A nested projection of another struct than the field has.
use dyna_runtime::{DynaEntity, DynaFields, DynaProjection, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    data: Data,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Data {
    name: String,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Other {
    name: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Other)]
struct Name {
    name: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = User)]
struct Head {
    #[dyna(nested)]
    data: Name,
}

fn main() {}
