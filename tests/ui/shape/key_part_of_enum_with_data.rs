// `KeyPart` of an enum with data.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
enum Status {
    Open,
    Closed(String),
}

fn main() {}
