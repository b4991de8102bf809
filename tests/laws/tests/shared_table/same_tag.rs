//! Two entities may have one tag if their keys are disjoint: then the keys tell them apart, in every read.

use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "shop",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "type")
)]
enum Shop {
    Order(Order),
    OldOrder(OldOrder),
    User(User),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop, pk = "USER#<user>", sk = "ORDER#<n:04>", tag = "Order",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "Order"),
)]
struct Order {
    user: String,
    n: u16,
    state: String,
}

/// As an older program wrote orders: between those of the newer one, and with other fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop, pk = "USER#<user>", sk = "ORDER#<n:04>#V1", tag = "Order",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "Order"),
)]
struct OldOrder {
    user: String,
    n: u16,
    state: String,
    total: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "@")]
struct User {
    user: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Home {
    User(User),
    Order(Order),
    OldOrder(OldOrder),
}

fn order(n: u16) -> Order {
    Order {
        user: "ann".to_owned(),
        n,
        state: "open".to_owned(),
    }
}

fn old(n: u16) -> OldOrder {
    OldOrder {
        user: "ann".to_owned(),
        n,
        state: "open".to_owned(),
        total: 7,
    }
}

async fn both() -> Table<Shop> {
    let db = Shop::embedded().await.unwrap();
    for n in [1, 2] {
        old(n).create().send(&db).await.unwrap();
        order(n).create().send(&db).await.unwrap();
    }
    let user = User {
        user: "ann".to_owned(),
    };
    user.create().send(&db).await.unwrap();
    db
}

#[tokio::test]
async fn entities_with_one_tag_are_distinguished_by_key() {
    let db = both().await;
    let (orders, olds) = ([order(1), order(2)], [old(1), old(2)]);
    assert_eq!(Order::query("ann").all(&db).await.unwrap(), orders);
    assert_eq!(OldOrder::query("ann").all(&db).await.unwrap(), olds);
    assert_eq!(Order::query("ann").count(&db).await.unwrap(), 2);
    assert_eq!(Order::scan().all(&db).await.unwrap(), orders);
    assert_eq!(OldOrder::scan().count(&db).await.unwrap(), 2);
    assert_eq!(Order::scan().count(&db).await.unwrap(), 2);
    let page = Order::query("ann").send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.skipped.foreign), (2, 2));
    assert_eq!(
        OldOrder::get("ann", 1).send(&db).await.unwrap(),
        Some(old(1))
    );
}

/// The sort key of the index is the tag itself, which is the same in both.
#[tokio::test]
async fn index_by_the_tag_yields_only_the_queried_entity() {
    let db = both().await;
    let mut found = Order::by_state("open").all(&db).await.unwrap();
    found.sort_by_key(|order| order.n);
    assert_eq!(found, [order(1), order(2)]);
    assert_eq!(OldOrder::by_state("open").count(&db).await.unwrap(), 2);
}

#[tokio::test]
async fn whole_tables_and_collections_yield_each_item_as_its_own_entity() {
    let db = both().await;
    let all = Shop::scan().all(&db).await.unwrap();
    let is = |want: fn(&Shop) -> bool| all.iter().filter(|one| want(one)).count();
    assert_eq!(is(|one| matches!(one, Shop::Order(_))), 2);
    assert_eq!(is(|one| matches!(one, Shop::OldOrder(_))), 2);
    assert_eq!(is(|one| matches!(one, Shop::User(_))), 1);
    let home = Home::query("ann").all(&db).await.unwrap();
    let user = User {
        user: "ann".to_owned(),
    };
    // '#' stands before '@': orders come first.
    let want = [
        Home::User(user),
        Home::Order(order(1)),
        Home::OldOrder(old(1)),
        Home::Order(order(2)),
        Home::OldOrder(old(2)),
    ];
    assert_eq!(home, want);
}
