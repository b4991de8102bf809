// Two variants with the same word.
use dyna_runtime::KeyPart;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KeyPart)]
enum Status {
    #[serde(rename = "open")]
    Open,
    #[serde(rename = "open")]
    Reopened,
}

fn main() {}
