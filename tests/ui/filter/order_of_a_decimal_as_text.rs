// As text, 10 comes before 9.
use dyna_runtime::{DynaEntity, DynaTable};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

mod text {
    use rust_decimal::Decimal;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "payments", pk = "pk"), pk = "PAYMENT#<id>")]
struct Payment {
    id: String,
    #[serde(with = "text")]
    amount: Decimal,
}

fn main() {
    let _ = Payment::AMOUNT.gt(Decimal::TEN);
    let _ = Payment::AMOUNT.between(Decimal::ONE, Decimal::TEN);
}
