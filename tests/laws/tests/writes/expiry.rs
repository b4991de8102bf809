//! The field that says when an item expires is stored as it is, and nothing else becomes of it.

use super::{Pass, Span, Visit, db, ttls};

#[tokio::test]
async fn seconds_beyond_any_time_are_stored_as_they_are() {
    let (db, _) = db().await;
    let never = Pass {
        id: "a".to_owned(),
        ttl: u64::MAX,
    };
    let load = async || Pass::get("a").send(&db).await.unwrap().unwrap();
    never.put().send(&db).await.unwrap();
    assert_eq!(load().await, never);
    Pass::update("a").set(Pass::TTL, 7).send(&db).await.unwrap();
    Pass::update("a")
        .set(Pass::TTL, u64::MAX)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(load().await, never);
}

#[tokio::test]
async fn a_part_of_the_expiry_is_not_set_apart_from_the_whole() {
    let (db, _) = db().await;
    let visit = Visit {
        id: "a".to_owned(),
        badge: "b".to_owned(),
        span: Span { from: 1, to: 2_000 },
    };
    visit.create().send(&db).await.unwrap();
    let to = || Visit::SPAN.field(Span::TO);
    for sent in [
        Visit::update("a").set(to(), 3_000).send(&db).await,
        Visit::update_loaded(&visit)
            .set(to(), 3_000)
            .send(&db)
            .await,
    ] {
        let error = sent.unwrap_err().to_string();
        assert!(error.starts_with("Visit: span: "), "{error}");
    }
    let span = Span { from: 1, to: 3_000 };
    Visit::update_loaded(&visit)
        .set(Visit::SPAN, span)
        .send(&db)
        .await
        .unwrap();
    assert!(ttls(&db).await.values().all(|ttl| *ttl == Some(3_000)));
}
