//! Entities of one name in one transaction.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

mod crm {
    use super::{Deserialize, DynaEntity, DynaTable, Serialize};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "crm", pk = "pk"), pk = "USER#<id>")]
    pub(super) struct User {
        pub(super) id: String,
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "shop", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

#[tokio::test]
async fn each_failure_has_the_item_of_its_own_entity() {
    let engine = Embedded::in_memory().unwrap();
    let shop = Table::<User>::embedded_in(&engine).await.unwrap();
    let crm = Table::<crm::User>::embedded_in(&engine).await.unwrap();
    let (id, other) = ("ann".to_owned(), "eve".to_owned());
    let (ann, eve) = (User { id }, crm::User { id: other });
    let create = || shop.transact().create(&ann).on(&crm).create(&eve).send();
    create().await.unwrap();
    let error = create().await.unwrap_err();
    assert_eq!(error.failures().len(), 2);
    assert_eq!(error.current_item::<User>().unwrap().unwrap(), ann);
    assert_eq!(error.current_item::<crm::User>().unwrap().unwrap(), eve);
    assert!(error.failures()[0].current_item::<crm::User>().is_none());
}
