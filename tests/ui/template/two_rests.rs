// Two placeholders that take the rest.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "files", pk = "pk"), pk = "FILE#<path..>#<name..>")]
struct File {
    path: String,
    name: String,
}

fn main() {}
