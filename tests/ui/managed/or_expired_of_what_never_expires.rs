use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "seats", pk = "pk", ttl = "ttl"), pk = "SEAT#<id>")]
struct Seat {
    id: String,
}

fn main() {
    let seat = Seat { id: String::new() };
    let _ = seat.create().or_expired();
}
