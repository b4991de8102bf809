//! A field that is a key attribute of an index, in an item that is not in that index, because another field of the key has no value.

use dyna_runtime::{DynaEntity, DynaTable, Error, Result, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "cups",
    pk = "pk",
    sk = "sk",
    index(multi, pk = ["cup", "region"], sk = number("round")),
    index(half, pk = "team", sk = "halfsk")
)]
enum Cups {
    Match(Match),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Cups, pk = "MATCH#<id>", sk = "MATCH",
    multi(as = by_cup, pk = ["<cup>", "<region>"], sk = "<round>"),
    half(as = by_team, pk = "<team>", sk = "AT#<place>"),
)]
struct Match {
    id: String,
    cup: String,
    region: Option<String>,
    round: u32,
    team: String,
    place: Option<String>,
}

fn game() -> Match {
    Match {
        id: "1".into(),
        cup: "world".into(),
        region: None,
        round: 1,
        team: "red".into(),
        place: None,
    }
}

/// Every write of an item, or of a field of it.
async fn writes(db: &Table<Cups>, it: &Match) -> Vec<(&'static str, Result<()>)> {
    let drop_left = |sent: Result<_>| sent.map(|_| ());
    vec![
        ("put", it.put().send(db).await),
        ("create", it.create().send(db).await),
        ("replace", it.replace().send(db).await),
        ("batch", drop_left(db.batch_write().put(it).send().await)),
        ("transaction", db.transact().put(it).send().await),
        (
            "create in a transaction",
            db.transact().create(it).send().await,
        ),
        ("to_item", Cups::from(it.clone()).to_item().map(drop)),
    ]
}

fn check(what: &str, field: &str, sent: Result<()>) {
    let error = sent.expect_err(what);
    let text = error.to_string();
    assert!(
        matches!(
            error,
            Error::Encode {
                entity: "Match",
                ..
            }
        ),
        "{what}: {text}"
    );
    assert!(
        text.contains(field) && text.contains("key attribute of the index"),
        "{what}: {text}"
    );
    assert!(!text.contains("xxx"), "{what}: {text}");
}

#[tokio::test]
async fn native_key_attribute_of_an_item_outside_of_its_index_is_checked_by_every_write() {
    let db = Cups::embedded().await.unwrap();
    let long = "x".repeat(2049);
    for value in ["", long.as_str()] {
        let cup = Match {
            cup: value.into(),
            ..game()
        };
        for (what, sent) in writes(&db, &cup).await {
            check(what, "cup", sent);
        }
        let team = Match {
            team: value.into(),
            ..game()
        };
        for (what, sent) in writes(&db, &team).await {
            check(what, "team", sent);
        }
    }
    assert_eq!(Match::scan().count(&db).await.unwrap(), 0);
}

#[tokio::test]
async fn native_key_attribute_of_an_item_outside_of_its_index_is_checked_by_updates() {
    let db = Cups::embedded().await.unwrap();
    game().put().send(&db).await.unwrap();
    let none = || None::<String>;
    let sent = [
        (
            "update_loaded",
            Match::update_loaded(&game())
                .set(Match::CUP, "")
                .send(&db)
                .await,
        ),
        (
            "update",
            Match::update("1").set_by_cup("", none(), 1).send(&db).await,
        ),
        ("update in a transaction", {
            let update = Match::update("1").set_by_cup("", none(), 1);
            db.transact().update(update).send().await
        }),
    ];
    for (what, sent) in sent {
        let error = sent.expect_err(what);
        assert!(error.to_string().contains("cup"), "{what}: {error}");
        assert!(!matches!(error, Error::Service { .. }), "{what}: {error}");
    }
    assert_eq!(Match::get("1").send(&db).await.unwrap(), Some(game()));
    // What a key may be is written, in the index and outside of it.
    Match::update("1")
        .set_by_cup("euro", none(), 2)
        .send(&db)
        .await
        .unwrap();
    Match::update("1")
        .set_by_cup("euro", "south", 2)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(Match::by_cup("euro", "south").count(&db).await.unwrap(), 1);
}
