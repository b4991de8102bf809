//! The patterns find exactly what they name, items are stored as in the document, and what it gets wrong has a way out.

mod items;
mod remedies;

use crate::answers::NEW;
use crate::model::{AuthProvider, Serenya, SubscriptionType, User};
use crate::patterns::{self, DOCUMENT_PROCESSING, NewUser, UsageLimit, text};
use crate::sample::{self, JOHN, JOHNS_EMAIL, JOHNS_GOOGLE_ID, now, user_id};
use crate::tiers::{self, Tier};
use crate::{later, opened};
use dyna_examples::{Account, Answers, COLUMNS, Engine, Model};
use dyna_runtime::Table;
use jiff::civil::date;

async fn with_samples() -> Table<Serenya> {
    opened(&Engine::embedded().unwrap()).await.unwrap()
}

#[tokio::test]
async fn users_are_found_by_email_and_by_external_id() {
    let db = &with_samples().await;
    let found = patterns::find_by_email(db, JOHNS_EMAIL).await.unwrap();
    assert_eq!(found, Some(sample::john()));
    let found = patterns::find_by_email(db, "user7@example.com").await;
    assert_eq!(found.unwrap(), Some(sample::other(7)));
    let found = patterns::find_by_email(db, "User@example.com").await;
    assert_eq!(found.unwrap(), None);
    let of = |provider| patterns::find_by_external_id(db, provider, JOHNS_GOOGLE_ID);
    let found = of(AuthProvider::Google).await.unwrap();
    assert_eq!(found, Some(sample::john()));
    assert_eq!(of(AuthProvider::Apple).await.unwrap(), None);
}

#[tokio::test]
async fn a_user_is_created_once() {
    let db = &with_samples().await;
    let created = patterns::create_user(db, NEW, now()).await.unwrap();
    assert_eq!(created.created_at, "2025-09-27T15:45:00.000Z");
    let until = &created.data.subscription.usage_current_period.period_end;
    assert_eq!(until, "2025-10-27T15:45:00.000Z");
    let found = User::get(NEW.id).send(db).await.unwrap();
    assert_eq!(found, Some(created.clone()));
    let other = NewUser {
        name: "Other",
        ..NEW
    };
    let error = patterns::create_user(db, other, now()).await.unwrap_err();
    assert!(error.is_condition_failed());
    let found = User::get(NEW.id).send(db).await.unwrap();
    assert_eq!(found, Some(created));
}

#[tokio::test]
async fn a_session_is_set_with_its_expiry_and_nothing_else() {
    let db = &later(&with_samples().await, 2);
    let session = sample::session("sess_new");
    let update = patterns::update_session(db, JOHN, &session, now());
    update.await.unwrap();
    let mut expected = sample::john();
    expected.data.current_session = Some(session.clone());
    expected.updated_at = "2025-09-27T17:45:00.000Z".to_owned();
    expected.ttl = Some(now().as_second() + 86_400);
    let found = User::get(JOHN).send(db).await.unwrap();
    assert_eq!(found, Some(expected));
    let nobody = patterns::update_session(db, user_id(999), &session, now()).await;
    assert!(nobody.unwrap_err().is_condition_failed());
}

#[tokio::test]
async fn payments_are_created_and_come_latest_first() {
    let db = &with_samples().await;
    let page = patterns::get_user_payments(db, JOHN, 20).await.unwrap();
    let latest_first: Vec<_> = (0..=12).map(sample::johns_payment).collect();
    assert_eq!((page.items, page.next), (latest_first.clone(), None));
    let mut payment = sample::paid(JOHN, date(2025, 9, 28), "payment-new".to_owned());
    patterns::create_payment(db, &payment).await.unwrap();
    payment.created_at = text(now());
    let page = patterns::get_user_payments(db, JOHN, 2).await.unwrap();
    assert_eq!(page.items, [payment, latest_first[0].clone()]);
    assert!(page.next.is_some());
}

#[tokio::test]
async fn the_subscription_is_read_alone_and_replaced() {
    let db = &with_samples().await;
    let found = || patterns::get_current_subscription(db, JOHN);
    assert_eq!(found().await.unwrap(), Some(sample::subscription()));
    let get = User::get(JOHN).project::<crate::CurrentSubscription>();
    let explain = get.explain();
    assert_eq!(
        explain.get("ProjectionExpression"),
        Some("#data.subscription, entity_type")
    );
    let mut premium = sample::subscription();
    premium.subscription_type = SubscriptionType::Premium;
    let update = patterns::update_subscription(db, JOHN, &premium);
    update.await.unwrap();
    assert_eq!(found().await.unwrap(), Some(premium.clone()));
    let nobody = patterns::update_subscription(db, user_id(999), &premium).await;
    assert!(nobody.unwrap_err().is_condition_failed());
    let nobody = patterns::get_current_subscription(db, user_id(999)).await;
    assert_eq!(nobody.unwrap(), None);
}

#[tokio::test]
async fn usage_is_checked_against_the_tier() {
    let db = &with_samples().await;
    let check = |id| patterns::check_usage_limit(db, id, DOCUMENT_PROCESSING);
    let limited = check(JOHN).await.unwrap();
    assert_eq!(limited, UsageLimit::Limited { usage: 2, limit: 5 });
    assert!(limited.is_allowed());
    assert_eq!(check(user_id(3)).await.unwrap(), UsageLimit::Unlimited);
    let nobody = check(user_id(999)).await.unwrap();
    assert_eq!(nobody, UsageLimit::NoSubscription);
    assert!(!nobody.is_allowed());
    assert!(!UsageLimit::Limited { usage: 5, limit: 5 }.is_allowed());
    // The document knows no limit of anything else, but for who has no subscription.
    let chats = patterns::check_usage_limit(db, JOHN, "chat").await;
    assert_eq!(chats.unwrap(), UsageLimit::Unlimited);
    let chats = patterns::check_usage_limit(db, user_id(999), "chat").await;
    assert_eq!(chats.unwrap(), UsageLimit::NoSubscription);
}

#[test]
fn the_tiers_are_those_of_the_document() {
    let [free, premium] = tiers::get_subscription_tiers()[..] else {
        panic!("there are two tiers")
    };
    assert_eq!((free.tier_name, premium.tier_name), ("Free", "Premium"));
    assert_eq!(free.max_documents_per_month, Some(5));
    assert_eq!(free.chat_interactions_per_day, Some(10));
    assert_eq!(premium.max_documents_per_month, None);
    assert_eq!(premium.chat_interactions_per_day, None);
    assert_eq!((free.storage_gb, free.retention_days), (1, 30));
    assert_eq!((premium.storage_gb, premium.retention_days), (10, 365));
    let [free_has, premium_has] = [free, premium].map(|tier| {
        [
            tier.medical_reports,
            tier.priority_processing,
            tier.advanced_analytics,
            tier.export_capabilities,
        ]
    });
    assert_eq!((free_has, premium_has), ([false; 4], [true; 4]));
    let price = |tier: Tier| (tier.monthly_price_usd, tier.yearly_price_usd);
    assert_eq!((price(free), price(premium)), ((0.0, 0.0), (9.99, 99.99)));
    let products = (free.apple_product_id, free.google_product_id);
    assert_eq!(products, (None, None));
    let apple = Some("com.serenya.premium.monthly");
    let google = Some("serenya_premium_monthly");
    let products = (premium.apple_product_id, premium.google_product_id);
    assert_eq!(products, (apple, google));
}

#[tokio::test]
async fn settings_are_found_by_version() {
    let db = &with_samples().await;
    let found = patterns::app_settings(db, "v2").await.unwrap();
    assert_eq!(found, Some(sample::config("v2")));
    assert_eq!(patterns::app_settings(db, "v3").await.unwrap(), None);
}

#[tokio::test]
async fn the_account_fits_the_terminal() {
    let mut account = Account::default();
    let engine = Engine::embedded().unwrap();
    Serenya::tell(&engine, &mut account).await.unwrap();
    let text = account.to_string();
    let wide: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > COLUMNS)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[tokio::test]
async fn every_pattern_answers_but_what_is_meant_to_be_refused() {
    let mut answers = Answers::default();
    let engine = Engine::embedded().unwrap();
    Serenya::answer(&engine, &mut answers).await.unwrap();
    let answers = answers.into_vec();
    assert_eq!(answers.len(), 26);
    let refused: Vec<_> = answers
        .iter()
        .filter(|a| a.answer.get("refused").is_some())
        .map(|a| a.pattern.as_str())
        .collect();
    let meant = [
        "createUser: again",
        "updateSession: of nobody",
        "Count a document: number 6",
        "Register: the same address",
    ];
    assert_eq!(refused, meant);
}
