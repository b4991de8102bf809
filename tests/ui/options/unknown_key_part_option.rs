// An option of `KeyPart` that there is not.
use dyna_runtime::KeyPart;

#[derive(KeyPart)]
#[dyna(rename = "id")]
struct UserId(String);

fn main() {}
