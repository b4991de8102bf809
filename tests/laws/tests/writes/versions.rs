//! A version stays within its type, and starts at 1.

use super::{Big, Session, Signed, Small, db, instant, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::Table;

async fn store(db: &Table<super::Venue>, pk: &str, version: &str) {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put = db.client().put_item().table_name(db.name().unwrap());
    let put = put
        .item("pk", text(pk))
        .item("sk", text("V"))
        .item("id", text("a"));
    let kind = pk.split('#').next().unwrap().to_lowercase();
    let kind = format!("{}{}", kind[..1].to_uppercase(), &kind[1..]);
    let put = put
        .item("kind", text(&kind))
        .item("n", AttributeValue::N("0".to_owned()));
    put.item("version", AttributeValue::N(version.to_owned()))
        .send()
        .await
        .unwrap();
}

async fn version(db: &Table<super::Venue>, pk: &str) -> String {
    raw(db).await[pk]["version"].as_n().unwrap().clone()
}

#[tokio::test]
async fn create_starts_at_version_1_whatever_the_caller_brings() {
    let (db, _) = db().await;
    for version in [0, 1, 7, u64::MAX] {
        Big::at(version).create().send(&db).await.unwrap();
        let stored = Big::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!(stored.version, 1);
        Big::delete_loaded(&stored).send(&db).await.unwrap();
        db.transact()
            .create(&Big::at(version))
            .send()
            .await
            .unwrap();
        let stored = Big::get("a").send(&db).await.unwrap().unwrap();
        assert_eq!(stored.version, 1);
        Big::delete_loaded(&stored).send(&db).await.unwrap();
    }
    Signed::at(-7).create().send(&db).await.unwrap();
    assert_eq!(version(&db, "SIGNED#a").await, "1");
}

#[tokio::test]
async fn a_version_at_the_maximum_of_its_type_is_not_counted_on() {
    let (db, _) = db().await;
    let max = [
        u32::MAX.to_string(),
        u64::MAX.to_string(),
        i64::MAX.to_string(),
    ];
    let keys = ["SMALL#a", "BIG#a", "SIGNED#a"];
    for (pk, max) in keys.iter().zip(&max) {
        store(&db, pk, max).await;
    }
    let (small, big, signed) = (Small::at(u32::MAX), Big::at(u64::MAX), Signed::at(i64::MAX));
    let moved = Big {
        id: "b".to_owned(),
        ..big.clone()
    };
    let errors = [
        ("Small", small.put().send(&db).await),
        ("Small", small.replace().send(&db).await),
        (
            "Small",
            Small::update_loaded(&small)
                .set(Small::N, 1)
                .send(&db)
                .await,
        ),
        ("Small", db.transact().put(&small).send().await),
        ("Big", big.put().send(&db).await),
        (
            "Big",
            Big::update_loaded(&big).set(Big::N, 1).send(&db).await,
        ),
        ("Big", Big::rekey_loaded(&big, &moved).send(&db).await),
        ("Big", Big::rekey(Big::key("a"), &moved).send(&db).await),
        ("Signed", signed.put().send(&db).await),
        ("Signed", Signed::at(-1).put().send(&db).await),
        (
            "Signed",
            Signed::update_loaded(&Signed::at(-1))
                .set(Signed::N, 1)
                .send(&db)
                .await,
        ),
    ];
    for (entity, sent) in errors {
        let error = sent.unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("{entity}: version: ")),
            "{error}"
        );
    }
    // By the key alone DynamoDB counts, and stops in time.
    let errors = [
        Small::update("a").add(Small::N, 1).send(&db).await,
        Small::upsert("a").set(Small::N, 1).send(&db).await,
        Big::update("a").add(Big::N, 1).send(&db).await,
        Signed::update("a").add(Signed::N, 1).send(&db).await,
        db.transact()
            .update(Big::update("a").add(Big::N, 1))
            .send()
            .await,
    ];
    for sent in errors {
        assert!(sent.unwrap_err().is_condition_failed());
    }
    for (pk, max) in keys.iter().zip(&max) {
        assert_eq!(&version(&db, pk).await, max);
    }
    let all = Small::scan().all(&db).await.unwrap();
    assert_eq!(all, std::slice::from_ref(&small));
    assert_eq!(Big::scan().all(&db).await.unwrap(), [big]);
    // The way out of it.
    Small::delete_loaded(&small).send(&db).await.unwrap();
    Big::delete("a").send(&db).await.unwrap();
}

#[tokio::test]
async fn the_last_version_of_a_type_can_be_reached() {
    let (db, _) = db().await;
    let before = (u32::MAX - 1).to_string();
    store(&db, "SMALL#a", &before).await;
    Small::at(u32::MAX - 1).put().send(&db).await.unwrap();
    assert_eq!(version(&db, "SMALL#a").await, u32::MAX.to_string());
    store(&db, "SMALL#a", &before).await;
    Small::update("a").add(Small::N, 1).send(&db).await.unwrap();
    assert_eq!(version(&db, "SMALL#a").await, u32::MAX.to_string());
    store(&db, "SMALL#a", &before).await;
    let loaded = Small::get("a").send(&db).await.unwrap().unwrap();
    Small::update_loaded(&loaded)
        .set(Small::N, 9)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        Small::get("a").send(&db).await.unwrap().unwrap().version,
        u32::MAX
    );
}

#[tokio::test]
async fn a_move_counts_on_the_version_that_was_loaded() {
    let (db, _) = db().await;
    Big::at(0).create().send(&db).await.unwrap();
    let loaded = Big::get("a").send(&db).await.unwrap().unwrap();
    // A version that came from elsewhere with the new entity says nothing.
    let to = Big {
        id: "b".to_owned(),
        ..Big::at(7)
    };
    Big::rekey_loaded(&loaded, &to).send(&db).await.unwrap();
    let moved = Big::get("b").send(&db).await.unwrap().unwrap();
    assert_eq!(moved.version, 2);
    let same = Big {
        n: 5,
        ..Big {
            id: "b".to_owned(),
            ..Big::at(70)
        }
    };
    Big::rekey_loaded(&moved, &same).send(&db).await.unwrap();
    assert_eq!(Big::get("b").send(&db).await.unwrap().unwrap().version, 3);
}

#[tokio::test]
async fn an_upsert_starts_at_version_1() {
    let (db, _) = db().await;
    let upsert = Session::upsert("a")
        .set(Session::HITS, 1)
        .set(Session::ENDS, instant(5_000));
    upsert.send(&db).await.unwrap();
    assert_eq!(
        Session::get("a").send(&db).await.unwrap().unwrap().version,
        1
    );
}
