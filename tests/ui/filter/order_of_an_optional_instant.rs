// The text of an instant has no fixed width, so it does not sort by time.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    at: Option<jiff::Timestamp>,
}

fn main() {
    let _ = Thing::scan().filter(Thing::AT.lt_field(Thing::AT));
}
