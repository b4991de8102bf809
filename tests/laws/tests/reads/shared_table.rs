//! One rule for the items of a shared table: ours, foreign, unknown and misfit.

use aws_sdk_dynamodb::types::AttributeValue::{self, N, S};
use dyna_runtime::codec::Item;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(keys, pk = "gsi2pk", projection = "keys_only")
)]
enum Chat {
    User(User),
    Post(Post),
    Line(Line),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "PROFILE")]
struct User {
    id: String,
    age: u8,
}

/// Nothing else that is listed has such sort keys: its queries are exclusive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Chat,
    pk = "USER#<id>",
    sk = "<at:04>",
    gsi1(as = by_topic, pk = "TOPIC#<topic>", sk = "<at:04>"),
    keys(as = by_state, pk = "STATE#<topic>"),
)]
struct Post {
    id: String,
    at: u16,
    topic: String,
}

/// Shares its prefix with nothing, but its own range with posts' partitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<id>", sk = "<at:04>#<n:02>")]
struct Line {
    id: String,
    at: u16,
    n: u8,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Timeline {
    User(User),
    Post(Post),
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Post)]
struct Topic {
    topic: String,
}

fn post(at: u16) -> Post {
    let (id, topic) = ("ann".to_owned(), "rust".to_owned());
    Post { id, at, topic }
}

fn ann() -> User {
    User {
        id: "ann".to_owned(),
        age: 7,
    }
}

fn item(pairs: &[(&str, AttributeValue)]) -> Item {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect()
}

/// Writes an item as other software would.
async fn write(db: &Table<Chat>, pairs: &[(&str, AttributeValue)]) {
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item(pairs))).send().await.unwrap();
}

fn s(text: &str) -> AttributeValue {
    S(text.to_owned())
}

async fn chat() -> Table<Chat> {
    let db = Chat::embedded().await.unwrap();
    ann().put().send(&db).await.unwrap();
    for at in [1, 2] {
        post(at).put().send(&db).await.unwrap();
    }
    Line {
        id: "ann".to_owned(),
        at: 1,
        n: 1,
    }
    .put()
    .send(&db)
    .await
    .unwrap();
    db
}

/// An item of an entity type that this program does not know, in the middle of ann's partition and in every index.
async fn write_unknown(db: &Table<Chat>) {
    write(
        db,
        &[
            ("pk", s("USER#ann")),
            ("sk", s("0001+")),
            ("type", s("Reaction")),
            ("gsi1pk", s("TOPIC#rust")),
            ("gsi1sk", s("0001+")),
            ("gsi2pk", s("STATE#rust")),
        ],
    )
    .await;
}

/// An item that says it is a post, under a key that no post has.
async fn write_misfit(db: &Table<Chat>) {
    write(
        db,
        &[
            ("pk", s("USER#ann")),
            ("sk", s("00012")),
            ("type", s("Post")),
            ("gsi1pk", s("TOPIC#rust")),
            ("gsi1sk", s("00012")),
            ("gsi2pk", s("STATE#rust")),
            ("id", s("ann")),
            ("at", N("12".to_owned())),
            ("topic", s("rust")),
        ],
    )
    .await;
}

/// A post without a tag, as a program without Dyna writes it.
async fn write_untagged(db: &Table<Chat>) {
    write(
        db,
        &[
            ("pk", s("USER#ann")),
            ("sk", s("0003")),
            ("gsi1pk", s("TOPIC#rust")),
            ("gsi1sk", s("0003")),
            ("gsi2pk", s("STATE#rust")),
            ("id", s("ann")),
            ("at", N("3".to_owned())),
            ("topic", s("rust")),
        ],
    )
    .await;
}

#[tokio::test]
async fn item_of_an_unknown_type_is_left_out_of_reads_of_an_entity() {
    let db = chat().await;
    write_unknown(&db).await;
    write_untagged(&db).await;
    let posts = [post(1), post(2), post(3)];
    assert_eq!(Post::query("ann").all(&db).await.unwrap(), posts);
    assert_eq!(
        Post::query("ann").at_range(1..).all(&db).await.unwrap(),
        posts
    );
    assert_eq!(
        Post::query("ann").limit(2).send(&db).await.unwrap().items,
        posts[..2]
    );
    assert_eq!(Post::by_topic("rust").all(&db).await.unwrap(), posts);
    assert_eq!(Post::query("ann").count(&db).await.unwrap(), 3);
    assert_eq!(Post::by_topic("rust").count(&db).await.unwrap(), 3);
    assert_eq!(Post::scan().count(&db).await.unwrap(), 3);
    assert_eq!(Post::scan().all(&db).await.unwrap().len(), 3);
    assert_eq!(
        Post::by_state("rust")
            .hydrate()
            .all(&db)
            .await
            .unwrap()
            .len(),
        3
    );
    let topics = Post::query("ann")
        .project::<Topic>()
        .all(&db)
        .await
        .unwrap();
    assert_eq!(topics.len(), 3);
}

#[tokio::test]
async fn item_of_an_unknown_type_is_left_out_of_collections() {
    let db = chat().await;
    write_unknown(&db).await;
    let expected = [
        Timeline::Post(post(1)),
        Timeline::Post(post(2)),
        Timeline::User(ann()),
    ];
    assert_eq!(Timeline::query("ann").all(&db).await.unwrap(), expected);
    assert_eq!(Timeline::query("ann").count(&db).await.unwrap(), 3);
}

fn is_misfit(error: &Error) -> bool {
    let text = format!("{error} {error:?}");
    assert!(!text.contains("ann") && !text.contains("00012"), "{text}");
    assert!(text.starts_with("Post USER#<id>/<at:04>: "), "{text}");
    assert_eq!(error.key().unwrap().reveal(), "USER#ann/00012");
    matches!(error, Error::Misfit { entity: "Post", .. })
}

#[tokio::test]
async fn item_with_our_tag_and_a_key_that_does_not_fit_is_an_error_of_every_read() {
    let db = chat().await;
    write_misfit(&db).await;
    let errors = [
        Post::query("ann").all(&db).await.unwrap_err(),
        Post::query("ann").send(&db).await.unwrap_err(),
        Post::query("ann")
            .newest_first()
            .limit(3)
            .send(&db)
            .await
            .unwrap_err(),
        Post::query("ann").count(&db).await.unwrap_err(),
        Post::query("ann")
            .project::<Topic>()
            .all(&db)
            .await
            .unwrap_err(),
        Post::query_each(["ann", "bob"]).all(&db).await.unwrap_err(),
        Post::by_topic("rust").all(&db).await.unwrap_err(),
        Post::by_topic("rust").count(&db).await.unwrap_err(),
        Post::by_state("rust").hydrate().all(&db).await.unwrap_err(),
        Post::scan().all(&db).await.unwrap_err(),
        Post::scan().send(&db).await.unwrap_err(),
        Post::scan().segments(3).all(&db).await.unwrap_err(),
        Post::scan().count(&db).await.unwrap_err(),
        Post::scan().project::<Topic>().all(&db).await.unwrap_err(),
        Timeline::query("ann").all(&db).await.unwrap_err(),
        Timeline::query("ann").count(&db).await.unwrap_err(),
        Chat::scan().all(&db).await.unwrap_err(),
        Chat::scan().send(&db).await.unwrap_err(),
        Chat::scan().count(&db).await.unwrap_err(),
    ];
    for (n, error) in errors.iter().enumerate() {
        assert!(is_misfit(error), "{n}: {error}");
    }
    // Reads of others have nothing to do with it.
    assert_eq!(User::scan().all(&db).await.unwrap(), [ann()]);
    assert_eq!(Line::query("ann").count(&db).await.unwrap(), 1);
}

/// Another service's `User`, by its tag, is none of ours, by its key.
#[tokio::test]
async fn scan_of_a_table_does_not_trust_the_tag_alone() {
    let db = chat().await;
    let theirs = [
        ("pk", s("user/7")),
        ("sk", s("-")),
        ("type", s("User")),
        ("id", s("7")),
        ("age", N("9".into())),
    ];
    write(&db, &theirs).await;
    let error = Chat::scan().all(&db).await.unwrap_err();
    assert!(
        matches!(error, Error::Misfit { entity: "User", .. }),
        "{error}"
    );
    let error = Chat::from_item(item(&theirs)).unwrap_err();
    assert!(
        matches!(error, Error::Misfit { entity: "User", .. }),
        "{error}"
    );
}

#[tokio::test]
async fn item_at_our_key_with_another_tag_is_not_ours() {
    let db = chat().await;
    let other = [
        ("pk", s("USER#bob")),
        ("sk", s("PROFILE")),
        ("type", s("UserV2")),
        ("id", s("bob")),
        ("age", N("9".into())),
    ];
    write(&db, &other).await;
    let key = || User::key("bob");
    assert_eq!(User::get("bob").send(&db).await.unwrap(), None);
    assert_eq!(
        db.batch_get([key(), User::key("ann")]).await.unwrap().items,
        [None, Some(ann())]
    );
    assert_eq!(
        db.transact_get((key(), User::key("ann"))).await.unwrap(),
        (None, Some(ann()))
    );
    assert_eq!(User::scan().all(&db).await.unwrap(), [ann()]);
}

#[allow(dead_code)]
async fn shared(engine: &Embedded) -> Table<Chat> {
    Table::embedded_in(engine).await.unwrap()
}
