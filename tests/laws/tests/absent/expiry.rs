//! `.skip_expired()` is the same in every read.

use super::{n, null, s, store};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "sessions", pk = "pk", sk = "sk", ttl = "ttl"),
    pk = "USER#<user>",
    sk = "SESSION#<id>"
)]
struct Session {
    user: String,
    id: String,
}

#[tokio::test]
async fn live_keeps_items_whose_ttl_is_null_absent_or_no_number() {
    let db = Session::embedded().await.unwrap();
    let ttls: [(&str, Option<AttributeValue>); 7] = [
        ("absent", None),
        ("future", Some(n(99_999_999_999))),
        (
            "fraction",
            Some(AttributeValue::N("99999999999.5".to_owned())),
        ),
        ("map", Some(super::map([]))),
        ("null", Some(null())),
        ("past", Some(n(1))),
        ("text", Some(s("1"))),
    ];
    for (id, ttl) in &ttls {
        let sk = format!("SESSION#{id}");
        let item = [
            ("pk", s("USER#ann")),
            ("sk", s(&sk)),
            ("user", s("ann")),
            ("id", s(id)),
        ];
        store(
            &db,
            item.into_iter().chain(ttl.clone().map(|ttl| ("ttl", ttl))),
        )
        .await;
    }
    let ids = |sessions: Vec<Session>| sessions.into_iter().map(|one| one.id).collect::<Vec<_>>();
    let expected = ["absent", "fraction", "future", "map", "null", "text"];

    let mut got = Vec::new();
    for (id, _) in ttls {
        got.extend(
            Session::get("ann", id)
                .skip_expired()
                .send(&db)
                .await
                .unwrap(),
        );
    }
    got.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(ids(got), expected);
    assert_eq!(
        ids(Session::query("ann").skip_expired().all(&db).await.unwrap()),
        expected
    );
    assert_eq!(
        Session::query("ann")
            .skip_expired()
            .count(&db)
            .await
            .unwrap(),
        6
    );
    let mut scanned = ids(Session::scan().skip_expired().all(&db).await.unwrap());
    scanned.sort();
    assert_eq!(scanned, expected);
}
