// An entity that is a union.
use dyna_runtime::{DynaEntity, DynaTable};

#[derive(DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
union User {
    id: u64,
}

fn main() {}
