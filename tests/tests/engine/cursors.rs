//! A cursor goes on with its own query, and with no other.

use super::engine;
use dyna_runtime::{Cursor, CursorError, CursorSecret, DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "notes",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "sk"),
        index(gsi2, pk = "gsi2pk", sk = "sk"),
    ),
    pk = "TENANT#<tenant>",
    sk = "NOTE#<n:04>",
    gsi1(as = by_author, pk = "AUTHOR#<author>", sk = "NOTE#<n:04>"),
    gsi2(as = by_editor, pk = "AUTHOR#<author>", sk = "NOTE#<n:04>"),
)]
struct Note {
    tenant: String,
    n: u16,
    author: String,
}

/// The same keys in another table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "other", pk = "pk", sk = "sk"),
    pk = "TENANT#<tenant>",
    sk = "NOTE#<n:04>"
)]
struct Other {
    tenant: String,
    n: u16,
}

fn note(tenant: &str, n: u16) -> Note {
    Note {
        tenant: tenant.to_owned(),
        n,
        author: "a".to_owned(),
    }
}

/// Four notes of each of two tenants.
async fn notes(db: &dyna_runtime::Table<Note>) {
    for n in 0..4 {
        for tenant in ["one", "two"] {
            note(tenant, n).put().send(db).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_cursor_goes_on_with_its_query() {
    let (_, db) = engine::<Note>().await;
    notes(&db).await;
    let page = Note::query("one").limit(2).send(&db).await.unwrap();
    let cursor = page.next.unwrap();
    let through_index = Note::by_author("a")
        .limit(2)
        .send(&db)
        .await
        .unwrap()
        .next
        .unwrap();
    let rest = Note::query("one")
        .after(cursor.clone())
        .send(&db)
        .await
        .unwrap();
    assert_eq!(rest.items, [note("one", 2), note("one", 3)]);
    let rest = Note::by_author("a")
        .after(through_index)
        .all(&db)
        .await
        .unwrap();
    assert_eq!(rest.len(), 6);
    // A cursor may be used again, with another limit.
    let again = Note::query("one")
        .limit(1)
        .after(cursor)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(again.items, [note("one", 2)]);
    // It may have been with a client in between.
    let text = Note::query("one")
        .limit(3)
        .send(&db)
        .await
        .unwrap()
        .next
        .unwrap()
        .to_string();
    let rest = Note::query("one")
        .after(text.parse::<Cursor>().unwrap())
        .all(&db)
        .await
        .unwrap();
    assert_eq!(rest, [note("one", 3)]);
}

#[tokio::test]
async fn a_cursor_opens_nothing_but_its_own_query() {
    let (engine, db) = engine::<Note>().await;
    let other = dyna_runtime::Table::<Other>::embedded_in(&engine)
        .await
        .unwrap();
    notes(&db).await;
    let page = Note::query("one").limit(2).send(&db).await.unwrap();
    let cursor: Cursor = page.next.unwrap();
    let through_index = Note::by_author("a")
        .limit(2)
        .send(&db)
        .await
        .unwrap()
        .next
        .unwrap();
    let before = engine.requests();
    let refused = [
        Note::query("two")
            .after(cursor.clone())
            .send(&db)
            .await
            .map(drop),
        Note::query("one")
            .newest_first()
            .after(cursor.clone())
            .send(&db)
            .await
            .map(drop),
        Note::query("two")
            .after(cursor.clone())
            .all(&db)
            .await
            .map(drop),
        Note::query("two")
            .after(cursor.clone())
            .one(&db)
            .await
            .map(drop),
        Note::by_author("a")
            .after(cursor.clone())
            .send(&db)
            .await
            .map(drop),
        Note::by_editor("a")
            .after(through_index.clone())
            .send(&db)
            .await
            .map(drop),
        Note::by_author("b")
            .after(through_index.clone())
            .send(&db)
            .await
            .map(drop),
        Note::query("one")
            .after(through_index.clone())
            .send(&db)
            .await
            .map(drop),
        Other::query("one")
            .after(cursor.clone())
            .send(&other)
            .await
            .map(drop),
    ];
    for result in refused {
        let error = result.unwrap_err();
        assert!(
            matches!(
                error,
                Error::Cursor {
                    source: CursorError::Foreign,
                    ..
                }
            ),
            "{error}"
        );
        assert!(
            error
                .to_string()
                .ends_with(": the cursor comes from another query")
        );
    }
    assert_eq!(engine.requests(), before);
}

/// The index has many items with the same key, which only the key of the table tells apart.
#[tokio::test]
async fn pages_of_an_index_with_equal_keys_join_to_the_whole() {
    let (_, db) = engine::<Note>().await;
    for tenant in 0..10 {
        note(&tenant.to_string(), 1).put().send(&db).await.unwrap();
    }
    let mut tenants = Vec::new();
    let mut cursor = None;
    loop {
        let page = Note::by_author("a")
            .limit(3)
            .after(cursor)
            .send(&db)
            .await
            .unwrap();
        tenants.extend(page.items.into_iter().map(|it| it.tenant));
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    tenants.sort();
    assert_eq!(tenants, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

/// With a secret, no text but the one that was given out opens anything, in either direction.
#[tokio::test]
async fn a_cursor_that_was_tampered_with_makes_no_request() {
    let (engine, db) = engine::<Note>().await;
    notes(&db).await;
    for secret in [
        CursorSecret::authenticating([7; 32]).unwrap(),
        CursorSecret::encrypting([7; 32]).unwrap(),
    ] {
        let db = db.clone().with_cursor_secret(secret);
        let page = Note::query("one").limit(2).send(&db).await.unwrap();
        let text = page.next.unwrap().to_string();
        let before = engine.requests();
        let truncated = (0..text.len()).map(|end| text[..end].to_owned());
        let changed = (0..text.len()).map(|at| {
            let other = if &text[at..=at] == "A" { "B" } else { "A" };
            format!("{}{other}{}", &text[..at], &text[at + 1..])
        });
        for tampered in truncated.chain(changed) {
            let Ok(cursor) = tampered.parse::<Cursor>() else {
                continue;
            };
            let after = Note::query("one").after(cursor.clone()).send(&db).await;
            let back = Note::query("one").before(cursor.clone()).send(&db).await;
            for error in [after.unwrap_err(), back.unwrap_err()] {
                assert!(matches!(error, Error::Cursor { .. }), "{error}");
            }
        }
        let cursor: Cursor = text.parse().unwrap();
        let foreign = Note::query("two").after(cursor.clone()).send(&db).await;
        assert!(matches!(foreign, Err(Error::Cursor { .. })));
        assert_eq!(engine.requests(), before);
        assert!(Note::query("one").after(cursor).send(&db).await.is_ok());
    }
}
