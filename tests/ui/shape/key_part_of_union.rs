// `KeyPart` of a union.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
union Id {
    id: u64,
}

fn main() {}
