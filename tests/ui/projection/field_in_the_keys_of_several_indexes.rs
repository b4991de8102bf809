// The customer is in the keys of two indexes alone, an order may be in only one of them, and the index holds the other key.
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "orders",
        pk = "pk",
        index(gsi1, pk = "g1", sk = "g1s"),
        index(gsi2, pk = "g2", sk = "g2s", projection = "keys_only"),
        index(some, pk = "s", projection = include("g2", "g2s"))
    ),
    pk = "O#<id>",
    gsi1(as = by_city, pk = "CITY#<city>", sk = "<customer>"),
    gsi2(as = by_zone, pk = "ZONE#<zone>", sk = "<customer>"),
    some(as = by_state, pk = "S#<state>")
)]
struct Order {
    id: String,
    city: Option<String>,
    zone: Option<String>,
    #[dyna(key_only)]
    customer: Option<String>,
    state: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Order, index = some)]
struct Buyer {
    customer: Option<String>,
}

// Every order that is read through this index has the customer in its key.
#[derive(Deserialize, DynaProjection)]
#[dyna(of = Order, index = gsi2)]
struct InZone {
    customer: Option<String>,
}

fn main() {}
