//! Code hosting: one name space for users and organizations, a repository beside its newest issues, open issues newest first.

#![allow(
    clippy::struct_field_names,
    reason = "the names that the published models give their attributes"
)]

use super::keys;
use dyna_runtime::shape::Shape;
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, KeyPart, Table, key::KeyBuf};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "hosting",
    pk = "PK",
    sk = "SK",
    tag = "Type",
    index(gsi3, pk = "GSI3PK", sk = "GSI3SK"),
    index(gsi4, pk = "GSI4PK", sk = "GSI4SK")
)]
enum Hosting {
    User(User),
    Organization(Organization),
    Repo(Repo),
    Issue(Issue),
    Star(Star),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Hosting, pk = "ACCOUNT#<name>", sk = "ACCOUNT#<name>", shares_key_with = Organization)]
struct User {
    #[dyna(key_only)]
    name: String,
    mail: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Hosting, pk = "ACCOUNT#<name>", sk = "ACCOUNT#<name>", shares_key_with = User)]
struct Organization {
    #[dyna(key_only)]
    name: String,
    members: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Hosting,
    pk = "REPO#<owner>#<repo>",
    sk = "REPO#<owner>#<repo>",
    gsi3(as = of_account, pk = "ACCOUNT#<owner>", sk = "#<updated>"),
    gsi4(as = front, pk = "REPO#<owner>#<repo>", sk = "#REPO#<repo>")
)]
struct Repo {
    #[dyna(key_only)]
    owner: String,
    #[dyna(key_only)]
    repo: String,
    updated: String,
    stars: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Status {
    Open,
    Closed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Hosting,
    pk = "REPO#<owner>#<repo>",
    sk = "ISSUE#<number:08>",
    gsi4(as = by_status, pk = "REPO#<owner>#<repo>", sk = "<(status, number)|self::status_sort>")
)]
struct Issue {
    #[dyna(key_only)]
    owner: String,
    #[dyna(key_only)]
    repo: String,
    number: u32,
    status: Status,
    title: String,
}

/// A sort key with delimiters in it.
#[derive(Debug, PartialEq)]
struct SortKey(String);

impl KeyPart for SortKey {
    const SHAPE: Shape = Shape::Rest;

    fn encode(&self, out: &mut KeyBuf) {
        out.text(&self.0);
    }

    fn decode(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }
}

/// Open issues stand before the repository, the newest last; closed ones behind it, the newest first.
fn status_sort(status: &Status, number: &u32) -> SortKey {
    SortKey(match status {
        Status::Closed => format!("#ISSUE#CLOSED#{number:08}"),
        Status::Open => format!("ISSUE#OPEN#{:08}", 99_999_999 - number),
    })
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Hosting, pk = "REPO#<owner>#<repo>", sk = "STAR#<user>")]
struct Star {
    #[dyna(key_only)]
    owner: String,
    #[dyna(key_only)]
    repo: String,
    #[dyna(key_only)]
    user: String,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum RepoPage {
    Repo(Repo),
    Issue(Issue),
}

fn issue(number: u32, status: Status) -> Issue {
    Issue {
        owner: "acme".into(),
        repo: "db".into(),
        number,
        status,
        title: format!("issue {number}"),
    }
}

async fn hosting() -> Table<Hosting> {
    let db = Hosting::embedded().await.unwrap();
    let repo = |repo: &str, updated: &str| Repo {
        owner: "acme".into(),
        repo: repo.into(),
        updated: updated.into(),
        stars: 0,
    };
    let batch = db.batch_write();
    let batch = batch.put_all(&[repo("db", "2026-02-01"), repo("web", "2026-03-01")]);
    let batch = batch.put_all(&[
        issue(1, Status::Closed),
        issue(2, Status::Open),
        issue(3, Status::Open),
    ]);
    assert!(batch.send().await.unwrap().is_empty());
    db
}

fn numbers(issues: Vec<Issue>) -> Vec<u32> {
    issues.into_iter().map(|issue| issue.number).collect()
}

#[tokio::test]
async fn keys_are_those_of_the_design() {
    let db = hosting().await;
    let star = Star {
        owner: "acme".into(),
        repo: "db".into(),
        user: "ann".into(),
    };
    star.create().send(&db).await.unwrap();
    let repo = "REPO#acme#db";
    let expected = [
        [
            repo,
            "ISSUE#00000001",
            "-",
            "-",
            repo,
            "#ISSUE#CLOSED#00000001",
        ],
        [
            repo,
            "ISSUE#00000002",
            "-",
            "-",
            repo,
            "ISSUE#OPEN#99999997",
        ],
        [
            repo,
            "ISSUE#00000003",
            "-",
            "-",
            repo,
            "ISSUE#OPEN#99999996",
        ],
        [repo, repo, "ACCOUNT#acme", "#2026-02-01", repo, "#REPO#db"],
        [repo, "STAR#ann", "-", "-", "-", "-"],
        [
            "REPO#acme#web",
            "REPO#acme#web",
            "ACCOUNT#acme",
            "#2026-03-01",
            "REPO#acme#web",
            "#REPO#web",
        ],
    ];
    let names = ["PK", "SK", "GSI3PK", "GSI3SK", "GSI4PK", "GSI4SK"];
    assert_eq!(keys(&db, names).await, expected);
}

#[tokio::test]
async fn account_name_is_taken_once_by_a_user_or_an_organization() {
    let db = hosting().await;
    let user = User {
        name: "ann".into(),
        mail: "ann@example.com".into(),
    };
    let organization = Organization {
        name: "ann".into(),
        members: 3,
    };
    user.create().send(&db).await.unwrap();
    let taken = organization.create().send(&db).await.unwrap_err();
    assert!(taken.is_condition_failed(), "{taken}");
    let replaced = organization.put().send(&db).await.unwrap_err();
    assert!(replaced.is_condition_failed(), "{replaced}");
    let found = User::get("ann").send(&db).await.unwrap();
    assert_eq!(found, Some(user));
    let found = Organization::get("ann").send(&db).await.unwrap();
    assert_eq!(found, None);
}

#[tokio::test]
async fn repository_with_its_newest_issues_in_one_request() {
    let db = hosting().await;
    let page = RepoPage::query(("acme", "db")).descending().limit(3);
    let page = page.send(&db).await.unwrap();
    let expected = [3, 2].map(|number| RepoPage::Issue(issue(number, Status::Open)));
    assert!(matches!(&page.items[0], RepoPage::Repo(repo) if repo.repo == "db"));
    assert_eq!(page.items[1..], expected);
}

#[tokio::test]
async fn open_issues_newest_first_and_closed_ones() {
    let db = hosting().await;
    let issues = || Issue::by_status("acme", "db");
    let open = issues().status_sort_starts_with("ISSUE#OPEN#");
    assert_eq!(numbers(open.all(&db).await.unwrap()), [3, 2]);
    let closed = issues().status_sort_starts_with("#ISSUE#CLOSED#");
    assert_eq!(numbers(closed.all(&db).await.unwrap()), [1]);
    // An issue that is closed changes its place.
    let closed = Issue::update_loaded(&issue(3, Status::Open)).set(Issue::STATUS, Status::Closed);
    closed.send(&db).await.unwrap();
    let closed = issues().status_sort_starts_with("#ISSUE#CLOSED#");
    assert_eq!(numbers(closed.descending().all(&db).await.unwrap()), [3, 1]);
}

#[tokio::test]
async fn repositories_of_an_account_by_last_change() {
    let db = hosting().await;
    let latest = Repo::of_account("acme")
        .descending()
        .all(&db)
        .await
        .unwrap();
    let names: Vec<_> = latest.iter().map(|repo| repo.repo.as_str()).collect();
    assert_eq!(names, ["web", "db"]);
}

#[tokio::test]
async fn star_is_counted_once() {
    let db = hosting().await;
    let star = Star {
        owner: "acme".into(),
        repo: "db".into(),
        user: "ann".into(),
    };
    for expected in [true, false] {
        let count = Repo::update("acme", "db").add(Repo::STARS, 1);
        let done = db.transact().create(&star).update(count).send().await;
        assert_eq!(done.is_ok(), expected);
    }
    let gazers = Star::query("acme", "db").all(&db).await.unwrap();
    assert_eq!(gazers, [star]);
    let repo = Repo::get("acme", "db").send(&db).await;
    assert_eq!(repo.unwrap().unwrap().stars, 1);
}
