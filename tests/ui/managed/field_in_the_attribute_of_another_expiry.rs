use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "seats", pk = "pk", ttl = "ttl"), pk = "SEAT#<id>")]
struct Seat {
    id: String,
    code: String,
    ttl: u64,
    #[dyna(ttl)]
    ends: u64,
}

fn main() {}
