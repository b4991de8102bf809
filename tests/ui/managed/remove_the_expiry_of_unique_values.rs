use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "seats", pk = "pk", ttl = "ttl"), pk = "SEAT#<id>")]
struct Seat {
    id: String,
    #[dyna(unique)]
    code: String,
    #[dyna(ttl)]
    ends: Option<u64>,
}

fn main() {
    let _ = |seat: Seat| Seat::update_loaded(&seat).remove(Seat::ENDS);
}
