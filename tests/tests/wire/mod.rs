//! Between the SDK and its bytes: what the SDK does stays as it is, whether items are read and written by Dyna or by the SDK.

mod server;
mod written;

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use server::{Answer, Server};
use std::collections::BTreeSet;

#[derive(DynaTable)]
#[dyna(name = "posts", pk = "pk", sk = "sk", tag = "kind")]
enum Posts {
    Post(Post),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Posts, pk = "USER#<user>", sk = "POST#<n:05>")]
struct Post {
    user: String,
    n: u32,
    text: String,
    #[serde(with = "dyna_runtime::serde::string_set")]
    tags: BTreeSet<String>,
}

fn post(n: u32) -> Post {
    Post {
        user: "ann".to_owned(),
        n,
        text: format!("\"quoted\"\n{n}"),
        tags: BTreeSet::from(["a".to_owned(), "b".to_owned()]),
    }
}

fn json(n: u32) -> String {
    format!(
        r#"{{"pk":{{"S":"USER#ann"}},"sk":{{"S":"POST#{n:05}"}},"kind":{{"S":"Post"}},"user":{{"S":"ann"}},"n":{{"N":"{n}"}},"text":{{"S":"\"quoted\"\n{n}"}},"tags":{{"SS":["a","b"]}}}}"#
    )
}

fn page(count: u32) -> String {
    let items: Vec<String> = (0..count).map(json).collect();
    let items = items.join(",");
    format!(r#"{{"Count":{count},"Items":[{items}],"ScannedCount":{count}}}"#)
}

const BROKEN: &str =
    r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"boom"}"#;
const THROTTLED: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}"#;
const INVALID: &str =
    r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"bad key"}"#;

#[tokio::test(start_paused = true)]
async fn failed_attempts_are_retried_and_the_last_response_is_read() {
    let server = Server::new([
        Answer::new(500, BROKEN),
        Answer::new(400, THROTTLED),
        Answer::new(200, page(7)),
    ]);
    let found = Post::query("ann").send(&Posts::open(server.client())).await;
    let expected: Vec<Post> = (0..7).map(post).collect();
    assert_eq!(found.unwrap().items, expected);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn errors_stay_the_sdks() {
    let server = Server::new([Answer::new(400, INVALID)]);
    let error = Post::query("ann").send(&Posts::open(server.client())).await;
    let error = error.unwrap_err();
    assert_eq!(error.code(), Some("ValidationException"));
    assert_eq!(
        error.to_string(),
        "Query on table `posts`: ValidationException: bad key"
    );
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn pages_go_on_where_they_ended() {
    let last = r#""LastEvaluatedKey":{"pk":{"S":"USER#ann"},"sk":{"S":"POST#00001"}}"#;
    let first = page(2).replace(r#""ScannedCount":2"#, last);
    let server = Server::new([
        Answer::new(200, first),
        Answer::new(500, BROKEN),
        Answer::new(200, page(1)),
    ]);
    let found = Post::query("ann").all(&Posts::open(server.client())).await;
    assert_eq!(found.unwrap(), [post(0), post(1), post(0)]);
    let asked = &server.asked()[2];
    let start = r#""ExclusiveStartKey":{"#;
    assert!(
        asked.contains(start) && asked.contains("POST#00001"),
        "{asked}"
    );
}

#[tokio::test(start_paused = true)]
async fn corrupt_response_is_retried() {
    let server = Server::new([
        Answer::new(200, page(2)).with("x-amz-crc32", "1"),
        Answer::new(200, page(2)),
    ]);
    let found = Post::query("ann").send(&Posts::open(server.client())).await;
    assert_eq!(found.unwrap().items, [post(0), post(1)]);
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_item_of_another_form_is_named_by_place() {
    let page = page(3).replacen(r#""n":{"N":"1"}"#, r#""n":{"S":"1"}"#, 1);
    let server = Server::new([Answer::new(200, page)]);
    let error = Post::query("ann").send(&Posts::open(server.client())).await;
    let expected = "Post USER#<user>/POST#<n:05>: n: expected number, found string";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

/// What is not said to be JSON is the SDK's to judge.
#[tokio::test(start_paused = true)]
async fn a_response_of_another_content_type_is_read_by_the_sdk() {
    let server = Server::new([Answer::new(200, page(2)).with("content-type", "text/plain")]);
    let found = Post::query("ann").send(&Posts::open(server.client())).await;
    assert_eq!(found.unwrap().items, [post(0), post(1)]);
}

/// The SDK takes an empty body for an empty page.
#[tokio::test(start_paused = true)]
async fn incomplete_response_is_an_error() {
    let whole = page(3);
    for body in [
        &whole[..whole.len() - 40],
        &whole[..whole.len() - 1],
        "",
        "[]",
        "{}}",
    ] {
        for content_type in ["application/x-amz-json-1.0", "text/plain"] {
            let answer = Answer::new(200, body).with("content-type", content_type);
            let server = Server::new([answer]);
            let found = Post::query("ann").send(&Posts::open(server.client())).await;
            let error = found.unwrap_err().to_string();
            let expected = "Query on table `posts`: the response ";
            assert!(error.starts_with(expected), "{body:?} {error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn responses_may_arrive_in_pieces() {
    let server = Server::new([Answer::new(200, page(50)).in_pieces(700)]);
    let found = Post::query("ann").send(&Posts::open(server.client())).await;
    let expected: Vec<Post> = (0..50).map(post).collect();
    assert_eq!(found.unwrap().items, expected);
}

#[tokio::test(start_paused = true)]
async fn an_item_may_be_missing() {
    let server = Server::new([
        Answer::new(200, format!(r#"{{"Item":{}}}"#, json(4))),
        Answer::new(200, "{}"),
    ]);
    let db = Posts::open(server.client());
    assert_eq!(Post::get("ann", 4).send(&db).await.unwrap(), Some(post(4)));
    assert_eq!(Post::get("ann", 4).send(&db).await.unwrap(), None);
}

/// The body is written before it is signed, once for all tries, with its length; and it is what the SDK would write.
#[tokio::test(start_paused = true)]
async fn a_put_is_signed_as_it_is_sent() {
    let server = Server::new([Answer::new(500, BROKEN), Answer::new(200, "{}")]);
    let db = Posts::open(server.client());
    post(4).create().send(&db).await.unwrap();
    let asked = server.asked();
    assert_eq!(asked[0], asked[1]);
    let [headers, ..] = &server.headers()[..] else {
        panic!("a request was made")
    };
    assert_eq!(headers["content-length"], asked[0].len().to_string());

    let sdk = Server::new([Answer::new(200, "{}")]);
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let request = sdk.client().put_item().table_name("posts");
    let request = request
        .item("pk", text("USER#ann"))
        .item("sk", text("POST#00004"))
        .item("kind", text("Post"))
        .item("user", text("ann"))
        .item("n", AttributeValue::N("4".to_owned()))
        .item("text", text("\"quoted\"\n4"))
        .item(
            "tags",
            AttributeValue::Ss(vec!["a".to_owned(), "b".to_owned()]),
        )
        .condition_expression("attribute_not_exists(pk)")
        .return_values_on_condition_check_failure("ALL_OLD".into());
    request.send().await.unwrap();
    assert_eq!(server::members(&asked[0]), server::members(&sdk.asked()[0]));

    // The same bytes have the same signature, whoever wrote them.
    let again = Server::new([Answer::new(200, "{}")]);
    let put = again.client().put_item().table_name("posts");
    let put = put.customize().mutate_request({
        let body = asked[0].clone();
        move |request| {
            request
                .headers_mut()
                .insert("content-length", body.len().to_string());
            *request.body_mut() = body.clone().into();
        }
    });
    put.send().await.unwrap();
    assert_eq!(
        again.headers()[0]["authorization"],
        headers["authorization"]
    );
}

#[tokio::test(start_paused = true)]
async fn batches_and_transactions_carry_all_items() {
    let server = Server::new([
        Answer::new(500, BROKEN),
        Answer::new(200, r#"{"UnprocessedItems":{}}"#),
        Answer::new(200, "{}"),
    ]);
    let db = Posts::open(server.client());
    let posts: Vec<Post> = (0..25).map(post).collect();
    let left = db.batch_write().put_all(&posts).send().await.unwrap();
    assert!(left.is_empty());
    let transaction = db
        .transact()
        .create(&posts[0])
        .delete(Post::delete("ann", 9));
    transaction.create(&posts[1]).send().await.unwrap();
    let asked = server.asked();
    assert_eq!(asked[0], asked[1]);
    for n in 0..25 {
        assert!(asked[1].contains(&format!("POST#{n:05}")), "{n}");
    }
    assert!(!asked[1].contains(r#""Item":{}"#));
    assert!(asked[2].contains("POST#00000") && asked[2].contains("POST#00001"));
}
