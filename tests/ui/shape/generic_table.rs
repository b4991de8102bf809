// A table that is generic.
use dyna_runtime::DynaTable;

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk")]
enum Shop<T> {
    Order(T),
}

fn main() {}
