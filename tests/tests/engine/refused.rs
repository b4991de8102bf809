//! Hostile ids: an error of `send`, from every kind of request, and no request.

use super::engine;
use dyna_runtime::error::KeyErrorKind;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};
use std::error::Error as _;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "posts", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "USER#<user>",
    sk = "POST#<topic>#<slug>",
    gsi1(as = by_editor, pk = "EDITOR#<editor>", sk = "<title>"),
)]
struct Post {
    user: String,
    topic: String,
    slug: String,
    editor: Option<String>,
    title: String,
}

fn post() -> Post {
    Post {
        user: "u".to_owned(),
        topic: "t".to_owned(),
        slug: "s".to_owned(),
        editor: Some("e".to_owned()),
        title: "t".to_owned(),
    }
}

/// Part of every value here, and of no message.
const SECRET: &str = "S3CR3T";

fn hostile() -> Vec<String> {
    vec![
        String::new(),
        format!("{SECRET}#x"),
        "#".to_owned(),
        format!("{SECRET}\u{10FFFF}"),
        SECRET.repeat(2049),
    ]
}

/// The error is of this field, or of the key attribute, and does not show the value, nor do its sources.
fn is_of(error: &Error, field: &str, attribute: &str) {
    let Error::Key(key) = error else {
        panic!("{error}")
    };
    assert_eq!(key.entity(), "Post");
    let expected = if matches!(key.kind(), KeyErrorKind::TooLong { .. }) {
        attribute
    } else {
        field
    };
    assert_eq!(key.field(), expected);
    let mut shown = format!("{error} {error:?} {key} {key:?}");
    let mut source = error.source();
    while let Some(error) = source {
        shown = format!("{shown} {error} {error:?}");
        source = error.source();
    }
    assert!(!shown.contains(SECRET), "{shown}");
}

#[tokio::test]
async fn writes_of_hostile_ids_make_no_request() {
    let (engine, db) = engine::<Post>().await;
    let before = engine.requests();
    for bad in hostile() {
        let posts = [
            (
                Post {
                    user: bad.clone(),
                    ..post()
                },
                "user",
                "pk",
            ),
            (
                Post {
                    topic: bad.clone(),
                    ..post()
                },
                "topic",
                "sk",
            ),
            (
                Post {
                    slug: bad.clone(),
                    ..post()
                },
                "slug",
                "sk",
            ),
            (
                Post {
                    editor: Some(bad.clone()),
                    ..post()
                },
                "editor",
                "gsi1pk",
            ),
            (
                Post {
                    title: bad.clone(),
                    ..post()
                },
                "title",
                "gsi1sk",
            ),
        ];
        for (post, field, attribute) in posts {
            is_of(&post.put().send(&db).await.unwrap_err(), field, attribute);
            is_of(
                &post.create().send(&db).await.unwrap_err(),
                field,
                attribute,
            );
        }
        is_of(
            &Post::delete(&bad, "t", "s").send(&db).await.unwrap_err(),
            "user",
            "pk",
        );
        is_of(
            &Post::delete("u", "t", &bad).send(&db).await.unwrap_err(),
            "slug",
            "sk",
        );
    }
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn reads_of_hostile_ids_make_no_request() {
    let (engine, db) = engine::<Post>().await;
    let before = engine.requests();
    for bad in hostile() {
        let bad = bad.as_str();
        is_of(
            &Post::get(bad, "t", "s").send(&db).await.unwrap_err(),
            "user",
            "pk",
        );
        is_of(
            &Post::get("u", bad, "s")
                .consistent()
                .send(&db)
                .await
                .unwrap_err(),
            "topic",
            "sk",
        );
        is_of(&Post::query(bad).send(&db).await.unwrap_err(), "user", "pk");
        is_of(&Post::query(bad).all(&db).await.unwrap_err(), "user", "pk");
        is_of(&Post::query(bad).one(&db).await.unwrap_err(), "user", "pk");
        is_of(
            &Post::query(bad).first(&db).await.unwrap_err(),
            "user",
            "pk",
        );
        is_of(
            &Post::query(bad)
                .topic("t")
                .slug("s")
                .all(&db)
                .await
                .unwrap_err(),
            "user",
            "pk",
        );
        is_of(
            &Post::query(bad)
                .topic("t")
                .slug_range("a".."b")
                .all(&db)
                .await
                .unwrap_err(),
            "user",
            "pk",
        );
        is_of(
            &Post::by_editor(bad).all(&db).await.unwrap_err(),
            "editor",
            "gsi1pk",
        );
        is_of(
            &Post::by_editor("e").title(bad).all(&db).await.unwrap_err(),
            "title",
            "gsi1sk",
        );
    }
    assert_eq!(engine.requests(), before);
}

#[tokio::test]
async fn sort_key_conditions_of_hostile_ids_make_no_request() {
    let (engine, db) = engine::<Post>().await;
    let before = engine.requests();
    for bad in hostile() {
        let bad = bad.as_str();
        let errors = [
            Post::query("u").topic(bad).all(&db).await.unwrap_err(),
            Post::query("u")
                .topic(bad)
                .slug("s")
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic(bad)
                .slug_range("a"..)
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic(bad)
                .slug_starts_with("a")
                .all(&db)
                .await
                .unwrap_err(),
        ];
        for error in errors {
            is_of(&error, "topic", "sk");
        }
        let errors = [
            Post::query("u")
                .topic("t")
                .slug(bad)
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic("t")
                .slug_range(bad..)
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic("t")
                .slug_range(..bad)
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic("t")
                .slug_range(..=bad)
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic("t")
                .slug_range(bad..="z")
                .all(&db)
                .await
                .unwrap_err(),
            Post::query("u")
                .topic("t")
                .slug_range("a"..bad)
                .all(&db)
                .await
                .unwrap_err(),
        ];
        for error in errors {
            is_of(&error, "slug", "sk");
        }
        if !bad.is_empty() {
            let error = Post::query("u")
                .topic("t")
                .slug_starts_with(bad)
                .all(&db)
                .await
                .unwrap_err();
            is_of(&error, "slug", "sk");
        }
    }
    assert_eq!(engine.requests(), before);
}

/// Requests that can be printed do not show the values of their keys.
#[tokio::test]
async fn requests_do_not_show_their_keys() {
    let (_, db) = engine::<Post>().await;
    let query = Post::query(SECRET).topic(SECRET);
    let shown = [
        format!("{:?}", Post::key(SECRET, SECRET, SECRET)),
        format!("{:?}", Post::get(SECRET, SECRET, SECRET)),
        format!("{:?}", Post::delete(SECRET, SECRET, SECRET)),
        format!("{query:?}"),
    ];
    for shown in shown {
        assert!(!shown.contains(SECRET), "{shown}");
    }
    for slug in ["a", "b"] {
        let post = Post {
            user: SECRET.to_owned(),
            topic: SECRET.to_owned(),
            slug: slug.to_owned(),
            ..post()
        };
        post.put().send(&db).await.unwrap();
    }
    let page = query.limit(1).send(&db).await.unwrap();
    let cursor = format!("{:?}", page.next.unwrap());
    assert!(!cursor.contains(SECRET), "{cursor}");
    let post = Post {
        user: SECRET.to_owned(),
        topic: SECRET.to_owned(),
        slug: "a".to_owned(),
        ..post()
    };
    let error = post.create().send(&db).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains(SECRET));
}
