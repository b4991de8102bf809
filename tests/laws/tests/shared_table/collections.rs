//! Collections read the span between their members and nothing else, and take filters on what all members have.

use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "github",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum GitHub {
    Repo(Repo),
    Issue(Issue),
    Star(Star),
    Branch(Branch),
    Quote(Quote),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = GitHub, pk = "REPO#<name>", sk = "REPO#<name>",
    gsi1(as = by_day, pk = "DAY#<day>", sk = "REPO#<name>"),
)]
struct Repo {
    name: String,
    day: String,
    closed: bool,
    about: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = GitHub, pk = "REPO#<repo>", sk = "ISSUE#<n:06>",
    gsi1(as = by_day, pk = "DAY#<day>", sk = "ISSUE#<n:06>"),
)]
struct Issue {
    repo: String,
    n: u32,
    day: String,
    closed: bool,
    about: u8,
}

/// After the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = GitHub, pk = "REPO#<repo>", sk = "STAR#<user>", gsi1(as = by_day, pk = "DAY#<day>", sk = "STAR#<user>"))]
struct Star {
    repo: String,
    user: String,
    day: String,
}

/// Before the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = GitHub, pk = "REPO#<repo>", sk = "BRANCH#<name>")]
struct Branch {
    repo: String,
    name: String,
}

/// Between the others, in partitions of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = GitHub, pk = "QUOTE#<id>", sk = "PAGE#<n:03>")]
struct Quote {
    id: String,
    n: u16,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Overview {
    Repo(Repo),
    Issue(Issue),
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(index = gsi1)]
enum OfDay {
    Repo(Repo),
    Issue(Issue),
}

fn repo(name: &str) -> Repo {
    Repo {
        name: name.to_owned(),
        day: "mon".to_owned(),
        closed: false,
        about: "x".to_owned(),
    }
}

fn issue(n: u32) -> Issue {
    Issue {
        repo: "dyna".to_owned(),
        n,
        day: "mon".to_owned(),
        closed: n.is_multiple_of(2),
        about: 1,
    }
}

fn star(n: usize) -> Star {
    Star {
        repo: "dyna".to_owned(),
        user: format!("user-{n}"),
        day: "mon".to_owned(),
    }
}

async fn repository(issues: u32, stars: usize) -> Table<GitHub> {
    let db = GitHub::embedded().await.unwrap();
    let issues: Vec<_> = (1..=issues).map(issue).collect();
    let stars: Vec<_> = (0..stars).map(star).collect();
    let branch = Branch {
        repo: "dyna".to_owned(),
        name: "main".to_owned(),
    };
    let batch = db.batch_write().put(&repo("dyna")).put(&branch);
    let left = batch.put_all(&issues).put_all(&stars).send().await.unwrap();
    assert!(left.is_empty());
    db
}

#[tokio::test]
async fn repo_and_its_newest_issues_are_one_request_beside_4000_stars() {
    let db = repository(200, 4000).await;
    let newest = Overview::query("dyna").descending().limit(11);
    let asked = newest.explain_on(&db).unwrap();
    assert_eq!(
        asked.get("KeyConditionExpression"),
        Some("pk = :p AND sk BETWEEN :s AND :t")
    );
    // Nothing else lies in the span.
    assert_eq!(asked.get("FilterExpression"), None);
    let page = newest.return_consumed_capacity().send(&db).await.unwrap();
    let mut want = vec![Overview::Repo(repo("dyna"))];
    want.extend((191..=200).rev().map(|n| Overview::Issue(issue(n))));
    assert_eq!(page.items, want);
    // 11 items of some hundred bytes are at most 4 KB: half a unit, of one request.
    assert_eq!(page.consumed_capacity, Some(0.5));
    assert_eq!(page.skipped.foreign, 0);

    let all = Overview::query("dyna").return_consumed_capacity();
    let page = all.send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.next.is_none()), (201, true));
    assert!(page.consumed_capacity.unwrap() < 10.0);
    assert_eq!(Overview::query("dyna").count(&db).await.unwrap(), 201);
}

#[tokio::test]
async fn collections_of_an_index_read_the_span_too() {
    let db = repository(5, 300).await;
    let asked = OfDay::query("mon").explain_on(&db).unwrap();
    assert_eq!(
        asked.get("KeyConditionExpression"),
        Some("gsi1pk = :p AND gsi1sk BETWEEN :s AND :t")
    );
    let page = OfDay::query("mon").send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.skipped.foreign), (6, 0));
    let last = OfDay::query("mon").descending().first(&db).await.unwrap();
    assert_eq!(last, Some(OfDay::Repo(repo("dyna"))));
}

#[tokio::test]
async fn collections_are_filtered_by_common_fields() {
    let db = repository(6, 10).await;
    let open = || Overview::for_all(Issue::CLOSED.eq(false));
    let items = Overview::query("dyna")
        .filter(open())
        .all(&db)
        .await
        .unwrap();
    let mut want: Vec<_> = [1, 3, 5].map(|n| Overview::Issue(issue(n))).into();
    want.push(Overview::Repo(repo("dyna")));
    assert_eq!(items, want);
    // A limit counts what passes, and a condition may come from any member.
    let open = Overview::for_all(Repo::CLOSED.eq(false).and(Repo::DAY.eq("mon")));
    let two = Overview::query("dyna")
        .filter(open)
        .limit(2)
        .all(&db)
        .await
        .unwrap();
    assert_eq!(two, want[..2]);
    let open = OfDay::for_all(Issue::CLOSED.eq(false));
    assert_eq!(
        OfDay::query("mon").filter(open).count(&db).await.unwrap(),
        4
    );
}

#[tokio::test]
async fn filter_on_a_field_of_some_members_fails_before_any_request() {
    let db = repository(1, 0).await;
    for condition in [
        // Of another type there.
        Overview::for_all(Issue::ABOUT.eq(1)),
        Overview::for_all(Repo::ABOUT.eq("x")),
        // Not there at all.
        Overview::for_all(Issue::N.gt(1)),
        Overview::for_all(Issue::CLOSED.eq(true).or(Issue::N.gt(1))),
    ] {
        let error = Overview::query("dyna")
            .filter(condition)
            .all(&db)
            .await
            .unwrap_err();
        assert!(matches!(error, Error::Encode { .. }), "{error:?}");
        assert!(
            error.to_string().contains("that every member has"),
            "{error}"
        );
    }
}
