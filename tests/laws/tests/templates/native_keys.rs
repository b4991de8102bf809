//! A native key that is alone in its template may contain the delimiter: in a table of one entity, and in any index.

use super::keys;
use dyna_runtime::{Cursor, DynaEntity, DynaTable};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// Both halves of every key are attributes as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "pages", pk = "url", sk = "anchor", index(authors, pk = "author", sk = "url")),
    pk = "<url>",
    sk = "<anchor>",
    authors(as = by_author, pk = "<author>", sk = "<url>")
)]
struct Page {
    url: String,
    anchor: String,
    author: Option<String>,
}

fn page(url: &str, anchor: &str, author: &str) -> Page {
    Page {
        url: url.to_owned(),
        anchor: anchor.to_owned(),
        author: Some(author.to_owned()),
    }
}

#[tokio::test]
async fn delimiter_in_a_native_key_is_stored_and_read() {
    let db = Page::embedded().await.unwrap();
    let all = [
        page("a#b", "#top", "ann#1"),
        page("a#b", "#top#2", "ann"),
        page("a", "b##top", "#"),
    ];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    assert_eq!(
        keys(&db, ["url", "anchor", "author"]).await,
        [
            ["a", "b##top", "#"],
            ["a#b", "#top", "ann#1"],
            ["a#b", "#top#2", "ann"]
        ]
    );
    for one in &all {
        let author = one.author.as_deref().unwrap();
        let found = Page::get(&one.url, &one.anchor).send(&db).await.unwrap();
        assert_eq!(found.as_ref(), Some(one));
        let found = Page::by_author(author).url(&one.url).all(&db).await;
        assert_eq!(found.unwrap(), std::slice::from_ref(one));
        let parsed = Page::parse_key(&one.url, &one.anchor).unwrap();
        assert_eq!(parsed, (one.url.clone(), one.anchor.clone()));
    }
    let keys = all.iter().map(|one| Page::key(&one.url, &one.anchor));
    assert_eq!(db.batch_get(keys).await.unwrap().items.len(), 3);
    let update = Page::update("a#b", "#top").set(Page::AUTHOR, Some("eve#".to_owned()));
    update.send(&db).await.unwrap();
    assert_eq!(Page::by_author("eve#").all(&db).await.unwrap().len(), 1);
    Page::delete("a#b", "#top").send(&db).await.unwrap();
    assert_eq!(Page::get("a#b", "#top").send(&db).await.unwrap(), None);
}

/// What is no key for any template is none here either.
#[tokio::test]
async fn empty_text_and_the_last_character_are_refused() {
    let db = Page::embedded().await.unwrap();
    for url in ["", "a\u{10FFFF}"] {
        assert!(page(url, "a", "b").put().send(&db).await.is_err());
        assert!(page("a", url, "b").put().send(&db).await.is_err());
        assert!(page("a", "b", url).put().send(&db).await.is_err());
    }
}

#[tokio::test]
async fn cursor_passes_a_native_key_with_the_delimiter() {
    let db = Page::embedded().await.unwrap();
    let all = ["#", "#a", "##", "a#"].map(|anchor| page("u#", anchor, "x#y"));
    for one in &all {
        one.put().send(&db).await.unwrap();
    }
    let mut seen = Vec::new();
    let mut after: Option<Cursor> = None;
    loop {
        let page = Page::query("u#").limit(1).after(after).send(&db).await;
        let page = page.unwrap();
        seen.extend(page.items.into_iter().map(|one| one.anchor));
        let Some(next) = page.next else { break };
        after = Some(next.to_string().parse().unwrap());
    }
    assert_eq!(seen, ["#", "##", "#a", "a#"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Ranges and prefixes of a native sort key are those of its text.
    #[test]
    fn native_ranges_and_prefixes_are_exact(
        anchors in prop::collection::btree_set("[\"#$a]{1,3}", 1..8), low in "[\"#$a]{1,2}", high in "[\"#$a]{1,2}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Page::embedded().await.unwrap();
            for anchor in &anchors {
                page("u", anchor, "x").put().send(&db).await.unwrap();
            }
            let names = |pages: Vec<Page>| pages.into_iter().map(|one| one.anchor).collect::<Vec<_>>();
            let expected = |keep: &dyn Fn(&str) -> bool| anchors.iter().filter(|one| keep(one)).cloned().collect::<Vec<_>>();
            let found = Page::query("u").anchor_range(low.clone()..high.clone()).all(&db).await.unwrap();
            assert_eq!(names(found), expected(&|one| *one >= *low && *one < *high));
            let found = Page::query("u").anchor_range(low.clone()..).all(&db).await.unwrap();
            assert_eq!(names(found), expected(&|one| *one >= *low));
            let found = Page::query("u").anchor_range(..=high.clone()).all(&db).await.unwrap();
            assert_eq!(names(found), expected(&|one| *one <= *high));
            let found = Page::query("u").anchor_starts_with(&low).all(&db).await.unwrap();
            assert_eq!(names(found), expected(&|one| one.starts_with(&low)));
        });
    }
}

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "shared", pk = "id", tag = "kind", index(owners, pk = "owner"))]
enum Shared {
    Task(Task),
    Team(Team),
    Link(Link),
}

/// The primary key of a table with other entities does not contain the delimiter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shared, pk = "<id>", owners(as = by_owner, pk = "<owner>"))]
struct Task {
    id: String,
    owner: String,
}

/// Its keys are in the same attributes, and could be those of tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shared, pk = "TEAM#<team>", owners(as = by_team, pk = "TEAM#<team>"))]
struct Team {
    team: String,
}

/// Text with the delimiter, behind a prefix of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shared, pk = "LINK#<to..>")]
struct Link {
    to: String,
}

#[tokio::test]
async fn native_key_of_a_shared_table_keeps_the_delimiter_for_others() {
    let db = Shared::embedded().await.unwrap();
    let task = Task {
        id: "TEAM#1".to_owned(),
        owner: "ann".to_owned(),
    };
    let error = task.put().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Task: key field `id` contains the delimiter '#'"
    );
}

/// Two entities meet in an index, and neither returns items of the other.
#[tokio::test]
async fn native_index_key_may_equal_the_key_of_another_entity() {
    let db = Shared::embedded().await.unwrap();
    let task = Task {
        id: "1".to_owned(),
        owner: "TEAM#1".to_owned(),
    };
    let team = Team {
        team: "1".to_owned(),
    };
    task.create().send(&db).await.unwrap();
    team.create().send(&db).await.unwrap();
    let found = Task::by_owner("TEAM#1").all(&db).await.unwrap();
    assert_eq!(found, [task]);
    let found = Team::by_team("1").all(&db).await.unwrap();
    assert_eq!(found, [team]);
    assert_eq!(Shared::scan().all(&db).await.unwrap().len(), 2);
}

/// The items of unique values are in the attribute of the partition key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "people", pk = "id"), pk = "<id>")]
struct Person {
    id: String,
    #[dyna(unique)]
    mail: String,
}

#[tokio::test]
async fn native_key_beside_unique_values_keeps_the_delimiter_for_them() {
    let db = Person::embedded().await.unwrap();
    let mut person = Person {
        id: "UNIQUE#Person#mail#a@b".to_owned(),
        mail: "c#d".to_owned(),
    };
    let error = person.create().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Person: key field `id` contains the delimiter '#'"
    );
    person.id = "1".to_owned();
    person.create().send(&db).await.unwrap();
}
