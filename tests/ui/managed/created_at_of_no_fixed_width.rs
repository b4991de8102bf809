// The times of an entity sort, those that are filled in and those that are given.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[dyna(created_at)]
    at: jiff::Timestamp,
}

fn main() {}
