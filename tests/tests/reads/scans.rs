//! Scans: of an entity, and of a whole table.

use super::{Line, Order, Shop, User, order, shop};
use dyna_runtime::{DynaTable, Error};

#[tokio::test]
async fn scans_of_an_entity_yield_its_items_alone() {
    let (_, db) = shop().await;
    for segments in [1, 4] {
        let mut users = User::scan().segments(segments).all(&db).await.unwrap();
        users.sort_by(|a, b| a.id.cmp(&b.id));
        let ids: Vec<&str> = users.iter().map(|user| user.id.as_str()).collect();
        assert_eq!(ids, ["ann", "bob"]);
        let orders = Order::scan()
            .segments(segments)
            .page_size(9)
            .all(&db)
            .await
            .unwrap();
        assert_eq!(orders.len(), 80);
    }
    let some = Order::scan().filter(Order::N.lt(3)).all(&db).await.unwrap();
    assert_eq!(some.len(), 6);
}

#[tokio::test]
async fn scans_of_a_table_yield_the_sum_of_its_entities() {
    let (_, db) = shop().await;
    let items = Shop::scan().segments(3).all(&db).await.unwrap();
    let orders = items
        .iter()
        .filter(|item| matches!(item, Shop::Order(_)))
        .count();
    let lines = items
        .iter()
        .filter(|item| matches!(item, Shop::Line(_)))
        .count();
    assert_eq!((items.len(), orders, lines), (162, 80, 80));
    assert!(
        items.contains(
            &User {
                id: "ann".to_owned()
            }
            .into()
        )
    );
}

#[tokio::test]
async fn pages_of_a_scan_are_the_scan() {
    let (_, db) = shop().await;
    let all = Order::scan().all(&db).await.unwrap();
    for size in [1, 13, 80, 100] {
        let (mut items, mut cursor) = (Vec::new(), None);
        loop {
            let page = Order::scan()
                .limit(size)
                .after(cursor)
                .send(&db)
                .await
                .unwrap();
            assert!(page.items.len() <= size);
            items.extend(page.items);
            // A cursor survives as text.
            cursor = page.next.map(|next| next.to_string().parse().unwrap());
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(items, all);
    }
}

#[tokio::test]
async fn cursor_of_a_scan_is_refused_elsewhere() {
    let (engine, db) = shop().await;
    let cursor = Order::scan().limit(1).send(&db).await.unwrap().next;
    let before = engine.requests();
    let error = User::scan()
        .after(cursor.clone())
        .send(&db)
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::Cursor { entity: "User", .. }),
        "{error}"
    );
    let error = Order::query("ann")
        .after(cursor)
        .send(&db)
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Cursor {
                entity: "Order",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn a_limit_of_a_scan_is_of_all_segments_together() {
    let (_, db) = shop().await;
    for segments in [1, 3, 8] {
        let some = Order::scan().segments(segments).limit(7);
        assert_eq!(some.all(&db).await.unwrap().len(), 7, "{segments}");
    }
}

#[tokio::test]
async fn rest_after_a_page_of_a_scan_can_be_read_at_once() {
    let (engine, db) = shop().await;
    let mut orders = Order::scan().limit(30).send(&db).await.unwrap();
    let rest = Order::scan().after(orders.next.clone());
    orders
        .items
        .extend(rest.segments(4).all(&db).await.unwrap());
    assert_eq!(orders.items, Order::scan().all(&db).await.unwrap());
    let before = engine.requests();
    let foreign = Line::scan().after(orders.next).all(&db).await;
    assert!(matches!(foreign, Err(Error::Cursor { .. })));
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn item_with_the_tag_of_no_entity_is_of_none() {
    use aws_sdk_dynamodb::types::AttributeValue::S;
    let mut item = Shop::from(order("ann", 1)).to_item().unwrap();
    assert_eq!(
        Shop::from_item(item.clone()).unwrap(),
        order("ann", 1).into()
    );
    item.remove("kind");
    assert_eq!(
        Shop::from_item(item.clone()).unwrap(),
        order("ann", 1).into()
    );
    item.insert("kind".to_owned(), S("OrderV2".to_owned()));
    let error = Shop::from_item(item).unwrap_err();
    assert!(
        matches!(error, Error::UnknownItem { table: "Shop", .. }),
        "{error}"
    );
    // Where it is, is there for those who ask.
    assert!(!format!("{error} {error:?}").contains("ann"));
    let key = error.key().unwrap();
    assert_eq!(key.to_string(), "<pk>/<sk>");
    assert_eq!(key.reveal(), "USER#ann/ORDER#00001");
}
