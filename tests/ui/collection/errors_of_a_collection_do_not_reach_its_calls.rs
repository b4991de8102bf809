// A collection with one mistake: its queries are not reported too.
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "bank", pk = "pk", sk = "sk")]
enum Bank {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "USER#<id>", sk = "PROFILE")]
struct User {
    id: String,
}

#[derive(DynaCollection)]
enum Startup {
    Profile(User),
    Again(User),
}

async fn run(db: Table<Bank>) -> dyna_runtime::Result<Vec<Startup>> {
    Startup::query("ann").limit(5).all(&db).await
}

fn main() {}
