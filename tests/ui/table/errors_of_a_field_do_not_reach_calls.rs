// An entity with a mistake beside its keys: its calls are not reported too.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "tasks", pk = "pk"), pk = "TASK#<id>")]
struct Task {
    #[dyna(version)]
    id: u64,
    title: String,
}

async fn run(db: Table<Task>, task: Task) -> dyna_runtime::Result<()> {
    Task::get(1).send(&db).await?;
    Task::update(1)
        .set(Task::TITLE, "read")
        .when(Task::TITLE.exists())
        .send(&db)
        .await?;
    task.put().send(&db).await
}

fn main() {}
