// What functions of the user's own write may be no map.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[serde(with = "pairs")]
    codes: BTreeMap<String, u8>,
}

mod pairs {
    use std::collections::BTreeMap;

    pub fn serialize<S: serde::Serializer>(codes: &BTreeMap<String, u8>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(codes)
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<BTreeMap<String, u8>, D::Error> {
        Ok(BTreeMap::new())
    }
}

fn main() {
    let _ = Thing::update(1).set(Thing::CODES.entry("a"), 16);
}
