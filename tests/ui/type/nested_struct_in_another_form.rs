// A nested struct is stored as something else, so conditions on its fields would never be true.
use dyna_runtime::{DynaFields, DynaProjection};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize, DynaFields)]
#[serde(into = "String", try_from = "String")]
struct Name {
    first: String,
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.first
    }
}

impl TryFrom<String> for Name {
    type Error = std::convert::Infallible;

    fn try_from(first: String) -> Result<Self, Self::Error> {
        Ok(Self { first })
    }
}

#[derive(Serialize, Deserialize, DynaFields)]
#[serde(transparent)]
struct Alone {
    first: String,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Fine {
    first: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Fine)]
#[serde(from = "String")]
struct Part {
    first: String,
}

impl From<String> for Part {
    fn from(first: String) -> Self {
        Self { first }
    }
}

fn main() {}
