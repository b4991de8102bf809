use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(name = "shop", pk = "pk", sk = "sk", tag = "type", partial)]
pub enum Shop {
    User(User),
}

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<id>", sk = "PROFILE", partial)]
pub struct User {
    id: String,
    mail: String,
}

/// Leaves the attributes that `User` does not know as they are.
pub async fn set_mail(db: &Table<Shop>, id: &str, mail: &str) -> dyna_runtime::Result<()> {
    User::update(id).set(User::MAIL, mail).send(db).await
}
