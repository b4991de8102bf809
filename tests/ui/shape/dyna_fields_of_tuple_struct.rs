// `DynaFields` of a tuple struct.
use dyna_runtime::DynaFields;

#[derive(DynaFields)]
struct Data(String);

fn main() {}
