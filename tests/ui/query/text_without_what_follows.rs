// Text fixed alone, whose end only the next field tells.
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "people", pk = "pk", sk = "sk"), pk = "PEOPLE", sk = "<name><id:len=8>")]
struct Person {
    name: String,
    id: String,
}

async fn run(db: &Table<Person>) -> dyna_runtime::Result<()> {
    Person::query().name("ann").id("00000001").all(db).await?;
    Person::query().name("ann").all(db).await?;
    Ok(())
}

fn main() {}
