use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "users", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<id>",
    gsi1(as = by_phone, pk = "PHONE#<phone>", sk = "<rank:05>"),
)]
struct User {
    id: String,
    #[dyna(unique)]
    phone: Option<u64>,
    rank: u32,
    #[dyna(version)]
    version: u64,
    #[dyna(updated_at)]
    updated: Option<u64>,
}

fn main() {
    let _ = |user: User| User::update_loaded(&user).add(User::PHONE, 1);
}
