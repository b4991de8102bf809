// A field that is made up could set the unique field, the version or the key of an index.
use dyna_runtime::expr::Field;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    #[dyna(unique)]
    mail: String,
    name: String,
}

fn main() {
    let _ = User::update("a").set(Field::<User, String>::new("mail", "mail"), "eve");
    let _ = User::update("a").set(User::NAME.aliases(&[]), "eve");
}
