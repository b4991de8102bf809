// An index is called as another one's query over several partitions.
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity)]
#[dyna(
    table(
        name = "users",
        pk = "pk",
        index(gsi1, pk = "gsi1pk"),
        index(gsi2, pk = "gsi2pk"),
        index(gsi3, pk = "gsi3pk"),
    ),
    pk = "USER#<id>",
    gsi1(as = by_email, pk = "EMAIL#<email>"),
    gsi2(as = by_email_many, pk = "MAIL#<email>"),
    gsi3(as = query_many, pk = "ID#<id>"),
)]
struct User {
    id: String,
    email: String,
}

fn main() {}
