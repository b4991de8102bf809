//! Each item type is found by its key, and not under another's.

use super::{sample, with_samples};
use crate::patterns as p;
use sample::{AWS_WABAS, DIWALI, FAMILY, PHONES, TENANTS, WABAS, customer};

/// What a pattern finds.
macro_rules! found {
    ($pattern:expr) => {
        $pattern.await.unwrap()
    };
}

#[tokio::test]
async fn what_is_said_is_found_by_key() {
    let db = with_samples().await;
    let second = Some(sample::message(2));
    assert_eq!(found!(p::message(db, "wamid.0002")), second);
    assert_eq!(found!(p::message(db, "wamid.9999")), None);
    let conversation = sample::conversations().into_iter().nth(3);
    let third = customer(3);
    assert_eq!(found!(p::conversation(db, PHONES[1], &third)), conversation);
    assert_eq!(found!(p::conversation(db, PHONES[0], &third)), None);
    let template = sample::templates().into_iter().nth(3);
    let stored = p::template_eum(db, AWS_WABAS[0], "order_update", "hi");
    assert_eq!(found!(stored), template);
    let template = sample::templates_meta().into_iter().nth(1);
    let stored = p::template_meta(db, WABAS[0], "login_code");
    assert_eq!(found!(stored), template);
    let media = sample::template_media().into_iter().nth(1);
    assert_eq!(found!(p::template_media(db, "banner-1")), media);
    let media = sample::media().into_iter().nth(1);
    assert_eq!(found!(p::media(db, "media-10")), media);
    let campaign = sample::campaigns().into_iter().next();
    assert_eq!(found!(p::campaign(db, DIWALI)), campaign);
}

#[tokio::test]
async fn who_buys_is_found_by_key() {
    let db = with_samples().await;
    let tenant = sample::tenants().into_iter().next();
    assert_eq!(found!(p::tenant(db, TENANTS[0])), tenant);
    let config = sample::payment_configs().into_iter().nth(1);
    let stored = p::payment_config(db, TENANTS[0], "upi");
    assert_eq!(found!(stored), config);
    let order = sample::orders().into_iter().nth(7);
    assert_eq!(found!(p::payment_order(db, "ref-007")), order);
    let refund = sample::refunds().into_iter().nth(3);
    assert_eq!(found!(p::refund(db, "refund-03")), refund);
    let profile = sample::profiles().into_iter().nth(1);
    assert_eq!(found!(p::business_profile(db, WABAS[1])), profile);
    let group = sample::groups().into_iter().next();
    assert_eq!(found!(p::group(db, FAMILY)), group);
    let catalog = sample::catalogs().into_iter().next();
    assert_eq!(found!(p::catalog(db, "spices")), catalog);
    let product = sample::products().into_iter().nth(29);
    assert_eq!(found!(p::product(db, "books", "sku-004")), product);
    let address = sample::addresses().into_iter().nth(3);
    let phone = format!("+{}", customer(3));
    assert_eq!(found!(p::address(db, &phone, "home")), address);
}

#[tokio::test]
async fn what_keeps_it_running_is_found_by_key() {
    let db = with_samples().await;
    let event = sample::events().into_iter().nth(5);
    assert_eq!(found!(p::webhook_event(db, "event-005")), event);
    let config = sample::webhook_configs().into_iter().next();
    assert_eq!(found!(p::webhook_config(db, WABAS[0])), config);
    let call = sample::calls().into_iter().nth(3);
    assert_eq!(found!(p::call(db, "call-03")), call);
    let day = sample::analytics().into_iter().nth(2);
    assert_eq!(found!(p::analytics(db, WABAS[0], "2026-01-02")), day);
    let quality = sample::qualities().into_iter().next();
    assert_eq!(found!(p::phone_quality(db, PHONES[0])), quality);
    let mut configs = sample::configs().into_iter();
    assert_eq!(found!(p::infrastructure_config(db)), configs.next());
    assert_eq!(found!(p::media_types_config(db)), configs.next());
    let response = sample::flow_responses().into_iter().nth(4);
    let stored = p::flow_response(db, "feedback", "response-4");
    assert_eq!(found!(stored), response);
    let record = sample::idempotency().into_iter().nth(2);
    assert_eq!(found!(p::idempotency(db, "request-02")), record);
}
