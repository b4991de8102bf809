//! A health app in one table, all of it under `data`: every access pattern of its design, run against the embedded engine.
//!
//! `model` is all there is to write; `patterns` is how it is used. The program writes about 400 items, runs the patterns and then what
//! the design gets wrong, with the way out, and prints what it asked and what it got.
//!
//! `serenya schema --help` has the forms of its schema.

#![expect(
    unreachable_pub,
    reason = "the model and its patterns read as they would in a library"
)]

mod account;
mod answers;
mod model;
mod patterns;
mod remedies;
mod sample;
#[cfg(test)]
mod tests;
mod tiers;

use dyna_examples::{Account, Answers, Declared, Engine, Model, Result, contents, show};
use dyna_runtime::{Explain, Table};
use jiff::SignedDuration;
use jiff::civil::date;
use model::{AuthProvider, CurrentSubscription, Payment, Serenya, SystemConfig, User, UserData};
use patterns::{
    DOCUMENT_PROCESSING, app_settings, check_usage_limit, create_payment, create_user,
    find_by_email, find_by_external_id, get_current_subscription, get_user_payments,
    update_session, update_subscription,
};
use remedies::{Session, count_document, payment_id, register};
use sample::{JOHN, JOHNS_EMAIL, JOHNS_GOOGLE_ID, now, user_id};
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("schema") {
        return dyna_examples::schema(sample::shown(), arguments).await;
    }
    dyna_examples::main::<Serenya>().await
}

impl Model for Serenya {
    const NAME: &'static str = "serenya";
    const DOCUMENT: &'static str = include_str!("document.txt");

    fn tables() -> Vec<Declared> {
        vec![Declared::of::<Serenya>()]
    }

    async fn tell(engine: &Engine, to: &mut Account) -> Result<()> {
        let db = &opened(engine).await?;
        to.heading("Serenya: one table, everything under `data`, two look-ups");
        to.contents(&contents(db).await?);
        run_users(to, db).await?;
        run_payments(to, db).await?;
        run_remedies(to, db).await
    }

    async fn answer(engine: &Engine, to: &mut Answers) -> Result<()> {
        let db = &opened(engine).await?;
        answers::of_users(to, db).await;
        answers::of_payments(to, db).await;
        answers::of_subscriptions(to, db).await;
        answers::of_remedies(to, db).await;
        Ok(())
    }
}

/// The table with its sample items, at the time of the document.
async fn opened(engine: &Engine) -> Result<Table<Serenya>> {
    let db = later(&engine.open("example").await?, 0);
    sample::write(&db).await?;
    Ok(db)
}

/// The same table, so many hours later.
fn later(db: &Table<Serenya>, hours: u64) -> Table<Serenya> {
    let since_1970 = Duration::from_secs(now().as_second().unsigned_abs() + hours * 3_600);
    db.clone().with_clock(move || UNIX_EPOCH + since_1970)
}

async fn run_users(to: &mut Account, db: &Table<Serenya>) -> Result<()> {
    to.heading("Users and settings");
    to.say("Each pattern: the request in Rust, what it asks DynamoDB, and what it gets.");
    show!(to, "findByEmail: the address is hashed when it is written and when it is looked up":
        User::by_email(JOHNS_EMAIL) => find_by_email(db, JOHNS_EMAIL));
    let google = AuthProvider::Google;
    show!(to, "findByExternalId":
        User::by_external_id(google, JOHNS_GOOGLE_ID)
            => find_by_external_id(db, google, JOHNS_GOOGLE_ID));
    to.title("createUser, twice");
    let new = patterns::new_user(answers::NEW, now());
    to.code("user.create()");
    let request = new.create().explain();
    to.asks(&format!(
        "PutItem: ConditionExpression: {}",
        request.get("ConditionExpression").unwrap_or_default()
    ));
    to.gets(&Some(create_user(db, answers::NEW, now()).await?));
    to.gets(&create_user(db, answers::NEW, now()).await.err());
    to.title("updateSession: one map within `data`, and the expiry");
    to.code(
        "User::update(id).set(User::DATA.field(UserData::CURRENT_SESSION), ..).set(User::TTL, ..)",
    );
    let session = sample::session("sess_new");
    let current = User::DATA.field(UserData::CURRENT_SESSION);
    let request = User::update(JOHN).set(current, &session).set(User::TTL, 0);
    to.asks(&shown(&request.explain()));
    update_session(db, JOHN, &session, now()).await?;
    let john = User::get(JOHN).send(db).await?;
    let session = john.and_then(|john| john.data.current_session);
    to.gets(&session.map(|session| session.session_id));
    show!(to, "The settings of a version":
        SystemConfig::get("app_settings", "v1") => app_settings(db, "v1"));
    Ok(())
}

/// An update without its values, which are long.
fn shown(request: &Explain) -> String {
    let expression = request.get("UpdateExpression").unwrap_or_default();
    format!("UpdateItem: {expression}")
}

async fn run_payments(to: &mut Account, db: &Table<Serenya>) -> Result<()> {
    to.heading("Payments and subscriptions");
    let payment = sample::paid(JOHN, date(2025, 9, 28), "payment-new".to_owned());
    to.title("createPayment");
    to.code("payment.create()");
    create_payment(db, &payment).await?;
    to.gets(&Some(&payment));
    show!(to, "getUserPayments, latest first":
        Payment::query(JOHN).descending().limit(3) => get_user_payments(db, JOHN, 3));
    show!(to, "getCurrentSubscription reads nothing else":
        User::get(JOHN).project::<CurrentSubscription>() => get_current_subscription(db, JOHN));
    to.title("getSubscriptionTiers: constants of the program");
    to.gets(&tiers::get_subscription_tiers());
    to.title("checkUsageLimit: the subscription against its tier");
    to.code("get_current_subscription(db, user_id)\ntier(subscription.subscription_type).max_documents_per_month");
    to.gets(&Some(
        check_usage_limit(db, JOHN, DOCUMENT_PROCESSING).await?,
    ));
    to.title("updateSubscription, then checkUsageLimit");
    let mut premium = sample::subscription();
    premium.subscription_type = model::SubscriptionType::Premium;
    let current = User::DATA.field(UserData::SUBSCRIPTION);
    let request = User::update(JOHN).set(current, &premium);
    to.code("User::update(id).set(User::DATA.field(UserData::SUBSCRIPTION), &premium)");
    to.asks(&shown(&request.explain()));
    update_subscription(db, JOHN, &premium).await?;
    to.gets(&Some(
        check_usage_limit(db, JOHN, DOCUMENT_PROCESSING).await?,
    ));
    update_subscription(db, JOHN, &sample::subscription()).await?;
    Ok(())
}

async fn run_remedies(to: &mut Account, db: &Table<Serenya>) -> Result<()> {
    to.heading("Four things that the design does not mean, and the way out");
    to.title(" A  createUser prevents no duplicates");
    to.remark(
        "Its condition is on the id, which is new each time, and an index keeps nothing unique. An item for the address and \
         one for the identity do, created with the user or not at all. Here the same person comes twice:",
    );
    to.code("db.transact().create(&user).create(&email_claim).create(&identity_claim)");
    let mut first = patterns::new_user(answers::NEW, now());
    (first.data.id, first.data.email) = (user_id(200), "once@example.com".to_owned());
    "200".clone_into(&mut first.data.external_id);
    register(db, &first).await?;
    let mut second = first.clone();
    second.data.id = user_id(201);
    to.gets(&register(db, &second).await.err());
    run_expiry(to, db).await?;
    run_payments_of_a_day(to, db).await?;

    to.title(" D  Checked first and counted later, a limit can be passed. One update does both");
    to.code("User::update(id).add(used, 1).when(kind.eq(Premium).or(used.lt(most)))");
    let mut counted = Vec::new();
    for _ in 0..4 {
        counted.push(match count_document(db, JOHN).await {
            Ok(()) => "counted".to_owned(),
            Err(error) => error.to_string(),
        });
    }
    to.gets(&counted);
    Ok(())
}

async fn run_expiry(to: &mut Account, db: &Table<Serenya>) -> Result<()> {
    let tomorrow = &later(db, 25);
    show!(to, " B  A user, a day after the last login":
        User::get(JOHN).skip_expired() => User::get(JOHN).skip_expired().send(tomorrow));
    to.remark(
        "The expiry of the session is on the user, so DynamoDB deletes the user. A session of its own ends alone:",
    );
    let session = Session {
        user_id: user_id(200),
        data: sample::session("sess_own"),
        ttl: now().as_second() + 24 * 3_600,
    };
    session.put().send(db).await?;
    let ended = Session::get(user_id(200)).skip_expired();
    let ended = ended.send(tomorrow).await?;
    to.code("Session::get(user_id(200)).skip_expired()");
    to.gets(&ended.map(|session| session.data.session_id));
    show!(to, User::get(user_id(200)).skip_expired() => User::get(user_id(200)).skip_expired().send(tomorrow));
    Ok(())
}

async fn run_payments_of_a_day(to: &mut Account, db: &Table<Serenya>) -> Result<()> {
    to.title(" C  Latest first is by day: within a day payments come in the order of their ids");
    for id in ["payment-9-of-the-morning", "payment-0-of-the-evening"] {
        let payment = sample::paid(JOHN, date(2025, 9, 29), id.to_owned());
        create_payment(db, &payment).await?;
    }
    to.code("Payment::query(JOHN).descending().limit(2)");
    to.gets(&get_user_payments(db, JOHN, 2).await?);
    to.remark("Ids that sort by time mend that. These are of the morning and of the evening of the next day:");
    for hours in [65, 77] {
        let id = payment_id(now() + SignedDuration::from_hours(hours));
        let payment = sample::paid(JOHN, date(2025, 9, 30), id);
        create_payment(db, &payment).await?;
    }
    to.code("Payment::query(JOHN).descending().limit(2)");
    to.gets(&get_user_payments(db, JOHN, 2).await?);
    Ok(())
}
