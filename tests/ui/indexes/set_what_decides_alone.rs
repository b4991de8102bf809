// Fields that decide about indexes, set by the key of the item alone.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "work", pk = "pk", index(gsi1, pk = "gsi1pk"))]
enum Work {
    Task(Task),
    Bug(Bug),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Work, pk = "TASK#<id>", gsi1(as = open, pk = "OPEN#<team>", when = is_open))]
struct Task {
    id: String,
    team: String,
    is_open: bool,
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Work, pk = "BUG#<id>", gsi1(as = urgent, pk = "URGENT#<team>", when = Self::is_urgent))]
struct Bug {
    id: String,
    team: String,
    severity: u8,
}

impl Bug {
    fn is_urgent(&self) -> bool {
        self.severity > 5
    }
}

fn main() {
    let _ = Task::update("1").set(Task::IS_OPEN, false);
    let _ = Bug::update("1").set(Bug::SEVERITY, 9);
    let _ = Bug::update("1").add(Bug::SEVERITY, 1);
}
