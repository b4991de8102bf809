// Two fields of one type, stored in two forms, are never equal.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    at: jiff::Timestamp,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    until: jiff::Timestamp,
}

fn main() {
    let _ = Thing::scan().filter(Thing::AT.eq_field(Thing::UNTIL));
}
