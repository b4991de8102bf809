//! A clock whose time the type of a field cannot hold: no write stores another time instead.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(DynaTable)]
#[dyna(name = "notes", pk = "pk")]
enum Notes {
    Text(Text),
    Millis(Millis),
    Instant(Instant),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Notes, pk = "TEXT#<id>")]
struct Text {
    id: String,
    #[dyna(updated_at)]
    at: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Notes, pk = "MILLIS#<id>")]
struct Millis {
    id: String,
    #[dyna(created_at)]
    at: u64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Notes, pk = "INSTANT#<id>")]
struct Instant {
    id: String,
    note: String,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    #[dyna(updated_at)]
    at: jiff::Timestamp,
}

/// In the year 14645.
fn far() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(400_000_000_000)
}

fn before_1970() -> SystemTime {
    UNIX_EPOCH - Duration::from_secs(1)
}

fn refused(engine: &Embedded, before: u64, sent: dyna_runtime::Result<()>) {
    let error = sent.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(": at: ") && text.contains("clock"), "{text}");
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn time_out_of_range_is_an_error_before_the_request() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Notes>::embedded_in(&engine).await.unwrap();
    let before = engine.requests();
    let (text, millis, instant) = (
        Text {
            id: "a".into(),
            at: None,
        },
        Millis {
            id: "a".into(),
            at: 0,
        },
        Instant {
            id: "a".into(),
            note: String::new(),
            at: jiff::Timestamp::UNIX_EPOCH,
        },
    );
    let late = db.clone().with_clock(far);
    refused(&engine, before, text.put().send(&late).await);
    refused(&engine, before, instant.put().send(&late).await);
    let update = Instant::update("a").set(Instant::NOTE, "x");
    refused(&engine, before, update.send(&late).await);
    let early = db.clone().with_clock(before_1970);
    refused(&engine, before, millis.create().send(&early).await);

    text.put().send(&early).await.unwrap();
    let stored = Text::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(stored.at.as_deref(), Some("1969-12-31T23:59:59.000Z"));
}
