//! One rule for the items of a shared table: ours, foreign, unknown and misfit.

use aws_sdk_dynamodb::types::AttributeValue::{self, N, S};
use dyna_runtime::codec::Item;
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
            .descending()
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
        Post::query_many(["ann", "bob"]).all(&db).await.unwrap_err(),
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

/// All that a stream yields.
async fn drain<V>(items: dyna_runtime::ItemStream<V>) -> Vec<dyna_runtime::Result<V>> {
    use futures_core::Stream;
    let mut items = std::pin::pin!(items);
    let mut all = Vec::new();
    while let Some(item) = std::future::poll_fn(|context| items.as_mut().poll_next(context)).await {
        all.push(item);
    }
    all
}

/// A post that does not decode.
async fn write_broken(db: &Table<Chat>) {
    let broken = [
        ("pk", s("USER#ann")),
        ("sk", s("0007")),
        ("type", s("Post")),
        ("gsi1pk", s("TOPIC#rust")),
        ("gsi1sk", s("0007")),
    ];
    write(db, &broken).await;
}

#[tokio::test]
async fn stream_yields_the_error_of_an_item_and_goes_on() {
    let db = chat().await;
    write_misfit(&db).await;
    write_broken(&db).await;
    write_untagged(&db).await;
    write_unknown(&db).await;
    for posts in [
        drain(Post::query("ann").stream(&db)).await,
        drain(Post::query_many(["ann", "bob"]).stream(&db)).await,
        drain(Post::by_topic("rust").stream(&db)).await,
        drain(Post::scan().stream(&db)).await,
    ] {
        assert_eq!(posts.len(), 5);
        let errors: Vec<_> = posts
            .iter()
            .filter_map(|post| post.as_ref().err())
            .collect();
        assert!(matches!(
            errors[..],
            [Error::Misfit { .. }, Error::Decode { .. }]
        ));
        assert_eq!(posts.iter().flatten().count(), 3);
    }
    let all = drain(Chat::scan().stream(&db)).await;
    let unknown =
        |item: &&dyna_runtime::Result<Chat>| matches!(item, Err(Error::UnknownItem { .. }));
    assert_eq!(all.iter().filter(unknown).count(), 1);
    assert_eq!((all.len(), all.iter().flatten().count()), (8, 5));
    let all = drain(Chat::scan().skip_unknown().stream(&db)).await;
    assert_eq!((all.len(), all.iter().flatten().count()), (7, 5));
}

#[tokio::test]
async fn skip_unreadable_collects_errors_with_their_keys() {
    let db = chat().await;
    write_misfit(&db).await;
    write_broken(&db).await;
    write_unknown(&db).await;
    let pages = [
        Post::query("ann")
            .skip_unreadable()
            .send(&db)
            .await
            .unwrap(),
        Post::query("ann").skip_unreadable().all(&db).await.unwrap(),
        Post::query("ann")
            .limit(9)
            .skip_unreadable()
            .send(&db)
            .await
            .unwrap(),
        Post::by_topic("rust")
            .skip_unreadable()
            .all(&db)
            .await
            .unwrap(),
        Post::scan().skip_unreadable().send(&db).await.unwrap(),
        Post::scan()
            .segments(2)
            .skip_unreadable()
            .all(&db)
            .await
            .unwrap(),
    ];
    for page in pages {
        assert_eq!(page.items, [post(1), post(2)]);
        let keys = page
            .skipped
            .unreadable
            .iter()
            .map(|error| error.key().unwrap().reveal());
        assert_eq!(
            keys.collect::<Vec<_>>(),
            ["USER#ann/00012", "USER#ann/0007"]
        );
    }
    assert_eq!(
        Post::query("ann")
            .skip_unreadable()
            .count(&db)
            .await
            .unwrap(),
        3
    );
    assert_eq!(Post::scan().skip_unreadable().count(&db).await.unwrap(), 3);
    let timeline = Timeline::query("ann")
        .skip_unreadable()
        .all(&db)
        .await
        .unwrap();
    assert_eq!(
        (timeline.items.len(), timeline.skipped.unreadable.len()),
        (3, 2)
    );
    let chat = Chat::scan()
        .skip_unknown()
        .skip_unreadable()
        .all(&db)
        .await
        .unwrap();
    assert_eq!(
        (
            chat.items.len(),
            chat.skipped.unreadable.len(),
            chat.skipped.unknown
        ),
        (4, 2, 1)
    );
    let chat = Chat::scan().skip_unreadable().send(&db).await.unwrap();
    assert_eq!(
        (
            chat.items.len(),
            chat.skipped.unreadable.len(),
            chat.skipped.unknown
        ),
        (4, 3, 0)
    );
    let batch = db
        .batch_get([Post::key("ann", 7), Post::key("ann", 1)])
        .skip_unreadable()
        .await
        .unwrap();
    assert_eq!(batch.items, [None, Some(post(1))]);
    assert_eq!(batch.unreadable.len(), 1);
    assert!(db.batch_get([Post::key("ann", 7)]).await.is_err());
}

#[tokio::test]
async fn whole_table_fails_on_an_unknown_item_unless_it_is_skipped() {
    let db = chat().await;
    write_unknown(&db).await;
    assert!(matches!(
        Chat::scan().all(&db).await,
        Err(Error::UnknownItem { table: "Chat", .. })
    ));
    assert!(matches!(
        Chat::scan().send(&db).await,
        Err(Error::UnknownItem { .. })
    ));
    let page = Chat::scan().skip_unknown().send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.skipped.unknown), (4, 1));
    assert_eq!(Chat::scan().skip_unknown().all(&db).await.unwrap().len(), 4);
    assert_eq!(Chat::scan().skip_unknown().count(&db).await.unwrap(), 4);
    assert_eq!(Chat::scan().count(&db).await.unwrap(), 5);
}

/// Without a tag, keys alone tell whose items are.
mod untagged {
    use super::*;

    #[derive(Debug, PartialEq, DynaTable)]
    #[dyna(name = "plain", pk = "pk", sk = "sk")]
    enum Plain {
        Note(Note),
        Task(Task),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Plain, pk = "USER#<id>", sk = "<n:04>")]
    struct Note {
        id: String,
        n: u16,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Plain, pk = "USER#<id>", sk = "TASK")]
    struct Task {
        id: String,
    }

    #[tokio::test]
    async fn key_shape_decides_without_a_tag() {
        let db = Plain::embedded().await.unwrap();
        let note = Note {
            id: "ann".into(),
            n: 1,
        };
        note.put().send(&db).await.unwrap();
        Task { id: "ann".into() }.put().send(&db).await.unwrap();
        let other = item(&[
            ("pk", s("USER#ann")),
            ("sk", s("00010")),
            ("id", s("ann")),
            ("n", N("1".into())),
        ]);
        let put = db
            .client()
            .put_item()
            .table_name("plain")
            .set_item(Some(other));
        put.send().await.unwrap();
        let page = Note::query("ann").send(&db).await.unwrap();
        assert_eq!(page.items, std::slice::from_ref(&note));
        assert_eq!((page.skipped.foreign, page.skipped.unknown), (1, 1));
        assert_eq!(
            Note::query("ann").all(&db).await.unwrap(),
            std::slice::from_ref(&note)
        );
        assert_eq!(Note::query("ann").count(&db).await.unwrap(), 1);
        assert_eq!(
            Note::query("ann").n_range(0..).all(&db).await.unwrap(),
            std::slice::from_ref(&note)
        );
        assert_eq!(Note::scan().all(&db).await.unwrap(), [note]);
        assert!(matches!(
            Plain::scan().all(&db).await,
            Err(Error::UnknownItem { .. })
        ));
        assert_eq!(
            Plain::scan().skip_unknown().all(&db).await.unwrap().len(),
            2
        );
    }
}

/// Queries that nothing else of the table can be in the way of are read in one pass: the rule is the same.
mod exclusive {
    use super::*;

    #[derive(Debug, PartialEq, DynaTable)]
    #[dyna(name = "log", pk = "pk", sk = "sk", tag = "type")]
    enum Log {
        Entry(Entry),
        #[dyna(unknown)]
        Other(Item),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Log, pk = "LOG#<log>", sk = "<at:04>")]
    struct Entry {
        log: String,
        at: u16,
        type_: Option<String>,
    }

    #[derive(Debug, PartialEq, DynaCollection)]
    enum All {
        Entry(Entry),
    }

    #[derive(Debug, PartialEq, Deserialize, DynaProjection)]
    #[dyna(of = Entry)]
    struct At {
        at: u16,
    }

    fn entry(at: u16) -> Entry {
        Entry {
            log: "a".into(),
            at,
            type_: None,
        }
    }

    async fn put(db: &Table<Log>, sk: &str, tag: Option<&str>) {
        let mut stored = item(&[
            ("pk", s("LOG#a")),
            ("sk", s(sk)),
            ("log", s("a")),
            ("at", N("9".into())),
        ]);
        stored.extend(tag.map(|tag| ("type".to_owned(), s(tag))));
        let put = db
            .client()
            .put_item()
            .table_name("log")
            .set_item(Some(stored));
        put.send().await.unwrap();
    }

    async fn log() -> Table<Log> {
        let db = Log::embedded().await.unwrap();
        for at in 1..=3 {
            entry(at).put().send(&db).await.unwrap();
        }
        db
    }

    #[tokio::test]
    async fn unknown_items_in_an_exclusive_query_are_left_out() {
        let db = log().await;
        put(&db, "0001+", Some("Note")).await;
        put(&db, "0002+", None).await;
        put(&db, "0009", Some("Note")).await;
        let entries = [entry(1), entry(2), entry(3)];
        let page = Entry::query("a").send(&db).await.unwrap();
        assert_eq!(page.items, entries);
        assert_eq!((page.skipped.foreign, page.skipped.unknown), (0, 3));
        assert_eq!(Entry::query("a").all(&db).await.unwrap(), entries);
        assert_eq!(
            Entry::query("a").limit(2).send(&db).await.unwrap().items,
            entries[..2]
        );
        assert_eq!(
            Entry::query("a").prefetch(2).all(&db).await.unwrap(),
            entries
        );
        assert_eq!(Entry::query("a").count(&db).await.unwrap(), 3);
        assert_eq!(
            All::query("a").all(&db).await.unwrap(),
            entries.map(All::Entry)
        );
        assert_eq!(All::query("a").count(&db).await.unwrap(), 3);
    }

    #[tokio::test]
    async fn misfits_in_an_exclusive_query_are_errors() {
        let db = log().await;
        put(&db, "00015", Some("Entry")).await;
        for error in [
            Entry::query("a").all(&db).await.unwrap_err(),
            Entry::query("a").send(&db).await.unwrap_err(),
            Entry::query("a").at_range(1..).all(&db).await.unwrap_err(),
            Entry::query("a").limit(9).send(&db).await.unwrap_err(),
            Entry::query("a")
                .project::<At>()
                .all(&db)
                .await
                .unwrap_err(),
            Entry::query("a").count(&db).await.unwrap_err(),
            Entry::query("a").prefetch(1).all(&db).await.unwrap_err(),
            Entry::query_many(["a", "b"]).all(&db).await.unwrap_err(),
            Entry::scan().all(&db).await.unwrap_err(),
            All::query("a").all(&db).await.unwrap_err(),
            All::query("a").send(&db).await.unwrap_err(),
            Log::scan().all(&db).await.unwrap_err(),
            Log::scan().send(&db).await.unwrap_err(),
        ] {
            assert!(
                matches!(
                    error,
                    Error::Misfit {
                        entity: "Entry",
                        ..
                    }
                ),
                "{error}"
            );
        }
        let page = Entry::query("a").skip_unreadable().send(&db).await.unwrap();
        assert_eq!((page.items.len(), page.skipped.unreadable.len()), (3, 1));
    }

    #[tokio::test]
    async fn catch_all_variant_takes_unknown_items_as_they_are() {
        let db = log().await;
        put(&db, "0001+", Some("Note")).await;
        let all = Log::scan().all(&db).await.unwrap();
        assert_eq!(all.len(), 4);
        let others: Vec<_> = all
            .iter()
            .filter_map(|it| match it {
                Log::Other(item) => Some(item),
                Log::Entry(_) => None,
            })
            .collect();
        assert_eq!(others.len(), 1);
        assert_eq!(others[0]["sk"], s("0001+"));
        assert_eq!(others[0]["type"], s("Note"));
        assert_eq!(
            all.iter()
                .find(|it| matches!(it, Log::Other(_)))
                .unwrap()
                .to_item()
                .unwrap(),
            *others[0]
        );
        assert_eq!(Log::scan().count(&db).await.unwrap(), 4);
        assert_eq!(Log::scan().skip_unknown().all(&db).await.unwrap().len(), 3);
        assert_eq!(
            drain(Log::scan().stream(&db))
                .await
                .into_iter()
                .flatten()
                .count(),
            4
        );
    }
}
