use dyna_runtime::DynaTable;

// Without a tag, two entities of one name are told apart by their keys.
#[derive(DynaTable)]
#[dyna(name = "users", pk = "pk")]
enum Users {
    Staff(staff::User),
    Guest(guests::User),
}

mod staff {
    #[derive(serde::Serialize, serde::Deserialize, dyna_runtime::DynaEntity)]
    #[dyna(table = super::Users, pk = "STAFF#<id>")]
    pub struct User {
        id: String,
        #[dyna(unique)]
        email: String,
    }
}

mod guests {
    #[derive(serde::Serialize, serde::Deserialize, dyna_runtime::DynaEntity)]
    #[dyna(table = super::Users, pk = "GUEST#<id>")]
    pub struct User {
        id: String,
        #[dyna(unique)]
        email: String,
    }
}

fn main() {}
