//! `.check_keys()`: an item whose keys are not what its attributes make is a misfit.

use aws_sdk_dynamodb::types::AttributeValue::{self, N, S};
use dyna_runtime::error::Misfit;
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "shop", pk = "pk", sk = "sk", tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(rank, pk = "team", sk = number("rank")),
)]
enum Shop {
    Order(Order),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop, pk = "USER#<user|lower>", sk = "ORDER#<n:04>",
    gsi1(as = by_courier, pk = "COURIER#<courier>", sk = "<n:04>"),
    rank(as = by_rank, pk = "<team>", sk = "<rank>"),
)]
struct Order {
    user: String,
    n: u16,
    courier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Orders {
    Order(Order),
}

fn order(n: u16) -> Order {
    Order {
        user: "Ann".into(),
        n,
        courier: Some("bob".into()),
        team: Some("red".into()),
        rank: Some(7),
    }
}

async fn shop() -> Table<Shop> {
    let db = Shop::embedded().await.unwrap();
    order(1).put().send(&db).await.unwrap();
    Order {
        courier: None,
        rank: None,
        ..order(2)
    }
    .put()
    .send(&db)
    .await
    .unwrap();
    db
}

/// Changes one attribute of order 1 behind Dyna's back.
async fn change(db: &Table<Shop>, name: &str, value: Option<AttributeValue>) {
    let mut item = Shop::from(order(1)).to_item().unwrap();
    item.remove(name);
    item.extend(value.map(|value| (name.to_owned(), value)));
    db.client()
        .put_item()
        .table_name("shop")
        .set_item(Some(item))
        .send()
        .await
        .unwrap();
}

#[tokio::test]
async fn keys_that_attributes_make_pass() {
    let db = shop().await.check_keys();
    assert_eq!(Order::query("ann").all(&db).await.unwrap().len(), 2);
    assert_eq!(Order::scan().all(&db).await.unwrap().len(), 2);
    assert_eq!(Order::by_rank("red").all(&db).await.unwrap().len(), 1);
    assert_eq!(Shop::scan().all(&db).await.unwrap().len(), 2);
}

#[tokio::test]
async fn read_that_disagrees_with_its_key_is_a_misfit_of_every_read() {
    let db = shop().await;
    change(&db, "n", Some(N("8".into()))).await;
    assert_eq!(
        Order::query("ann").all(&db).await.unwrap()[0],
        Order { n: 8, ..order(1) }
    );
    let db = db.check_keys();
    let stored = Shop::from(order(1)).to_item().unwrap();
    let mut changed = stored.clone();
    changed.insert("n".into(), N("8".into()));
    let errors = [
        Order::get("ann", 1).send(&db).await.unwrap_err(),
        Order::query("ann").all(&db).await.unwrap_err(),
        Order::query("ann").send(&db).await.unwrap_err(),
        Order::query_many(["ann", "bob"])
            .all(&db)
            .await
            .unwrap_err(),
        Order::by_courier("bob").all(&db).await.unwrap_err(),
        Order::by_courier("bob")
            .hydrate()
            .all(&db)
            .await
            .unwrap_err(),
        Order::scan().all(&db).await.unwrap_err(),
        Order::scan().send(&db).await.unwrap_err(),
        Orders::query("ann").all(&db).await.unwrap_err(),
        Shop::scan().all(&db).await.unwrap_err(),
        db.batch_get([Order::key("ann", 1)]).await.unwrap_err(),
        db.transact_get((Order::key("ann", 1),)).await.unwrap_err(),
        db.read_item(changed).unwrap_err(),
    ];
    for (n, error) in errors.iter().enumerate() {
        assert!(
            matches!(
                error,
                Error::Misfit {
                    entity: "Order",
                    misfit: Misfit::Table,
                    ..
                }
            ),
            "{n}: {error}"
        );
        assert_eq!(error.key().unwrap().reveal(), "USER#ann/ORDER#0001");
        let text = format!("{error} {error:?}");
        assert!(!text.contains("ann") && !text.contains("0001"), "{text}");
    }
    let page = Order::query("ann")
        .skip_unreadable()
        .all(&db)
        .await
        .unwrap();
    assert_eq!((page.items.len(), page.skipped.unreadable.len()), (1, 1));
}

#[tokio::test]
async fn index_key_that_disagrees_names_the_index() {
    for (name, value, index) in [
        ("courier", Some(S("eve".into())), "gsi1"),
        ("courier", None, "gsi1"),
        ("gsi1sk", Some(S("0002".into())), "gsi1"),
    ] {
        let db = shop().await.check_keys();
        change(&db, name, value).await;
        let error = Order::get("ann", 1).send(&db).await.unwrap_err();
        assert!(
            matches!(error, Error::Misfit { misfit: Misfit::Index(it), .. } if it == index),
            "{name}: {error}"
        );
        assert!(error.to_string().contains("index `gsi1`"), "{error}");
    }
}
