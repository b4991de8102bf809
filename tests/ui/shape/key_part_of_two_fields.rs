// `KeyPart` of a struct with two fields.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
struct UserId {
    tenant: String,
    id: String,
}

fn main() {}
