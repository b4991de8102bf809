// Writes of whole items of an entity whose table is declared in part.
use dyna_runtime::{DynaEntity, DynaTable, Put, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", partial), pk = "USER#<name>")]
struct User {
    name: String,
}

fn run(db: &Table<User>, user: &User) {
    let _ = user.put();
    let _ = user.replace();
    let _ = User::rekey(User::key("ann"), user);
    let _ = User::rekey_loaded(user, user);
    let _ = db.batch_write().put(user);
    let _ = db.transact().put(user);
    let _ = Put::new(user);
}

fn main() {}
