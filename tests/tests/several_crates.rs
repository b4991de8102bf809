//! A table in one crate, its entities in two others, and the registry that proves them disjoint on top.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaTable, Table};
use dyna_tests_orders::{Order, State};
use dyna_tests_people::{Draft, User};
use dyna_tests_table::ShopTable;

#[derive(DynaTable)]
#[dyna(schema = ShopTable)]
enum Shop {
    Order(Order),
    User(User),
}

#[tokio::test]
async fn entities_of_several_crates_share_a_table() {
    let db = Shop::embedded().await.unwrap();
    let user = User {
        id: "ann".to_owned(),
        email: Some("Ann@Example.com".to_owned()),
    };
    let order = |n, state| Order {
        user: "ann".to_owned(),
        n,
        state,
    };
    let orders = [order(1, State::Sent), order(2, State::Open)];
    user.create().send(&db).await.unwrap();
    for it in &orders {
        it.create().send(&db).await.unwrap();
    }
    assert_eq!(
        User::get("ann").send(&db).await.unwrap(),
        Some(user.clone())
    );
    assert_eq!(
        User::by_email("ANN@example.COM").one(&db).await.unwrap(),
        Some(user)
    );
    assert_eq!(Order::query("ann").all(&db).await.unwrap(), orders);
    assert_eq!(
        Order::query("ann").n_range(2_u32..).all(&db).await.unwrap(),
        orders[1..]
    );
    assert_eq!(
        Order::by_state(State::Open)
            .user("ann")
            .all(&db)
            .await
            .unwrap(),
        orders[1..]
    );
}

#[tokio::test]
async fn the_registry_opens_the_table_by_its_own_name() {
    let engine = Embedded::in_memory().unwrap();
    let db: Table<Shop> = Shop::open(engine.client()).with_variable("stage", "test");
    assert_eq!(db.name().unwrap(), "shop-test");
    db.create_table().await.unwrap();
    let user = User {
        id: "bob".to_owned(),
        email: None,
    };
    user.create().send(&db).await.unwrap();
    assert!(
        user.create()
            .send(&db)
            .await
            .unwrap_err()
            .is_condition_failed()
    );
    assert_eq!(User::get("bob").send(&db).await.unwrap(), Some(user));
}

/// An entity that is not listed has keys; that `send` does not take it is shown by the ui tests.
#[test]
fn an_unlisted_entity_has_keys() {
    assert!(Draft::key("ann").check().is_ok());
    assert_eq!(Draft::get("ann").explain().get("Key.sk"), Some("\"DRAFT\""));
    assert_eq!(Shop::ENTITIES.len(), 2);
}
