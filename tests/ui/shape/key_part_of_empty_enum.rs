// `KeyPart` of an enum without variants.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
enum Never {}

fn main() {}
