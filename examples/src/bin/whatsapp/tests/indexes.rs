//! Each index finds what it is for, in order, and nothing else.

use super::{at_time, sample, with_samples};
use crate::model::{Delivery, Direction, Message, OrderStatus, TemplateStatus};
use crate::patterns as p;
use sample::{AWS_WABAS, DAY, DIWALI, FAMILY, TENANTS, WABAS, at, customer, inbox};

/// The sample messages of which this is true, in the order in which they came.
fn messages(which: impl Fn(&Message) -> bool) -> Vec<Message> {
    sample::messages().into_iter().filter(which).collect()
}

#[tokio::test]
async fn messages_are_found_by_direction_in_a_stretch_of_time() {
    let db = with_samples().await;
    // The hour ends before message 38, which is of second 3,686; the message of its very end would not be in it.
    let hour = at(0)..at(97 * 37);
    let found = p::messages_by_direction(db, Direction::Inbound, hour).await;
    let found = found.unwrap();
    assert_eq!(found.len(), 25);
    let first = messages(|m| m.direction == Direction::Inbound && m.received_at < at(97 * 37));
    assert_eq!(found, first);
}

#[tokio::test]
async fn messages_are_found_by_sender_newest_first() {
    let db = with_samples().await;
    let page = p::messages_by_sender(db, &customer(3), 4).await.unwrap();
    // Customer 3 has written messages 3, 33 and so on: none of them has the number 2 modulo 3.
    let ids: Vec<_> = page
        .items
        .iter()
        .map(|m| m.wa_message_id.as_str())
        .collect();
    assert_eq!(
        ids,
        ["wamid.0573", "wamid.0543", "wamid.0513", "wamid.0483"]
    );
    assert!(page.next.is_some());
}

#[tokio::test]
async fn an_inbox_has_conversations_and_messages_apart() {
    let db = with_samples().await;
    let page = p::inbox_view(db, &inbox(0), 10, None).await.unwrap();
    let mut expected: Vec<_> = sample::conversations();
    expected.retain(|conversation| conversation.inbox_pk == inbox(0));
    expected.reverse();
    assert_eq!(page.items, expected[..10]);
    let page = p::inbox_view(db, &inbox(0), 10, page.next).await.unwrap();
    assert_eq!(page.items, expected[10..]);
    assert_eq!(page.next, None);
    let found = p::inbox_messages(db, &inbox(1), at(97 * 590)).await;
    let ids = [591, 593, 595, 597, 599].map(sample::message);
    assert_eq!(found.unwrap(), ids);
}

#[tokio::test]
async fn a_conversation_is_read_backwards_page_by_page() {
    let db = with_samples().await;
    let pk = &sample::conversation_pk(1, &customer(3));
    let page = p::conversation_timeline(db, pk, 15, None).await.unwrap();
    let mut expected = messages(|message| message.conversation_pk == *pk);
    expected.reverse();
    assert_eq!(expected.len(), 20);
    assert_eq!(page.items, expected[..15]);
    let page = p::conversation_timeline(db, pk, 15, page.next)
        .await
        .unwrap();
    assert_eq!(page.items, expected[15..]);
    assert_eq!(page.next, None);
}

#[tokio::test]
async fn messages_are_found_by_delivery_status() {
    let db = with_samples().await;
    let found = p::messages_by_status(db, Delivery::Failed, at(DAY / 2)).await;
    let failed = |m: &Message| m.delivery_status == Some(Delivery::Failed);
    let expected = messages(|m| failed(m) && m.received_at >= at(DAY / 2));
    assert_eq!(expected.len(), 13);
    assert_eq!(found.unwrap(), expected);
}

#[tokio::test]
async fn messages_are_found_by_group_and_by_campaign() {
    let db = with_samples().await;
    let found = p::group_messages(db, FAMILY).await.unwrap();
    assert_eq!(found.len(), 29);
    assert_eq!(found, messages(|m| m.group_id.is_some()));
    let found = p::campaign_messages(db, DIWALI).await.unwrap();
    assert_eq!(found.len(), 40);
    assert_eq!(found, messages(|m| m.campaign_id.is_some()));
}

#[tokio::test]
async fn a_business_has_items_of_twelve_types() {
    let db = with_samples().await;
    let calls = p::calls_of_waba(db, WABAS[0]).await.unwrap();
    let expected = sample::calls().into_iter().step_by(2);
    assert_eq!(calls, expected.collect::<Vec<_>>());
    let counts = p::items_of_waba(db, WABAS[0]).await.unwrap();
    let expected = [
        ("ANALYTICS", 14),
        ("BUSINESS_PROFILE", 1),
        ("CALL", 8),
        ("CAMPAIGN", 3),
        ("CATALOG", 1),
        ("CONVERSATION", 15),
        ("GROUP", 0),
        ("MEDIA", 30),
        ("QUALITY_RATING", 1),
        ("TEMPLATE_META", 3),
        ("WEBHOOK_CONFIG", 1),
        ("WEBHOOK_EVENT", 100),
    ];
    assert_eq!(counts, expected);
}

#[tokio::test]
async fn a_customer_has_orders_refunds_and_addresses() {
    let db = with_samples().await;
    let phone = format!("+{}", customer(3));
    let found = p::customer(db, &phone).await.unwrap();
    let orders = sample::orders();
    assert_eq!(found.orders, [orders[3].clone(), orders[33].clone()]);
    assert_eq!(found.refunds, [sample::refunds()[2].clone()]);
    assert_eq!(found.addresses, [sample::addresses()[3].clone()]);
    let (order, refunds) = p::order(db, "order-003").await.unwrap();
    assert_eq!(order, Some(orders[3].clone()));
    assert_eq!(refunds, found.refunds);
}

#[tokio::test]
async fn a_catalog_has_its_products_by_number() {
    let db = with_samples().await;
    let page = p::catalog_products(db, "spices", 20, None).await.unwrap();
    assert_eq!(page.items, sample::products()[..20]);
    let page = p::catalog_products(db, "spices", 20, page.next).await;
    let page = page.unwrap();
    assert_eq!(page.items, sample::products()[20..25]);
    assert_eq!(page.next, None);
}

#[tokio::test]
async fn a_tenant_has_ways_of_payment_orders_and_refunds() {
    let db = with_samples().await;
    let found = p::tenant_items(db, TENANTS[1]).await.unwrap();
    assert_eq!(found.tenant, Some(sample::tenants()[1].clone()));
    assert_eq!(found.payment_configs, sample::payment_configs()[2..]);
    assert_eq!((found.orders, found.refunds), (30, 5));
}

#[tokio::test]
async fn orders_are_found_by_payment_status_newest_first() {
    let db = with_samples().await;
    let page = p::orders_by_payment_status(db, "pending", 5).await.unwrap();
    let mut expected = sample::orders();
    expected.retain(|order| order.status == OrderStatus::Pending);
    expected.reverse();
    assert_eq!(expected.len(), 20);
    assert_eq!(page.items, expected[..5]);
}

#[tokio::test]
async fn templates_are_found_by_business_and_by_name() {
    let db = with_samples().await;
    let all = sample::templates();
    let of = |waba, status| p::templates_by_waba(db, waba, status);
    let found = of(AWS_WABAS[1], TemplateStatus::Approved).await.unwrap();
    let expected = [6, 7, 9, 10].map(|number| all[number].clone());
    assert_eq!(found, expected);
    assert_eq!(of(AWS_WABAS[0], TemplateStatus::Paused).await.unwrap(), []);
    let found = p::templates_by_name(db, "login_code", "hi").await.unwrap();
    assert_eq!(found, [all[5].clone(), all[11].clone()]);
}

#[tokio::test]
async fn webhook_events_are_found_by_type_until_they_expire() {
    let db = with_samples().await;
    let found = p::webhook_events(db, "status", at(DAY)).await.unwrap();
    let mut expected = sample::events();
    expected.retain(|event| event.event_type == "status" && event.received_at >= at(DAY));
    assert_eq!(expected.len(), 19);
    assert_eq!(found, expected);
    // Event 150 is of second 90,000: 30 days after that, it and those before it are gone.
    let later = &at_time(db, at(90_000 + 30 * DAY));
    let found = p::webhook_events(later, "status", at(DAY)).await.unwrap();
    expected.retain(|event| event.received_at > at(90_000));
    assert_eq!(found, expected);
}

#[tokio::test]
async fn what_has_expired_is_not_found() {
    let db = with_samples().await;
    // Request 2 was answered in second 120, and media 10 came in second 970.
    let day = |seconds| at_time(db, at(seconds));
    let request = async |db| p::idempotency(&db, "request-02").await.unwrap();
    assert!(request(day(120 + DAY - 1)).await.is_some());
    assert!(request(day(120 + DAY)).await.is_none());
    let media = async |db| p::media(&db, "media-10").await.unwrap();
    assert!(media(day(970 + 7 * DAY - 1)).await.is_some());
    assert!(media(day(970 + 7 * DAY)).await.is_none());
}
