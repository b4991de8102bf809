// `KeyPart` of a newtype of a float.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
struct Price(f64);

fn main() {}
