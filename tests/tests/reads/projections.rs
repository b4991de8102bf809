//! Some fields instead of the whole: from the table, from indexes that hold only some attributes, and whole entities by their keys.

use super::collected;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaFields, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "projections",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(keys, pk = "gsi2pk", sk = "gsi2sk", projection = "keys_only"),
    local_index(some, sk = "lsi1", projection = include("name", "data"))
)]
enum Shop {
    Order(Order),
    Line(Line),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "USER#<user>",
    sk = "ORDER#<n:05>",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "<n:05>"),
    keys(as = by_courier, pk = "COURIER#<courier>", sk = "<n:05>"),
    some(as = by_name, pk = "USER#<user>", sk = "NAME#<name>"),
)]
struct Order {
    #[dyna(key_only)]
    user: String,
    n: u32,
    name: String,
    state: String,
    courier: Option<String>,
    ship_to: String,
    data: Data,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
#[serde(rename_all = "camelCase")]
struct Data {
    status: String,
    long_text: String,
    more: Option<More>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct More {
    a: u32,
    b: u32,
}

/// Below its order, so that a query of orders meets lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "USER#<user>", sk = "ORDER#<n:05>#LINE#<at:05>")]
struct Line {
    user: String,
    n: u32,
    at: u32,
}

/// Reserved words, a key-only field and a part of a nested struct.
#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[dyna(of = Order)]
struct Head {
    user: String,
    name: String,
    ship_to: String,
    #[dyna(nested)]
    data: Status,
}

#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Data)]
struct Status {
    status: String,
    #[dyna(nested)]
    more: Option<OnlyB>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = More)]
struct OnlyB {
    b: u32,
}

/// Nothing but what is in the key.
#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Order, index = keys, index = some)]
struct Who {
    user: String,
}

/// Within what the local index includes.
#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Order, index = some)]
struct Named {
    name: String,
    #[dyna(nested)]
    data: Status,
}

#[derive(Debug, Clone, PartialEq, Deserialize, DynaProjection)]
#[serde(rename_all = "camelCase")]
#[dyna(of = Order)]
struct ShipTo {
    ship_to: String,
}

const ORDERS: u32 = 30;

fn order(n: u32) -> Order {
    Order {
        user: "ann".to_owned(),
        n,
        name: format!("name-{:05}", ORDERS - n),
        state: "open".to_owned(),
        courier: n.is_multiple_of(2).then(|| "cat".to_owned()),
        ship_to: format!("street {n}"),
        data: Data {
            status: format!("status {n}"),
            long_text: "x".repeat(300),
            more: n.is_multiple_of(3).then_some(More { a: n, b: n + 1 }),
        },
    }
}

fn head(n: u32) -> Head {
    let Order {
        user,
        name,
        ship_to,
        data,
        ..
    } = order(n);
    Head {
        user,
        name,
        ship_to,
        data: status(data),
    }
}

fn status(data: Data) -> Status {
    Status {
        status: data.status,
        more: data.more.map(|More { b, .. }| OnlyB { b }),
    }
}

async fn shop() -> (Embedded, Table<Shop>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::embedded_in(&engine).await.unwrap();
    for n in 0..ORDERS {
        order(n).create().send(&db).await.unwrap();
        let user = "ann".to_owned();
        let line = Line { user, n, at: 1 };
        line.create().send(&db).await.unwrap();
    }
    (engine, db)
}

#[tokio::test]
async fn every_read_by_key_projects() {
    let (_, db) = shop().await;
    let get = Order::get("ann", 3).project::<Head>();
    assert_eq!(get.send(&db).await.unwrap(), Some(head(3)));
    let none = Order::get("ann", 999).project::<Head>().consistent();
    assert_eq!(none.send(&db).await.unwrap(), None);

    let keys = [5, 999, 4, 5].map(|n| Order::key("ann", n));
    let batch = db.batch_get(keys).project::<Head>().await.unwrap();
    let expected = [Some(head(5)), None, Some(head(4)), Some(head(5))];
    assert_eq!(batch.items, expected);

    let keys = (
        Order::key("ann", 1).project::<ShipTo>(),
        Order::key("ann", 2),
        Order::key("ann", 999).project::<Head>(),
        Order::key("ann", 3).project::<Head>(),
    );
    let found = db.transact_get(keys).await.unwrap();
    let ship_to = "street 1".to_owned();
    let expected = (
        Some(ShipTo { ship_to }),
        Some(order(2)),
        None,
        Some(head(3)),
    );
    assert_eq!(found, expected);
}

#[test]
fn projection_expression_is_minimal() {
    let asked = |explain: dyna_runtime::Explain| {
        let asked = explain.get("ProjectionExpression");
        asked.unwrap_or_default().to_owned()
    };
    let head = "#name, shipTo, #data.#status, #data.more.b";
    // `user` is in the key alone. The tag says whether the item is an order at all.
    let get = Order::get("ann", 3);
    assert_eq!(
        asked(get.clone().project::<Head>().explain()),
        format!("{head}, pk, sk, #type")
    );
    assert_eq!(
        asked(get.clone().project::<ShipTo>().explain()),
        "shipTo, #type"
    );
    assert_eq!(
        asked(get.clone().project::<Who>().explain()),
        "pk, sk, #type"
    );
    assert_eq!(asked(get.explain()), "");

    let aliases = Order::get("ann", 3).project::<Head>().explain();
    assert_eq!(aliases.get("#status"), Some("status"));
    assert_eq!(aliases.get("#data"), Some("data"));

    // A page ends at keys, so a query reads those of the index too.
    assert_eq!(
        asked(Order::by_state("open").project::<ShipTo>().explain()),
        "shipTo, gsi1pk, gsi1sk, pk, sk, #type"
    );
    assert_eq!(
        asked(Order::by_state("open").hydrate().explain()),
        "gsi1pk, gsi1sk, pk, sk, #type"
    );
}

/// Law: whatever the size of the pages, a projected query is the projection of the query.
#[tokio::test]
async fn pages_of_a_projection_are_exact() {
    let (_, db) = shop().await;
    let all: Vec<Head> = (0..ORDERS).map(head).collect();
    let even: Vec<Head> = (0..ORDERS).step_by(2).map(head).collect();
    let query = Order::query("ann").project::<Head>();
    assert_eq!(query.clone().all(&db).await.unwrap(), all);
    assert_eq!(query.clone().count(&db).await.unwrap(), all.len());
    for size in [1, 4, 7] {
        let query = query.clone().page_size(size);
        assert_eq!(collected(query.clone().stream(&db)).await, all);
        // A filter may name what is not read.
        let filtered = query
            .clone()
            .filter(Order::COURIER.has_type(dyna_runtime::expr::AttributeType::S));
        let (mut items, mut cursor) = (Vec::new(), None);
        loop {
            let page = filtered.clone().limit(4).after(cursor).send(&db).await;
            let page = page.unwrap();
            assert!(page.items.len() == 4 || page.next.is_none());
            items.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(items, even);
    }
    let newest = query.clone().descending();
    assert_eq!(newest.first(&db).await.unwrap(), Some(head(ORDERS - 1)));
    let error = query.one(&db).await.unwrap_err();
    assert!(matches!(error, Error::MoreThanOne { entity: "Order" }));
}

#[tokio::test]
async fn scans_project() {
    let (_, db) = shop().await;
    let mut all: Vec<Head> = (0..ORDERS).map(head).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    let scan = || Order::scan().project::<Head>().page_size(7);
    for segments in [1, 3] {
        let mut found = scan().segments(segments).all(&db).await.unwrap();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(found, all);
    }
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let page = scan().limit(4).after(cursor).send(&db).await.unwrap();
        found.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(found, all);
}

#[tokio::test]
async fn partial_indexes_yield_covered_projections() {
    let (_, db) = shop().await;
    let who = Who {
        user: "ann".to_owned(),
    };
    let couriers = Order::by_courier("cat");
    let found = couriers.clone().project::<Who>().all(&db).await.unwrap();
    assert_eq!(found, vec![who.clone(); 15]);
    assert_eq!(couriers.clone().count(&db).await.unwrap(), 15);
    assert_eq!(
        couriers
            .project::<Who>()
            .limit(3)
            .all(&db)
            .await
            .unwrap()
            .len(),
        3
    );

    // The local index sorts by name, which runs backwards; it can be read consistently.
    let expected: Vec<Named> = (0..ORDERS)
        .rev()
        .map(|n| Named {
            name: order(n).name,
            data: status(order(n).data),
        })
        .collect();
    let names = Order::by_name("ann").project::<Named>().consistent();
    assert_eq!(names.all(&db).await.unwrap(), expected);

    let found = Order::scan().index(Shop::KEYS).project::<Who>();
    assert_eq!(found.all(&db).await.unwrap(), vec![who; 15]);
}

#[tokio::test]
async fn filters_name_only_attributes_of_the_index() {
    let (engine, db) = shop().await;
    let before = engine.requests();
    let absent = || Order::SHIP_TO.eq("street 2");
    let expected = "Order: shipTo: a filter cannot name an attribute that the index does not hold";
    let query = Order::by_courier("cat").filter(absent()).hydrate();
    assert_eq!(query.explain().get("Error"), Some(expected));
    assert_eq!(query.all(&db).await.unwrap_err().to_string(), expected);
    let scan = Order::scan().filter(absent()).index(Shop::KEYS).hydrate();
    assert_eq!(scan.explain().get("Error"), Some(expected));
    assert_eq!(scan.all(&db).await.unwrap_err().to_string(), expected);
    assert_eq!(engine.requests(), before);
}

/// Law: what `hydrate` yields through an index is what the table holds, in the order of the index.
#[tokio::test]
async fn hydrated_queries_yield_whole_entities_in_the_order_of_the_index() {
    let (engine, db) = shop().await;
    let even: Vec<Order> = (0..ORDERS).step_by(2).map(order).collect();
    let query = Order::by_courier("cat").hydrate();
    let before = engine.requests();
    assert_eq!(query.clone().all(&db).await.unwrap(), even);
    assert_eq!(engine.requests() - before, 2);
    for size in [1, 4, 100] {
        let query = query.clone().page_size(size);
        assert_eq!(collected(query.stream(&db)).await, even);
    }
    let (mut items, mut cursor) = (Vec::new(), None);
    loop {
        let page = query.clone().limit(4).after(cursor).send(&db).await;
        let page = page.unwrap();
        items.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(items, even);
    let newest = query.clone().descending().first(&db).await.unwrap();
    assert_eq!(newest, even.last().cloned());
    let one = Order::by_courier("cat").n(4).hydrate().one(&db).await;
    assert_eq!(one.unwrap(), Some(order(4)));
    // Both orders of the two mean the same.
    let heads: Vec<Head> = (0..ORDERS).step_by(2).map(head).collect();
    let projected = query.project::<Head>().all(&db).await.unwrap();
    assert_eq!(projected, heads);
    let projected = Order::by_courier("cat").project::<Head>().hydrate();
    assert_eq!(projected.all(&db).await.unwrap(), heads);

    let mut scanned = Order::scan().index(Shop::KEYS).hydrate().page_size(4);
    let mut found = scanned.all(&db).await.unwrap();
    found.sort_by_key(|order| order.n);
    assert_eq!(found, even);
    scanned = Order::scan().index(Shop::KEYS).hydrate().limit(7);
    assert_eq!(scanned.send(&db).await.unwrap().items.len(), 7);
    let whole = Shop::scan().index(Shop::KEYS).hydrate().all(&db).await;
    assert_eq!(whole.unwrap().len(), even.len());
}
