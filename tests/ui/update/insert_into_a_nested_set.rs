use dyna_runtime::{DynaEntity, DynaFields, DynaTable};
use dyna_runtime::serde::string_set;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "tasks", pk = "pk"), pk = "TASK#<id>")]
struct Task {
    id: String,
    details: Details,
}

#[derive(Serialize, Deserialize, DynaFields)]
struct Details {
    #[serde(with = "string_set")]
    tags: BTreeSet<String>,
}

fn main() {
    let tags = BTreeSet::from(["a".to_owned()]);
    let _ = Task::update("t").add_elements(Task::DETAILS.field(Details::TAGS), tags);
}
