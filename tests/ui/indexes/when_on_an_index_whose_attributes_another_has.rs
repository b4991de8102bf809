// The only attribute of one index is also an attribute of another, which all items are in.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "tickets",
        pk = "pk",
        index(gsi1, pk = "team"),
        index(gsi2, pk = "team", sk = "number")
    ),
    pk = "T#<id>",
    gsi1(as = by_open, pk = "TEAM#<of>", when = is_open),
    gsi2(as = by_team, pk = "TEAM#<of>", sk = "<id>")
)]
struct Ticket {
    id: String,
    of: String,
    is_open: bool,
}

// The same items are in both: the attribute is there for these alone.
#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "open",
        pk = "pk",
        index(gsi1, pk = "team"),
        index(gsi2, pk = "team", sk = "number")
    ),
    pk = "T#<id>",
    gsi1(as = by_open, pk = "TEAM#<of>", when = is_open),
    gsi2(as = by_team, pk = "TEAM#<of>", sk = "<id>", when = is_open)
)]
struct Open {
    id: String,
    of: String,
    is_open: bool,
}

fn main() {}
