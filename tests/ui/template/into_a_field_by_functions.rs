// A template reaches into a struct that functions of the user's own store.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk", index(by_mail, pk = "mail")), pk = "THING#<id>", by_mail(pk = "MAIL#<data.mail>"))]
struct Thing {
    id: u32,
    #[serde(serialize_with = "text")]
    data: Data,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Data {
    mail: String,
}

fn text<S: serde::Serializer>(data: &Data, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&data.mail)
}

fn main() {}
