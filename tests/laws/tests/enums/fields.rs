//! Managed, flattened, key-only, optional and defaulted fields of enums.

use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "jobs",
    pk = "pk",
    sk = "sk",
    tag = "entity",
    ttl = "expires",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(owners, pk = "owner")
)]
enum Jobs {
    Job(Job),
    Open(Open),
}

/// All that Dyna fills in, in every variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[dyna(
    table = Jobs,
    pk = "JOB#<queue>",
    sk = "<id>",
    gsi1(as = urgent, pk = "URGENT#<queue>", sk = "<city?>#<id>", when = is_urgent),
    owners(as = by_owner, pk = "<owner>"),
)]
enum Job {
    Mail {
        #[dyna(key_only)]
        queue: String,
        id: String,
        is_urgent: bool,
        owner: Option<String>,
        city: Option<String>,
        #[dyna(version)]
        version: u32,
        #[dyna(created_at)]
        created: u64,
        #[dyna(updated_at)]
        updated: u64,
        #[dyna(ttl)]
        expires: Option<u64>,
        #[dyna(unique)]
        slug: Option<String>,
        to: String,
        #[serde(default = "three")]
        tries: Option<u8>,
    },
    Print {
        #[dyna(key_only)]
        queue: String,
        id: String,
        is_urgent: bool,
        owner: Option<String>,
        city: Option<String>,
        #[dyna(version)]
        version: u32,
        #[dyna(created_at)]
        created: u64,
        #[dyna(updated_at)]
        updated: u64,
        #[dyna(ttl)]
        expires: Option<u64>,
        #[dyna(unique)]
        slug: Option<String>,
        #[dyna(nulls = "store")]
        tray: Option<u8>,
        #[serde(default)]
        tries: Option<u8>,
    },
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the default of a field that is an `Option`"
)]
fn three() -> Option<u8> {
    Some(3)
}

fn mail(id: &str, slug: Option<&str>) -> Job {
    Job::Mail {
        queue: "q".to_owned(),
        id: id.to_owned(),
        is_urgent: true,
        owner: Some("ann".to_owned()),
        city: None,
        version: 0,
        created: 0,
        updated: 0,
        expires: Some(4_000_000_000),
        slug: slug.map(ToOwned::to_owned),
        to: "bob".to_owned(),
        tries: Some(1),
    }
}

fn print(id: &str, slug: Option<&str>) -> Job {
    Job::Print {
        queue: "q".to_owned(),
        id: id.to_owned(),
        is_urgent: false,
        owner: None,
        city: Some("Rome".to_owned()),
        version: 0,
        created: 0,
        updated: 0,
        expires: None,
        slug: slug.map(ToOwned::to_owned),
        tray: None,
        tries: None,
    }
}

#[tokio::test]
async fn managed_fields_work_in_every_variant() {
    let db = Jobs::embedded().await.unwrap();
    mail("a", Some("x")).create().send(&db).await.unwrap();
    print("b", None).create().send(&db).await.unwrap();
    // A value of one variant is taken for the other too.
    let error = print("c", Some("x")).create().send(&db).await.unwrap_err();
    assert!(error.to_string().contains("slug"), "{error}");
    for id in ["a", "b"] {
        let loaded = Job::get("q", id).send(&db).await.unwrap().unwrap();
        let (Job::Mail {
            queue,
            version,
            created,
            ..
        }
        | Job::Print {
            queue,
            version,
            created,
            ..
        }) = &loaded;
        assert_eq!((queue.as_str(), *version), ("q", 1));
        assert!(*created > 0);
        let update = Job::update_loaded(&loaded).set(Job::SLUG, Some(format!("new-{id}")));
        let update = update.set(Job::EXPIRES, Some(4_100_000_000));
        update.send(&db).await.unwrap();
        let error = Job::update_loaded(&loaded)
            .set(Job::SLUG, None)
            .send(&db)
            .await;
        assert!(error.unwrap_err().is_version_conflict());
    }
    let loaded = Job::get("q", "a").send(&db).await.unwrap().unwrap();
    Job::delete_loaded(&loaded).send(&db).await.unwrap();
    print("c", Some("new-a")).create().send(&db).await.unwrap();
    print("d", Some("x")).create().send(&db).await.unwrap();
}

#[tokio::test]
async fn sparse_and_conditional_indexes_hold_the_variants_that_are_in_them() {
    let db = Jobs::embedded().await.unwrap();
    mail("a", None).create().send(&db).await.unwrap();
    print("b", None).create().send(&db).await.unwrap();
    let urgent = |db| Job::urgent("q").count(db);
    assert_eq!(urgent(&db).await.unwrap(), 1);
    assert_eq!(Job::by_owner("ann").count(&db).await.unwrap(), 1);
    let loaded = Job::get("q", "b").send(&db).await.unwrap().unwrap();
    let update = Job::update_loaded(&loaded).set(Job::IS_URGENT, true);
    update.set(Job::OWNER, "ann").send(&db).await.unwrap();
    assert_eq!(urgent(&db).await.unwrap(), 2);
    let in_rome = Job::urgent("q").city("Rome").all(&db).await.unwrap();
    assert_eq!(in_rome.len(), 1);
    assert_eq!(Job::by_owner("ann").count(&db).await.unwrap(), 2);
}

#[tokio::test]
async fn absent_value_that_one_variant_reads_as_another_is_refused() {
    let db = Jobs::embedded().await.unwrap();
    // `None` is `None` to this variant.
    print("b", None).create().send(&db).await.unwrap();
    let mut job = mail("a", None);
    if let Job::Mail { tries, .. } = &mut job {
        *tries = None;
    }
    let error = job.create().send(&db).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error:?}");
}

/// Each variant flattens something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(tag = "kind")]
#[dyna(table = Jobs, pk = "OPEN#<id>", sk = "OPEN")]
enum Open {
    Map {
        id: u32,
        note: String,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    },
    Struct {
        id: u32,
        #[serde(flatten)]
        body: Body,
    },
    Plain {
        id: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Body {
    /// A field of another variant, too.
    note: u8,
    title: Option<String>,
}

fn map(rest: &[(&str, &str)]) -> Open {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Open::Map {
        id: 1,
        note: "n".to_owned(),
        rest: rest.iter().map(pair).collect(),
    }
}

#[tokio::test]
async fn each_variant_flattens_what_it_has() {
    let db = Jobs::embedded().await.unwrap();
    let body = Body {
        note: 7,
        title: None,
    };
    let all = [
        map(&[("color", "red")]),
        Open::Struct { id: 2, body },
        Open::Plain { id: 3 },
    ];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    for (id, one) in (1_u32..).zip(&all) {
        let found = Open::get(id).send(&db).await.unwrap();
        assert_eq!(found.as_ref(), Some(one));
    }
}

#[tokio::test]
async fn flattened_map_cannot_write_the_tag_a_key_or_a_field() {
    let db = Jobs::embedded().await.unwrap();
    for name in ["kind", "entity", "pk", "id", "note", "gsi1pk", "expires"] {
        let error = map(&[(name, "x")]).put().send(&db).await.unwrap_err();
        assert!(matches!(error, Error::Encode { .. }), "{name}: {error:?}");
        assert!(error.to_string().contains(name), "{error}");
    }
}
