//! A cursor goes on with its own query, and with no other.

use super::engine;
use dyna_runtime::error::CursorError;
use dyna_runtime::{Cursor, CursorSecret, DynaEntity, DynaTable, Error, Page, Table};
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
async fn notes(db: &Table<Note>) {
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
async fn cursor_works_only_with_its_own_query() {
    let (engine, db) = engine::<Note>().await;
    let other = Table::<Other>::embedded_in(&engine).await.unwrap();
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
            .descending()
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
                    source: CursorError::OtherQuery,
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

/// An index by bytes, which many items may share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "chunks", pk = "pk", index(gsi1, pk = "gsi1pk", sk = binary("hash"))),
    pk = "CHUNK#<id>",
    gsi1(as = by_file, pk = "FILE#<file>", sk = "<hash>"),
)]
struct Chunk {
    id: u32,
    file: String,
    #[serde(with = "serde_bytes")]
    hash: Vec<u8>,
}

#[tokio::test]
async fn a_cursor_belongs_to_one_value_of_a_binary_key() {
    let (engine, db) = engine::<Chunk>().await;
    for id in 0..4 {
        let (file, hash) = ("f".to_owned(), vec![7, 7]);
        Chunk { id, file, hash }.put().send(&db).await.unwrap();
    }
    let query = |hash: &[u8]| Chunk::by_file("f").hash(hash).limit(2);
    let next = query(&[7, 7]).send(&db).await.unwrap().next.unwrap();
    let before = engine.requests();
    let other = query(&[7, 8]).after(next.clone()).send(&db).await;
    let source = CursorError::OtherQuery;
    assert!(matches!(other, Err(Error::Cursor { source: found, .. }) if found == source));
    assert_eq!(engine.requests(), before);
    let rest = query(&[7, 7]).after(next).send(&db).await.unwrap();
    assert_eq!(rest.items.len(), 2);
}

/// No text but the one that was given out opens anything, in either direction, of a query or of a scan; with a secret and without.
#[tokio::test]
async fn a_cursor_that_was_tampered_with_makes_no_request() {
    let (engine, db) = engine::<Note>().await;
    notes(&db).await;
    for db in [
        db.clone(),
        with_secret(&db, CursorSecret::authenticating([7; 32])),
        with_secret(&db, CursorSecret::encrypting([7; 32])),
    ] {
        let text = |page: Page<Note>| page.next.unwrap().to_string();
        let queried = text(Note::query("one").limit(2).send(&db).await.unwrap());
        let scanned = text(Note::scan().limit(2).send(&db).await.unwrap());
        let before = engine.requests();
        for cursor in tampered(&queried) {
            let after = Note::query("one").after(cursor.clone()).send(&db).await;
            let back = Note::query("one").before(cursor).send(&db).await;
            is_refused(after.unwrap_err());
            is_refused(back.unwrap_err());
        }
        for cursor in tampered(&scanned) {
            is_refused(Note::scan().after(cursor).send(&db).await.unwrap_err());
        }
        let (queried, scanned): (Cursor, Cursor) =
            (queried.parse().unwrap(), scanned.parse().unwrap());
        let foreign = Note::query("two").after(queried.clone()).send(&db).await;
        is_refused(foreign.unwrap_err());
        let foreign = Note::query("one").after(scanned.clone()).send(&db).await;
        is_refused(foreign.unwrap_err());
        let foreign = Note::scan().after(queried.clone()).send(&db).await;
        is_refused(foreign.unwrap_err());
        assert_eq!(engine.requests(), before);
        assert!(Note::query("one").after(queried).send(&db).await.is_ok());
        assert!(Note::scan().after(scanned).send(&db).await.is_ok());
    }
}

fn with_secret(db: &Table<Note>, secret: Result<CursorSecret, CursorError>) -> Table<Note> {
    db.clone().with_cursor_secret(secret.unwrap())
}

/// Cut off anywhere, or with any bit of its six to a letter flipped, as far as it still is text of the right alphabet.
fn tampered(text: &str) -> Vec<Cursor> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let letter = |at: usize| ALPHABET.iter().position(|it| *it == text.as_bytes()[at]);
    let flipped = (0..text.len() * 6).map(|bit| {
        let (at, bit) = (bit / 6, bit % 6);
        let other = char::from(ALPHABET[letter(at).unwrap() ^ (1 << bit)]);
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    });
    let truncated = (0..text.len()).map(|end| text[..end].to_owned());
    let tampered = flipped.chain(truncated);
    tampered.filter_map(|text| text.parse().ok()).collect()
}

fn is_refused(error: Error) {
    assert!(
        matches!(error, Error::Cursor { entity: "Note", .. }),
        "{error}"
    );
}
