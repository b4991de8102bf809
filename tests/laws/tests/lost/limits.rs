//! What DynamoDB refuses and the embedded engine takes is refused before the request.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::error::{KeyErrorKind, SizeLimit};
use dyna_runtime::{Condition, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "limits",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(native, pk = "owner"),
        index(pair, pk = ["owner", "topic"], sk = ["title", "note"])
    ),
    pk = "THING#<id>",
    sk = "THING",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "TITLE#<title>"),
    native(as = by_owner, pk = "<owner>"),
    pair(as = by_pair, pk = ["<owner>", "<topic>"], sk = ["<title>", "<note>"]),
)]
struct Thing {
    id: String,
    topic: String,
    title: String,
    owner: String,
    note: String,
    text: String,
    n: u32,
}

fn thing() -> Thing {
    let short = || "x".to_owned();
    Thing {
        id: short(),
        topic: short(),
        title: short(),
        owner: short(),
        note: short(),
        text: short(),
        n: 0,
    }
}

async fn table() -> (Embedded, Table<Thing>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::embedded_in(&engine).await.unwrap();
    (engine, db)
}

fn is_too_long(error: &Error, found: usize, most: usize) {
    let Error::Key(error) = error else {
        panic!("{error}");
    };
    let expected = KeyErrorKind::TooLong {
        length: found,
        max: most,
    };
    assert_eq!(error.kind(), expected);
}

#[tokio::test]
async fn each_attribute_of_an_index_key_has_2048_or_1024_bytes() {
    let (engine, db) = table().await;
    let text = |n: usize| "é".repeat(n / 2) + &"x".repeat(n % 2);
    let most = Thing {
        topic: text(2048 - 6),
        title: text(1024 - 6),
        ..thing()
    };
    most.put().send(&db).await.unwrap();
    let before = engine.requests();
    let cases = [
        // TOPIC#.., TITLE#.., and attributes that are the key themselves.
        (
            Thing {
                topic: text(2048 - 5),
                ..thing()
            },
            2049,
            2048,
        ),
        (
            Thing {
                title: text(1024 - 5),
                ..thing()
            },
            1025,
            1024,
        ),
        (
            Thing {
                owner: text(2049),
                ..thing()
            },
            2049,
            2048,
        ),
        (
            Thing {
                note: text(1025),
                ..thing()
            },
            1025,
            1024,
        ),
    ];
    for (thing, found, most) in cases {
        for error in [
            thing.put().send(&db).await.unwrap_err(),
            thing.create().once().send(&db).await.unwrap_err(),
            db.transact().put(&thing).send().await.unwrap_err(),
            db.batch_write().put(&thing).send().await.unwrap_err(),
        ] {
            is_too_long(&error, found, most);
        }
    }
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn an_update_and_a_query_of_an_index_key_have_the_same_limits() {
    let (engine, db) = table().await;
    let stored = thing();
    let before = engine.requests();
    let change = Thing::update_loaded(&stored).set(Thing::TITLE, "x".repeat(1024 - 5));
    is_too_long(&change.send(&db).await.unwrap_err(), 1025, 1024);
    let change = Thing::update_loaded(&stored).set(Thing::OWNER, "x".repeat(2049));
    is_too_long(&change.once().send(&db).await.unwrap_err(), 2049, 2048);
    let error = Thing::by_owner("x".repeat(2049))
        .all(&db)
        .await
        .unwrap_err();
    is_too_long(&error, 2049, 2048);
    assert_eq!(engine.requests(), before);
}

/// Indexes that an update sets by their fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "labels",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        local_index(lsi1, sk = "lsi1sk")
    ),
    pk = "LABEL#<id>",
    sk = "<name>",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "TITLE#<title>"),
    lsi1(as = by_rank, sk = "RANK#<rank>"),
)]
struct Label {
    id: String,
    name: String,
    topic: String,
    title: String,
    rank: String,
}

fn label() -> Label {
    let short = || "x".to_owned();
    Label {
        id: short(),
        name: short(),
        topic: short(),
        title: short(),
        rank: short(),
    }
}

#[tokio::test]
async fn setters_upserts_and_moves_have_the_limits_of_the_key_that_they_write() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Label>::embedded_in(&engine).await.unwrap();
    let text = |n: usize| "x".repeat(n);
    label().put().send(&db).await.unwrap();
    // At the limit, each of them is written.
    let most = || {
        Label::update("x", "x")
            .set_by_topic(text(2048 - 6), text(1024 - 6))
            .set_by_rank(text(1024 - 5))
    };
    most().send(&db).await.unwrap();
    let rekeyed = |name: usize, rank: usize| Label {
        name: text(name),
        rank: text(rank),
        ..label()
    };
    let most = rekeyed(1024, 1024 - 5);
    Label::rekey(Label::key("x", "x"), &most)
        .send(&db)
        .await
        .unwrap();

    let before = engine.requests();
    let update = || Label::update("x", "x");
    let upsert = || Label::upsert("x", "x");
    let (topic, title, rank) = (2048 - 5, 1024 - 5, 1024 - 4);
    let short = || "x".to_owned();
    let set = [
        (update().set_by_topic(text(topic), short()), 2048),
        (update().set_by_topic(short(), text(title)), 1024),
        (update().set_by_rank(text(rank)), 1024),
        (
            upsert()
                .set_by_topic(text(topic), short())
                .set_by_rank(short()),
            2048,
        ),
        (
            upsert()
                .set_by_topic(short(), text(title))
                .set_by_rank(short()),
            1024,
        ),
        (
            upsert()
                .set_by_topic(short(), short())
                .set_by_rank(text(rank)),
            1024,
        ),
    ];
    for (update, most) in set {
        let error = update.clone().send(&db).await.unwrap_err();
        is_too_long(&error, most + 1, most);
        let error = update.clone().once().send(&db).await.unwrap_err();
        is_too_long(&error, most + 1, most);
        let error = db.transact().update(update).send().await.unwrap_err();
        is_too_long(&error, most + 1, most);
    }
    for to in [rekeyed(1025, 1), rekeyed(1, rank)] {
        let moved = Label::rekey(Label::key("x", "x"), &to);
        is_too_long(&moved.send(&db).await.unwrap_err(), 1025, 1024);
    }
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn bounds_of_a_query_are_no_longer_than_a_key() {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::<Label>::embedded_in(&engine).await.unwrap();
    let text = |n: usize| "x".repeat(n);
    let before = engine.requests();
    let most = [
        Label::query("x").name(text(1024)).all(&db).await,
        Label::query("x")
            .name_starts_with(text(1024))
            .all(&db)
            .await,
        Label::query("x").name_range(text(1024)..).all(&db).await,
    ];
    for found in most {
        assert_eq!(found.unwrap(), []);
    }
    assert_eq!(engine.requests(), before + 3);
    let too_long = [
        Label::query("x").name(text(1025)).all(&db).await,
        Label::query("x")
            .name_starts_with(text(1025))
            .all(&db)
            .await,
        Label::query("x").name_range(text(1025)..).all(&db).await,
        Label::query("x").name_range(..=text(1025)).all(&db).await,
        Label::by_topic("x").title(text(1024 - 5)).all(&db).await,
        Label::by_topic("x")
            .title_range(text(1024 - 5)..)
            .all(&db)
            .await,
        Label::by_rank("x")
            .rank_starts_with(text(1024 - 4))
            .all(&db)
            .await,
    ];
    for found in too_long {
        is_too_long(&found.unwrap_err(), 1025, 1024);
    }
    assert_eq!(engine.requests(), before + 3);
}

/// What every kind of request makes of a condition.
async fn with(db: &Table<Thing>, condition: &Condition<Thing>) -> Vec<Result<(), Error>> {
    let when = || condition.clone();
    let check = Thing::check("x").when(when());
    let update = || Thing::update("x").set(Thing::TEXT, "y").when(when());
    let delete = || Thing::delete("x").when(when());
    let stored = thing();
    vec![
        Thing::by_owner("x").filter(when()).all(db).await.map(drop),
        Thing::scan().filter(when()).all(db).await.map(drop),
        thing().put().when(when()).send(db).await.map(drop),
        thing().put().when(when()).once().send(db).await.map(drop),
        db.transact().check(check).send().await.map(drop),
        update().send(db).await.map(drop),
        update().once().send(db).await.map(drop),
        db.transact().update(update()).send().await.map(drop),
        delete().send(db).await.map(drop),
        delete().once().send(db).await.map(drop),
        Thing::delete_loaded(&stored)
            .when(when())
            .send(db)
            .await
            .map(drop),
    ]
}

#[tokio::test]
async fn in_takes_100_values() {
    let (engine, db) = table().await;
    for result in with(&db, &Thing::N.is_in(1..101)).await {
        // The condition is false: there is nothing, or `n` is 0.
        let failed = result.err();
        let is_refused = |error: &Error| error.is_condition_failed();
        assert!(failed.as_ref().is_none_or(is_refused), "{failed:?}");
    }
    let before = engine.requests();
    for result in with(&db, &Thing::N.is_in(0..101)).await {
        let error = result.unwrap_err();
        let is_it = matches!(&error, Error::Encode { source, .. } if source.to_string().contains("at most 100 values"));
        assert!(is_it, "{error:?}");
    }
    assert_eq!(engine.requests(), before);
}

/// So many operators: comparisons, `OR` between them, and one `size(..)` if the number is even.
fn operators(n: u32) -> Condition<Thing> {
    let size = n.is_multiple_of(2).then(|| Thing::TEXT.size().gt(1000));
    let others = (n - if size.is_some() { 2 } else { 0 }).div_ceil(2);
    Condition::any((0..others).map(|n| Thing::N.gt(1000 + n)).chain(size))
}

#[tokio::test]
async fn expression_has_300_operators() {
    let (engine, db) = table().await;
    let query = |n| Thing::by_owner("x").filter(operators(n));
    assert_eq!(query(300).all(&db).await.unwrap(), []);
    let put = thing();
    let error = put.put().when(operators(300)).send(&db).await.unwrap_err();
    assert!(error.is_condition_failed());
    // `attribute_exists(pk) AND` goes before it.
    let update = |n| Thing::update("x").set(Thing::TEXT, "y").when(operators(n));
    let error = update(298).send(&db).await.unwrap_err();
    assert!(error.is_condition_failed());

    let before = engine.requests();
    let mut refused = with(&db, &operators(301)).await;
    refused.push(query(301).all(&db).await.map(drop));
    refused.push(update(299).send(&db).await.map(drop));
    for result in refused {
        let error = result.unwrap_err();
        let is_it = matches!(
            error,
            Error::TooMany {
                found: 301..,
                max: 300,
                ..
            }
        );
        assert!(is_it, "{error:?}");
    }
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn transact_get_reads_4_mb() {
    let (_, db) = table().await;
    let large = |n: usize| Thing {
        id: n.to_string(),
        text: "x".repeat(390 * 1024),
        ..thing()
    };
    for n in 0..11 {
        large(n).put().send(&db).await.unwrap();
    }
    let keys = |n: usize| {
        (0..n)
            .map(|n| Thing::key(n.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(db.transact_get(keys(10)).await.unwrap().len(), 10);
    let error = db.transact_get(keys(11)).await.unwrap_err();
    let is_it = matches!(
        error,
        Error::TooLarge {
            limit: SizeLimit::Transaction,
            ..
        }
    );
    assert!(is_it, "{error}");
}
