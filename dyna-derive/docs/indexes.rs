use dyna_runtime::{DynaEntity, DynaTable, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Serialize, Deserialize, KeyPart)]
pub enum Status {
    Open,
    Closed,
    Draft,
}

/// Open issues first, the newest of them first; drafts are not in the index.
fn issue_sort(status: &Status, number: &u32) -> Option<String> {
    match status {
        Status::Open => Some(format!("OPEN-{:05}", 99_999 - number)),
        Status::Closed => Some(format!("SHUT-{number:05}")),
        Status::Draft => None,
    }
}

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "issues",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk", sk = "gsi2sk"),
        local_index(lsi1, sk = "lsi1sk")
    ),
    pk = "REPO#<repo>",
    sk = "ISSUE#<number:05>",
    gsi1(as = by_status, pk = "REPO#<repo>", sk = "<(status, number)|self::issue_sort>"),
    gsi2(as = pinned, pk = "PINNED#<repo>", sk = "<due>", when = is_pinned),
    lsi1(as = by_area, sk = "<team?>#<area?>"),
)]
pub struct Issue {
    repo: String,
    number: u32,
    status: Status,
    is_pinned: bool,
    /// Stored in the key of `gsi2` alone.
    #[dyna(key_only)]
    due: Option<String>,
    team: Option<String>,
    area: Option<String>,
}

pub async fn open_issues(db: &Table<Issue>) -> dyna_runtime::Result<Vec<Issue>> {
    Issue::update("dyna", 7)
        .set_pinned(Some("2026-01-31".to_owned()), true)
        .send(db)
        .await?;
    let nobodys = Issue::by_area("dyna").team(None::<&str>).count(db).await?;
    println!("{nobodys} issues have no team");
    let open = Issue::by_status("dyna").issue_sort_starts_with("OPEN-");
    open.limit(10).all(db).await
}
