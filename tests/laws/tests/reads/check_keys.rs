//! `.check_keys()`: an item whose keys are not what its attributes make is a misfit.

use aws_sdk_dynamodb::types::AttributeValue::{self, N, S};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::error::Misfit;
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "shop", pk = "pk", sk = "sk", tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(rank, pk = "team", sk = number("rank")),
    index(state, pk = "state", projection = "keys_only"),
)]
enum Shop {
    Order(Order),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop, pk = "USER#<user|lower>", sk = "ORDER#<n:04>",
    gsi1(as = by_courier, pk = "COURIER#<courier>", sk = "<n:04>"),
    rank(as = by_rank, pk = "<team>", sk = "<rank>"),
    state(as = by_state, pk = "<state>"),
)]
struct Order {
    user: String,
    n: u16,
    courier: Option<String>,
    state: String,
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
        state: "open".into(),
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
        Order::query("ann").count(&db).await.unwrap_err(),
        Order::query_many(["ann", "bob"])
            .count(&db)
            .await
            .unwrap_err(),
        Order::by_courier("bob").count(&db).await.unwrap_err(),
        Order::by_state("open").count(&db).await.unwrap_err(),
        Order::scan().count(&db).await.unwrap_err(),
        Orders::query("ann").count(&db).await.unwrap_err(),
        Shop::scan().count(&db).await.unwrap_err(),
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
    let query = || Order::query("ann").skip_unreadable();
    assert_eq!(query().count(&db).await.unwrap(), 1);
    let scan = || Order::scan().skip_unreadable();
    assert_eq!(scan().count(&db).await.unwrap(), 1);
    // The misfit is first, and a limit does not count it.
    let limited = Order::query("ann").limit(1).skip_unreadable();
    assert_eq!(limited.count(&db).await.unwrap(), 1);
}

/// Also of an index that holds keys alone, and of items of no entity.
#[tokio::test]
async fn items_whose_keys_agree_are_counted() {
    let db = shop().await;
    let mut other = Shop::from(order(1)).to_item().unwrap();
    other.insert("pk".into(), S("OTHER#1".into()));
    other.insert("type".into(), S("Other".into()));
    let put = db.client().put_item().table_name("shop");
    put.set_item(Some(other)).send().await.unwrap();
    let db = db.check_keys();
    assert_eq!(Order::query("ann").count(&db).await.unwrap(), 2);
    assert_eq!(Order::query("ann").limit(1).count(&db).await.unwrap(), 1);
    assert_eq!(Order::by_state("open").count(&db).await.unwrap(), 2);
    assert_eq!(Order::scan().count(&db).await.unwrap(), 2);
    assert_eq!(Orders::query("ann").count(&db).await.unwrap(), 2);
    assert_eq!(Shop::scan().count(&db).await.unwrap(), 3);
    assert_eq!(Shop::scan().skip_unknown().count(&db).await.unwrap(), 2);
}

/// The write is applied, and says so.
#[tokio::test]
async fn item_that_a_write_returns_is_checked() {
    for n in 0..4 {
        let db = shop().await;
        change(&db, "n", Some(N("8".into()))).await;
        let db = db.check_keys();
        let error = match n {
            0 => order(1).put().returning_old().send(&db).await.err(),
            1 => Order::delete("ann", 1)
                .returning_old()
                .send(&db)
                .await
                .err(),
            2 => Order::update("ann", 1)
                .set_by_state("done")
                .returning_old()
                .send(&db)
                .await
                .err(),
            _ => Order::update("ann", 1)
                .set_by_state("done")
                .returning_new()
                .send(&db)
                .await
                .err(),
        };
        let Some(Error::Applied { problem, .. }) = error else {
            panic!("{n}: {error:?}");
        };
        let misfit = matches!(
            *problem,
            Error::Misfit {
                misfit: Misfit::Table,
                ..
            }
        );
        assert!(misfit, "{n}: {problem}");
    }
    let db = shop().await.check_keys();
    let new = order(1).put().returning_new().send(&db).await.unwrap();
    assert_eq!(new, order(1));
    let old = Order::delete("ann", 1).returning_old().send(&db).await;
    assert_eq!(old.unwrap(), Some(order(1)));
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaProjection)]
#[dyna(of = Order)]
struct Head {
    n: u16,
}

/// Also where nothing is found, and where what cannot be read is skipped.
#[tokio::test]
async fn projection_is_refused_before_any_request() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Shop>::embedded_in(&engine).await.unwrap();
    let db = db.check_keys();
    for is_empty in [true, false] {
        if !is_empty {
            order(1).put().send(&db).await.unwrap();
        }
        let before = engine.requests();
        let keys = || [Order::key("ann", 1)];
        let one = || Order::key("ann", 1).project::<Head>();
        let errors = [
            Order::get("ann", 1).project::<Head>().send(&db).await.err(),
            Order::query("ann").project::<Head>().all(&db).await.err(),
            Order::query("ann").project::<Head>().send(&db).await.err(),
            Order::query("ann")
                .project::<Head>()
                .skip_unreadable()
                .all(&db)
                .await
                .err(),
            Order::query_many(["ann", "bob"])
                .project::<Head>()
                .all(&db)
                .await
                .err(),
            Order::by_courier("bob")
                .project::<Head>()
                .hydrate()
                .all(&db)
                .await
                .err(),
            Order::scan().project::<Head>().all(&db).await.err(),
            Order::scan().project::<Head>().send(&db).await.err(),
            db.batch_get(keys()).project::<Head>().await.err(),
            db.transact_get((one(),)).await.err(),
            Order::query("ann").project::<Head>().count(&db).await.err(),
            Order::scan().project::<Head>().count(&db).await.err(),
        ];
        for (n, error) in errors.into_iter().enumerate() {
            let error = error.unwrap_or_else(|| panic!("{n} is read"));
            let is_it = matches!(error, Error::ProjectionUnchecked { projection: "Head" });
            assert!(is_it, "{n}: {error}");
        }
        assert_eq!(engine.requests(), before);
    }
}
