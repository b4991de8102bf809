//! Instants in RFC 3339: every text is read exactly, and none is written that would be read as another.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use jiff::{Timestamp, civil};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "events", pk = "pk"), pk = "EVENT#<id>")]
struct Event {
    id: String,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    at: Timestamp,
    #[serde(with = "dyna_runtime::serde::rfc3339::option")]
    ended: Option<Timestamp>,
    #[serde(with = "dyna_runtime::serde::rfc3339::option")]
    local: Option<civil::DateTime>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "posts", pk = "pk"), pk = "POST#<id>")]
struct Post {
    id: String,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    #[dyna(created_at)]
    created: Timestamp,
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    #[dyna(updated_at)]
    updated: Timestamp,
}

fn event(at: &str) -> Event {
    Event {
        id: "a".to_owned(),
        at: at.parse().unwrap(),
        ended: None,
        local: None,
    }
}

async fn read(at: &str, local: &str) -> Result<Event, Error> {
    let db = Event::embedded().await.unwrap();
    let s = |text: &str| AttributeValue::S(text.to_owned());
    let put = db.client().put_item().table_name("events");
    let put = put.item("pk", s("EVENT#a")).item("id", s("a"));
    let put = put.item("at", s(at)).item("local", s(local));
    put.send().await.unwrap();
    Ok(Event::get("a").send(&db).await?.unwrap())
}

#[tokio::test]
async fn every_text_of_rfc_3339_is_read_exactly() {
    for at in [
        "2025-12-27T00:00:00.000Z",
        "2025-12-27T00:00:00Z",
        "2025-12-27t00:00:00z",
        "2025-12-27T00:00:00.1Z",
        "2025-12-27T00:00:00.123456Z",
        "2025-12-27T00:00:00.123456789Z",
        "2025-12-27T00:00:00.12345678900Z",
        "2025-12-27T01:30:00+02:00",
        "2025-12-31T23:30:00.5-00:45",
        "2024-03-01T00:10:00+00:20",
        "2024-02-29T23:59:59-23:59",
        "2000-01-01T00:00:00+00:01",
        "1970-01-01T00:00:00-00:00",
        "1969-12-31T23:59:59.999999999+05:30",
        "0001-01-01T00:00:00+12:00",
    ] {
        // jiff takes no more than nine digits.
        let expected = at.replace("78900Z", "789Z").parse::<Timestamp>().unwrap();
        let local = "2025-12-27T10:00:00.25";
        let event = read(at, local).await.unwrap();
        assert_eq!(event.at, expected, "{at}");
        assert_eq!(event.local, Some(local.parse().unwrap()));
    }
}

#[tokio::test]
async fn invalid_or_too_precise_rfc_3339_text_is_an_error() {
    let local = "2025-12-27T10:00:00";
    for at in [
        "",
        "2025-12-27",
        "2025-12-27T00:00:00",
        "2025-12-27T00:00Z",
        "2025-12-27T00:00:00.Z",
        "2025-12-27T00:00:00.1234567891Z",
        "2025-12-27T00:00:00+0200",
        "2025-12-27T00:00:00+24:00",
        "2025-12-27T00:00:00+02:60",
        "2025-12-27T00:00:00Zx",
        "2025-02-30T00:00:00+02:00",
        "2025-12-27T24:00:00Z",
        "+025-12-27T00:00:00Z",
        "2025-12-27T00:00:60Z",
        "２025-12-27T00:00:00Z",
    ] {
        let error = read(at, local).await.unwrap_err().to_string();
        assert!(error.contains("at: expected a time in RFC 3339"), "{error}");
        assert!(!error.contains("2025"), "{error}");
    }
    let error = read("2025-12-27T00:00:00Z", "2025-12-27T10:00:00Z").await;
    assert!(error.unwrap_err().to_string().contains("local: "));
}

#[tokio::test]
async fn an_instant_below_a_millisecond_is_refused_and_not_cut_off() {
    let db = Event::embedded().await.unwrap();
    let refused = |error: Error, place: &str| {
        let text = error.to_string();
        let expected = format!("Event: {place}: has a part below a millisecond");
        assert!(text.starts_with(&expected), "{text}");
        assert!(matches!(error, Error::Encode { .. }), "{text}");
    };
    for at in [
        "2025-12-27T00:00:00.0001Z",
        "1969-12-27T00:00:00.000000001Z",
    ] {
        let fine = event(at);
        refused(fine.put().send(&db).await.unwrap_err(), "at");
        refused(fine.create().send(&db).await.unwrap_err(), "at");
        let batch = db.batch_write().put(&fine).send().await;
        refused(batch.unwrap_err(), "at");
        let set = Event::update("a").set(Event::AT, fine.at);
        refused(set.send(&db).await.unwrap_err(), "at");
        let set = Event::update("a").set(Event::ENDED, fine.at);
        refused(set.send(&db).await.unwrap_err(), "ended");
        let ended = Event {
            ended: Some(fine.at),
            ..event("2025-12-27T00:00:00Z")
        };
        refused(ended.put().send(&db).await.unwrap_err(), "ended");
    }
    let coarse = event("1969-12-27T00:00:00.001Z");
    coarse.put().send(&db).await.unwrap();
    assert_eq!(Event::get("a").send(&db).await.unwrap(), Some(coarse));
    // What it is compared with is cut off, as it says.
    let fine: Timestamp = "2025-12-27T00:00:00.0001Z".parse().unwrap();
    let set = Event::update("a").remove(Event::ENDED);
    let when = set.when(Event::AT.lt(fine));
    when.send(&db).await.unwrap();
}

/// The times that Dyna fills in are whole milliseconds, whatever the entity says: what is stored is what is returned.
#[tokio::test]
async fn times_that_are_filled_in_have_whole_milliseconds() {
    let db = Post::embedded().await.unwrap();
    let fine: Timestamp = "2025-12-27T00:00:00.0001Z".parse().unwrap();
    let post = Post {
        id: "a".to_owned(),
        created: fine,
        updated: fine,
    };
    post.create().send(&db).await.unwrap();
    let stored = Post::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(stored.created.subsec_nanosecond() % 1_000_000, 0);
    assert_eq!(stored.created, stored.updated);
    let again = Post {
        updated: fine,
        ..stored.clone()
    };
    again.put().send(&db).await.unwrap();
    let put = Post::get("a").send(&db).await.unwrap().unwrap();
    assert_eq!(put.created, stored.created);
    // The time of creation is the user's where the item may be there already.
    let error = post.put().send(&db).await.unwrap_err().to_string();
    assert!(
        error.starts_with("Post: created: has a part below"),
        "{error}"
    );
}
