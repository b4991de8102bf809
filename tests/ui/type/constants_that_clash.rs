// Two fields have the same constant.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
#[expect(non_snake_case)]
struct Thing {
    id: u32,
    aB: String,
    ab: String,
}

#[derive(Serialize, Deserialize, DynaFields)]
#[expect(non_snake_case)]
struct Nested {
    aB: String,
    ab: String,
}

fn main() {}
