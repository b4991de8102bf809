use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaFields)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    pub email: String,
    pub display_name: Option<String>,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(email, pk = "emailKey")),
    pk = "USER#<id>",
    email(as = by_email, pk = "<profile.email|lower>"),
)]
pub struct User {
    id: String,
    profile: Profile,
}

pub async fn named(db: &Table<User>) -> dyna_runtime::Result<Vec<User>> {
    let name = User::PROFILE.field(Profile::DISPLAY_NAME);
    User::by_email("ann@example.com")
        .filter(name.exists())
        .all(db)
        .await
}
