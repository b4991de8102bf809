// A variant holds a type that is not there.
use dyna_runtime::DynaTable;

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop {
    User(Usr),
}

fn main() {}
