// Keys of unique values that are made of fields which change or are stored nowhere, of functions, without a tag to write, or ambiguous.
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk", sk = "sk"), pk = "USER#<id>", sk = "USER#<region>")]
struct User {
    id: String,
    #[dyna(key_only)]
    region: String,
    team: String,
    #[dyna(unique = "PHONE#<team>#<phone>")]
    phone: String,
    #[dyna(unique = "MAIL#<region>#<mail>")]
    mail: String,
    #[dyna(unique = "NICK#<nick|lower>")]
    nick: String,
    #[dyna(unique(pk = "CODE#<id>#<code>", tag = "Code"))]
    code: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "tagged", pk = "pk"), pk = "USER#<id>")]
struct Untagged {
    id: String,
    #[dyna(unique(pk = "CODE#<id>#<code>", tag = "Code"))]
    code: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "tagged", pk = "pk"), pk = "USER#<id>")]
struct Ambiguous {
    id: String,
    #[dyna(unique = "CODE#<id><code>")]
    code: String,
}

fn main() {}
