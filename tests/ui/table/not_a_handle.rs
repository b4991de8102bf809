// A client is given where the open table is wanted.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

async fn run(client: aws_sdk_dynamodb::Client) -> dyna_runtime::Result<Option<User>> {
    User::get("1").send(&client).await
}

fn main() {}
