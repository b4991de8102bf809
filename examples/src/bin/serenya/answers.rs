//! The patterns and the remedies with their sample data, as answers that are compared between engines.

use crate::model::{AuthProvider, Serenya, SubscriptionType, User};
use crate::patterns::{self as p, DOCUMENT_PROCESSING, NewUser};
use crate::sample::{self, JOHN, JOHNS_EMAIL, JOHNS_GOOGLE_ID, now, user_id};
use crate::{later, remedies};
use dyna_examples::Answers;
use dyna_runtime::Table;
use jiff::civil::date;

pub const NEW: NewUser<'_> = NewUser {
    id: uuid::uuid!("00000000-0000-0000-0000-000000000100"),
    email: "new@example.com",
    name: "New",
    auth_provider: AuthProvider::Google,
    external_id: "999",
};

pub async fn of_users(to: &mut Answers, db: &Table<Serenya>) {
    to.ask("findByEmail", p::find_by_email(db, JOHNS_EMAIL))
        .await;
    let found = p::find_by_external_id(db, AuthProvider::Google, JOHNS_GOOGLE_ID);
    to.ask("findByExternalId", found).await;
    let found = p::find_by_external_id(db, AuthProvider::Apple, JOHNS_GOOGLE_ID);
    to.ask("findByExternalId: of another provider", found).await;
    to.ask("createUser", p::create_user(db, NEW, now())).await;
    to.ask("createUser: again", p::create_user(db, NEW, now()))
        .await;
    let session = sample::session("sess_new");
    let update = p::update_session(db, JOHN, &session, now());
    to.ask("updateSession", update).await;
    to.ask("updateSession: after that", User::get(JOHN).send(db))
        .await;
    let nobody = p::update_session(db, user_id(999), &session, now());
    to.ask("updateSession: of nobody", nobody).await;
    let tomorrow = &later(db, 25);
    let expired = User::get(JOHN).skip_expired().send(tomorrow);
    to.ask("updateSession: a day later", expired).await;
}

pub async fn of_payments(to: &mut Answers, db: &Table<Serenya>) {
    let payment = sample::paid(JOHN, date(2025, 9, 28), "payment-new".to_owned());
    to.ask("createPayment", p::create_payment(db, &payment))
        .await;
    to.page("getUserPayments", p::get_user_payments(db, JOHN, 5))
        .await;
}

pub async fn of_subscriptions(to: &mut Answers, db: &Table<Serenya>) {
    to.ask(
        "getCurrentSubscription",
        p::get_current_subscription(db, JOHN),
    )
    .await;
    to.ask(
        "checkUsageLimit",
        p::check_usage_limit(db, JOHN, DOCUMENT_PROCESSING),
    )
    .await;
    for nth in 3..=6 {
        let counted = remedies::count_document(db, JOHN);
        to.ask(&format!("Count a document: number {nth}"), counted)
            .await;
    }
    to.ask(
        "checkUsageLimit: used up",
        p::check_usage_limit(db, JOHN, DOCUMENT_PROCESSING),
    )
    .await;
    let mut premium = sample::subscription();
    premium.subscription_type = SubscriptionType::Premium;
    let update = p::update_subscription(db, JOHN, &premium);
    to.ask("updateSubscription", update).await;
    to.ask(
        "checkUsageLimit: premium",
        p::check_usage_limit(db, JOHN, DOCUMENT_PROCESSING),
    )
    .await;
    let nobody = p::check_usage_limit(db, user_id(999), DOCUMENT_PROCESSING);
    to.ask("checkUsageLimit: nobody", nobody).await;
    let chats = p::check_usage_limit(db, user_id(1), "chat");
    to.ask("checkUsageLimit: another feature", chats).await;
    to.ask("App settings", p::app_settings(db, "v1")).await;
}

pub async fn of_remedies(to: &mut Answers, db: &Table<Serenya>) {
    let first = p::new_user(
        NewUser {
            id: user_id(200),
            email: "once@example.com",
            external_id: "200",
            ..NEW
        },
        now(),
    );
    to.ask("Register", remedies::register(db, &first)).await;
    let mut second = first.clone();
    second.data.id = user_id(201);
    "201".clone_into(&mut second.data.external_id);
    to.ask(
        "Register: the same address",
        remedies::register(db, &second),
    )
    .await;
    let found = p::find_by_email(db, "once@example.com");
    to.ask("Register: who has the address", found).await;
}
