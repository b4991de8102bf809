use dyna_runtime::change::{ChangeKind, Record};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", stream = "new_image"), pk = "USER#<id>")]
struct User {
    id: String,
}

fn read(record: Record) -> Option<String> {
    match User::change(record).ok()?.kind {
        ChangeKind::Remove { old, .. } => Some(old.id),
        _ => None,
    }
}

fn main() {}
