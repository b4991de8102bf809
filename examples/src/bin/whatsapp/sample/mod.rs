//! What is in the table: about a thousand items of two businesses, the same each time.

mod business;
mod operations;
mod talk;

pub use business::{
    addresses, catalogs, groups, orders, payment_configs, products, profiles, refunds, tenants,
};
pub use operations::{
    analytics, calls, configs, events, flow_responses, idempotency, qualities, webhook_configs,
};
pub use talk::{
    campaigns, conversations, media, message, messages, template_media, templates, templates_meta,
};

use crate::model::{Time, WhatsApp};
use dyna_cli::Program;
use dyna_runtime::{Result, Table};
use jiff::{SignedDuration, Timestamp};

/// The businesses, as Meta and as AWS know them.
pub const WABAS: [&str; 2] = ["1347766229904230", "1390647332755815"];
pub const AWS_WABAS: [&str; 2] = ["waba-0001", "waba-0002"];
pub const TENANTS: [&str; 2] = ["spice-house", "book-barn"];
/// Their phones; the last part of an ARN is in the keys of conversations.
pub const PHONES: [&str; 2] = ["phone-0001", "phone-0002"];
pub const DIWALI: &str = "diwali-2026";
pub const FAMILY: &str = "group-family";

/// Seconds of a day.
pub const DAY: i64 = 86_400;

/// An instant, in seconds from the first of January 2026.
pub fn at(seconds: i64) -> Time {
    let since_1970 = SignedDuration::from_secs(1_767_225_600 + seconds);
    Time(Timestamp::UNIX_EPOCH + since_1970)
}

/// The phone as the inbox index has it.
pub fn inbox(phone: usize) -> String {
    let account = "arn:aws:social-messaging:ap-south-1:111122223333";
    format!("{account}:phone-number-id/{}", pick(&PHONES, phone))
}

/// A customer's `WhatsApp` id, which is the phone number without the plus.
pub fn customer(number: usize) -> String {
    format!("9198{number:08}")
}

/// The key of a conversation, as messages refer to it.
pub fn conversation_pk(phone: usize, customer: &str) -> String {
    format!("CONV#{}#{customer}", pick(&PHONES, phone))
}

/// One of several, again from the start after the last.
fn pick<T: Copy>(from: &[T], number: usize) -> T {
    from[number % from.len()]
}

/// A count as seconds.
fn seconds(count: usize) -> i64 {
    i64::try_from(count).unwrap_or_default()
}

/// Writes it all.
pub async fn write(db: &Table<WhatsApp>) -> Result<()> {
    let mut left = db
        .batch_write()
        .put_all(&messages())
        .put_all(&conversations())
        .put_all(&tenants())
        .put_all(&payment_configs())
        .put_all(&orders())
        .put_all(&refunds())
        .put_all(&profiles())
        .put_all(&templates())
        .put_all(&templates_meta())
        .put_all(&template_media())
        .put_all(&media())
        .put_all(&groups())
        .put_all(&catalogs())
        .put_all(&products())
        .put_all(&campaigns())
        .put_all(&events())
        .put_all(&webhook_configs())
        .put_all(&calls())
        .put_all(&analytics())
        .put_all(&qualities())
        .put_all(&configs())
        .put_all(&addresses())
        .put_all(&flow_responses())
        .put_all(&idempotency());
    while !left.is_empty() {
        left = left.send().await?;
    }
    Ok(())
}

/// The schema of the table, with an item or two of each type.
pub fn shown() -> Program {
    fn some<E: Into<WhatsApp>>(items: Vec<E>) -> impl Iterator<Item = WhatsApp> {
        items.into_iter().take(2).map(Into::into)
    }
    dyna_cli::main::<WhatsApp>()
        .samples(some(messages()))
        .samples(some(conversations()))
        .samples(some(tenants()))
        .samples(some(payment_configs()))
        .samples(some(orders()))
        .samples(some(refunds()))
        .samples(some(profiles()))
        .samples(some(templates()))
        .samples(some(templates_meta()))
        .samples(some(template_media()))
        .samples(some(media()))
        .samples(some(groups()))
        .samples(some(catalogs()))
        .samples(some(products()))
        .samples(some(campaigns()))
        .samples(some(events()))
        .samples(some(webhook_configs()))
        .samples(some(calls()))
        .samples(some(analytics()))
        .samples(some(qualities()))
        .samples(some(configs()))
        .samples(some(addresses()))
        .samples(some(flow_responses()))
        .samples(some(idempotency()))
}
