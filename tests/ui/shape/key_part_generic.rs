// `KeyPart` of a generic newtype.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
struct Id<T>(T);

fn main() {}
