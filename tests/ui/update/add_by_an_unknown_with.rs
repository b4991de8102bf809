// What functions of the user's own write may not add up.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[serde(with = "shifted")]
    rank: u32,
}

mod shifted {
    pub fn serialize<S: serde::Serializer>(number: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(u32::MAX - number)
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        serde::Deserialize::deserialize(from).map(|number: u32| u32::MAX - number)
    }
}

fn main() {
    let _ = Thing::update(1).add(Thing::RANK, 1);
}
