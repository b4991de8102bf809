// DynamoDB has no order of booleans.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    done: bool,
}

fn main() {
    let _ = Thing::scan().filter(Thing::DONE.lt(true));
}
