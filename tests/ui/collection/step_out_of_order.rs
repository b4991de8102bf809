// A step that is not the next field.
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "trips", pk = "pk", sk = "sk")]
enum Trips {
    Flight(Flight),
    Hotel(Hotel),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Trips, pk = "TRIP#<trip>", sk = "AT#<city>#<day:03>#FLIGHT")]
struct Flight {
    trip: String,
    city: String,
    day: u16,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Trips, pk = "TRIP#<trip>", sk = "AT#<city>#<day:03>#HOTEL")]
struct Hotel {
    trip: String,
    city: String,
    day: u16,
}

#[derive(DynaCollection)]
#[dyna(steps(day: u16))]
enum Plan {
    Flight(Flight),
    Hotel(Hotel),
}

fn main() {}
