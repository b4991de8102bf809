use dyna_runtime::{DynaEntity, DynaTable};
use dyna_runtime::serde::string_set;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "tasks", pk = "pk", index(gsi1, pk = "gsi1pk")),
    pk = "TASK#<id>",
    gsi1(as = by_first, pk = "FIRST#<tags|self::first>"),
)]
struct Task {
    id: String,
    #[serde(with = "string_set")]
    tags: BTreeSet<String>,
}

fn first(tags: &BTreeSet<String>) -> String {
    tags.first().cloned().unwrap_or_default()
}

fn main() {
    let tags = BTreeSet::from(["a".to_owned()]);
    let _ = Task::update("t").add_elements(Task::TAGS, tags);
}
