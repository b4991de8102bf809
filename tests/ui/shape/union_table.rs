// A table that is a union.
use dyna_runtime::DynaTable;

#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk")]
union User {
    id: u64,
}

fn main() {}
