// The projection reads a field otherwise than the entity writes it.
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable};
use dyna_runtime::serde::rfc3339;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: u32,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    at: jiff::Timestamp,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    until: jiff::Timestamp,
    name: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Thing)]
struct Head {
    at: jiff::Timestamp,
    #[serde(with = "rfc3339")]
    until: jiff::Timestamp,
    #[serde(deserialize_with = "upper")]
    name: String,
}

fn upper<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| text.to_uppercase())
}

fn main() {}
