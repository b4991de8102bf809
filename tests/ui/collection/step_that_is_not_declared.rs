// A step that the members share and the collection does not declare.
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "trips", pk = "pk", sk = "sk")]
enum Trips {
    Flight(Flight),
    Hotel(Hotel),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Trips, pk = "TRIP#<trip>", sk = "AT#<city>#<leg:03>#FLIGHT")]
struct Flight {
    trip: String,
    city: String,
    leg: u16,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Trips, pk = "TRIP#<trip>", sk = "AT#<city>#<leg:03>#HOTEL")]
struct Hotel {
    trip: String,
    city: String,
    leg: u16,
}

#[derive(DynaCollection)]
#[dyna(steps(city: String))]
enum Plan {
    Flight(Flight),
    Hotel(Hotel),
}

fn main() {
    let _ = Plan::query("t").city("Bern").leg(3);
}
