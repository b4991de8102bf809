// A sort key of nine placeholders.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "places", pk = "pk", sk = "sk")]
enum Places {
    Place(Place),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Places, pk = "P#<a>", sk = "<a>#<b>#<c>#<d>#<e>#<f>#<g>#<h>#<i>")]
struct Place {
    a: String,
    b: String,
    c: String,
    d: String,
    e: String,
    f: String,
    g: String,
    h: String,
    i: String,
}

fn main() {}
