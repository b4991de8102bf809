//! Text and a `<rest..>` before parts of a fixed width, and prefixes of text wherever it stands.

use super::keys;
use dyna_runtime::{DynaEntity, DynaTable};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "files", pk = "pk", sk = "sk", index(gsi1, pk = "g1pk", sk = "g1sk"), index(gsi2, pk = "g2pk", sk = "g2sk")),
    pk = "DIR#<dir..>#<kind:len=2>",
    sk = "<name><rev:02>",
    gsi1(as = by_name, pk = "FILES", sk = "<name>.<kind:len=2>#<dir..><rev:02>"),
    gsi2(as = by_kind, pk = "KINDS", sk = "<kind:len=2>#<name>#<rev:02>"),
)]
struct File {
    #[dyna(key_only)]
    dir: String,
    kind: String,
    #[dyna(key_only)]
    name: String,
    rev: u8,
}

fn file(dir: &str, kind: &str, name: &str, rev: u8) -> File {
    File {
        dir: dir.to_owned(),
        kind: kind.to_owned(),
        name: name.to_owned(),
        rev,
    }
}

#[tokio::test]
async fn keys_of_parts_side_by_side_are_read_back() {
    let db = File::embedded().await.unwrap();
    let all = [
        file("a#b", "rs", "x1", 0),
        file("a#b", "rs", "x", 10),
        file("a", "b#", "x", 1),
    ];
    for one in &all[..2] {
        one.create().send(&db).await.unwrap();
    }
    let error = all[2].create().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "File: key field `kind` contains the delimiter '#'"
    );
    assert_eq!(
        keys(&db, ["pk", "sk", "g1sk", "g2sk"]).await,
        [
            ["DIR#a#b#rs", "x100", "x1.rs#a#b00", "rs#x1#00"],
            ["DIR#a#b#rs", "x10", "x.rs#a#b10", "rs#x#10"],
        ]
        .map(|one| one.map(str::to_owned))
        .iter()
        .cloned()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
    for one in &all[..2] {
        let found = File::get("a#b", "rs", &one.name, one.rev).send(&db).await;
        assert_eq!(found.unwrap().as_ref(), Some(one));
    }
}

/// `x` and `1` are no beginning of `x1`: a name is fixed with its revision.
#[tokio::test]
async fn field_without_delimiter_is_fixed_with_the_next_one() {
    let db = File::embedded().await.unwrap();
    let all = [file("d", "rs", "x", 10), file("d", "rs", "x1", 0)];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    let found = File::query("d", "rs").name("x").rev(10).all(&db).await;
    assert_eq!(found.unwrap(), all[..1]);
    let found = File::query("d", "rs").name("x1").rev(0).all(&db).await;
    assert_eq!(found.unwrap(), all[1..]);
    let by_name = || File::by_name().name("x").kind("rs");
    assert_eq!(by_name().all(&db).await.unwrap(), all[..1]);
    let found = by_name().dir("d").rev(10).all(&db).await;
    assert_eq!(found.unwrap(), all[..1]);
    let found = by_name().dir("d").rev(1).all(&db).await;
    assert_eq!(found.unwrap(), []);
}

#[tokio::test]
async fn prefix_of_text_ends_the_steps_anywhere() {
    let db = File::embedded().await.unwrap();
    let all = [
        file("d", "rb", "ab", 0),
        file("d", "rs", "a", 0),
        file("d", "rs", "ab", 1),
        file("d", "rs", "abc", 2),
        file("d", "rs", "b", 0),
    ];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    let by_kind = || File::by_kind();
    let found = by_kind().kind_starts_with("r").all(&db).await.unwrap();
    assert_eq!(found, all);
    let found = by_kind().kind_starts_with("rs").all(&db).await.unwrap();
    assert_eq!(found, all[1..]);
    let found = by_kind().kind("rs").name_starts_with("ab").all(&db).await;
    assert_eq!(found.unwrap(), all[2..4]);
    let found = by_kind().kind("rs").name_starts_with("").all(&db).await;
    assert_eq!(found.unwrap(), all[1..]);
    let error = by_kind()
        .kind_starts_with("rsx")
        .all(&db)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "File: key field `kind` is 3 bytes long; its template requires exactly 2"
    );
    let error = by_kind().kind("rs").name_starts_with("a#").all(&db).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "File: key field `name` contains the delimiter '#'"
    );
}

#[tokio::test]
async fn setters_follow_parts_side_by_side() {
    let db = File::embedded().await.unwrap();
    let one = file("a#b", "rs", "x1", 7);
    one.create().send(&db).await.unwrap();
    File::upsert("a#b", "rs", "x1", 7).send(&db).await.unwrap();
    File::upsert("c", "md", "y", 9).send(&db).await.unwrap();
    assert_eq!(
        keys(&db, ["pk", "sk", "g1sk", "g2sk"]).await,
        [
            ["DIR#a#b#rs", "x107", "x1.rs#a#b07", "rs#x1#07"],
            ["DIR#c#md", "y09", "y.md#c09", "md#y#09"],
        ]
    );
}

/// The rest is inside of a field that begins with text, and another field follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "pk", sk = "sk"),
    pk = "NOTES#<owner>",
    sk = "a<rest..>#<page:len=1>"
)]
struct Note {
    owner: String,
    rest: String,
    page: String,
}

/// `ax#1` begins `ax#1#2`: a rest is fixed together with what follows it, and then exactly.
#[tokio::test]
async fn rest_inside_a_field_is_fixed_with_the_next_field() {
    let db = Note::embedded().await.unwrap();
    let note = |rest: &str, page: &str| Note {
        owner: "o".to_owned(),
        rest: rest.to_owned(),
        page: page.to_owned(),
    };
    let all = [note("x", "1"), note("x#1", "2"), note("x#1#2", "1")];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    for one in &all {
        let found = Note::query("o").rest(&one.rest).page(&one.page);
        assert_eq!(found.all(&db).await.unwrap(), std::slice::from_ref(one));
    }
    let found = Note::query("o").rest("x#1").page("1").all(&db).await;
    assert_eq!(found.unwrap(), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every file is found by exactly its own values, and two files never share a key.
    #[test]
    fn keys_are_injective_and_steps_are_exact(
        files in prop::collection::vec(("[a#]{1,3}", "[ab]{2}", "[a0]{1,3}", 0u8..12), 1..8),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = File::embedded().await.unwrap();
            let mut stored = std::collections::BTreeMap::new();
            for (dir, kind, name, rev) in files {
                let one = file(&dir, &kind, &name, rev);
                one.put().send(&db).await.unwrap();
                stored.insert((dir, kind, name, rev), one);
            }
            assert_eq!(super::stored(&db).await.len(), stored.len());
            for ((dir, kind, name, rev), one) in &stored {
                let found = File::query(dir, kind).name(name).rev(*rev).all(&db).await.unwrap();
                assert_eq!(found, std::slice::from_ref(one));
                let found = File::by_name().name(name).kind(kind).dir(dir).rev(*rev).all(&db).await.unwrap();
                assert_eq!(found, std::slice::from_ref(one));
                let found = File::by_kind().kind(kind).name_starts_with(name).all(&db).await.unwrap();
                let expected = stored.keys().filter(|(_, k, n, _)| k == kind && n.starts_with(name));
                assert_eq!(found.len(), expected.count());
            }
        });
    }
}
