// A set has no end.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[serde(with = "dyna_runtime::serde::string_set")]
    tags: Vec<String>,
}

fn main() {
    let _ = Thing::update(1).append(Thing::TAGS, ["a"]);
}
