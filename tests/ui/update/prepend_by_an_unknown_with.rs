// What functions of the user's own write may be no list.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[serde(with = "hex")]
    codes: Vec<u8>,
}

mod hex {
    pub fn serialize<S: serde::Serializer>(codes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{codes:02x?}"))
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<Vec<u8>, D::Error> {
        Ok(Vec::new())
    }
}

fn main() {
    let _ = Thing::update(1).prepend(Thing::CODES, [16]);
}
