//! What the document gets wrong, and what works.

use super::with_samples;
use crate::answers::NEW;
use crate::model::{SubscriptionType, User};
use crate::patterns::{self, DOCUMENT_PROCESSING, NewUser, UsageLimit};
use crate::remedies::{Session, count_document, payment_id, register};
use crate::sample::{self, JOHN, now, user_id};
use crate::{later, patterns as p};
use jiff::SignedDuration;
use jiff::civil::date;

#[tokio::test]
async fn a_session_of_its_own_ends_without_its_user() {
    let db = &with_samples().await;
    let tomorrow = &later(db, 25);
    // As designed the user is gone with the session.
    let designed = User::get(user_id(1)).skip_expired().send(tomorrow).await;
    assert_eq!(designed.unwrap(), None);

    let mut user = patterns::new_user(NEW, now());
    register(db, &user).await.unwrap();
    let session = Session {
        user_id: NEW.id,
        data: sample::session("sess_own"),
        ttl: now().as_second() + 86_400,
    };
    session.put().send(db).await.unwrap();
    let found = Session::get(NEW.id).skip_expired().send(db).await.unwrap();
    assert_eq!(found, Some(session));
    let found = Session::get(NEW.id)
        .skip_expired()
        .send(tomorrow)
        .await
        .unwrap();
    assert_eq!(found, None);
    let found = User::get(NEW.id)
        .skip_expired()
        .send(tomorrow)
        .await
        .unwrap();
    user.ttl = None;
    assert_eq!(found, Some(user));
}

#[tokio::test]
async fn an_address_and_an_identity_belong_to_one_user() {
    let db = &with_samples().await;
    let new = |n, email, external_id| {
        let new = NewUser {
            id: user_id(n),
            email,
            external_id,
            ..NEW
        };
        p::new_user(new, now())
    };
    // As designed there are two with the same address.
    for n in [100, 101] {
        let user = new(n, "twice@example.com", "100");
        user.create().send(db).await.unwrap();
    }
    let twice = User::by_email("twice@example.com").count(db).await;
    assert_eq!(twice.unwrap(), 2);

    register(db, &new(200, "a@example.com", "1")).await.unwrap();
    let failed = |error: dyna_runtime::Error| {
        let failures = error.failures().iter();
        failures.map(|failure| failure.entity).collect::<Vec<_>>()
    };
    let same_email = register(db, &new(201, "a@example.com", "2")).await;
    assert_eq!(failed(same_email.unwrap_err()), ["EmailClaim"]);
    let same_identity = register(db, &new(202, "b@example.com", "1")).await;
    assert_eq!(failed(same_identity.unwrap_err()), ["IdentityClaim"]);
    register(db, &new(203, "b@example.com", "2")).await.unwrap();
}

#[tokio::test]
async fn payments_of_a_day_come_in_the_order_of_their_ids() {
    let db = &with_samples().await;
    for id in ["payment-9-first", "payment-0-last"] {
        let payment = sample::paid(JOHN, date(2025, 9, 29), id.to_owned());
        patterns::create_payment(db, &payment).await.unwrap();
    }
    let page = patterns::get_user_payments(db, JOHN, 2).await.unwrap();
    let ids: Vec<_> = page.items.iter().map(|p| &*p.data.payment_id).collect();
    assert_eq!(ids, ["payment-9-first", "payment-0-last"]);
}

#[tokio::test]
async fn payments_of_a_day_come_latest_first_if_their_ids_sort_by_time() {
    let db = &with_samples().await;
    let day = date(2025, 9, 29);
    let [morning, noon, evening] =
        [8, 12, 20].map(|hour| payment_id(now() + SignedDuration::from_hours(hour)));
    for id in [&noon, &evening, &morning] {
        let payment = sample::paid(JOHN, day, id.clone());
        patterns::create_payment(db, &payment).await.unwrap();
    }
    let page = patterns::get_user_payments(db, JOHN, 3).await.unwrap();
    let ids: Vec<_> = page.items.into_iter().map(|p| p.data.payment_id).collect();
    assert_eq!(ids, [evening, noon, morning]);
}

#[tokio::test]
async fn documents_are_counted_up_to_the_limit_of_the_tier() {
    let db = &with_samples().await;
    for _ in 2..5 {
        count_document(db, JOHN).await.unwrap();
    }
    let full = count_document(db, JOHN).await.unwrap_err();
    assert!(full.is_condition_failed());
    let used = patterns::check_usage_limit(db, JOHN, DOCUMENT_PROCESSING)
        .await
        .unwrap();
    assert_eq!(used, UsageLimit::Limited { usage: 5, limit: 5 });
    let premium = user_id(3);
    for _ in 0..7 {
        count_document(db, premium).await.unwrap();
    }
    let found = patterns::get_current_subscription(db, premium).await;
    let found = found.unwrap().unwrap();
    assert_eq!(found.subscription_type, SubscriptionType::Premium);
    assert_eq!(found.usage_current_period.documents_processed, 7);
}
