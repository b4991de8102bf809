// An index whose name has more than 32 characters.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "users",
        pk = "pk",
        index(users_by_e_mail_address_and_country, pk = "email")
    ),
    pk = "USER#<id>"
)]
struct User {
    id: String,
}

fn main() {}
