// A field whose attribute has no name.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "orders", pk = "pk"), pk = "ORDER#<id>")]
struct Order {
    id: String,
    #[serde(rename = "")]
    note: String,
}

fn main() {}
