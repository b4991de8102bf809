// Nested structs and parts of keys with one mistake each: the entity and its calls are not reported too.
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaFields)]
struct Profile {
    #[serde(rename = "name")]
    email: String,
    name: String,
}

#[derive(Serialize, Deserialize, KeyPart)]
enum State {
    Open,
    #[serde(rename = "Open")]
    Reopened,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(email, pk = "emailKey")),
    pk = "USER#<id>#<state>",
    email(as = by_email, pk = "EMAIL#<profile.email>"),
)]
struct User {
    id: String,
    state: State,
    profile: Profile,
}

async fn run(db: Table<User>) -> dyna_runtime::Result<()> {
    User::get("ann", State::Open).send(&db).await?;
    let name = User::PROFILE.field(Profile::NAME);
    User::by_email("a@b.c")
        .filter(name.eq("Ann"))
        .all(&db)
        .await?;
    Ok(())
}

fn main() {}
