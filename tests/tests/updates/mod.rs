//! Updates in the embedded engine: what changes, what follows, and what is refused.

mod explained;
mod fields;
mod indexes;
mod law;
mod upsert;

use dyna_runtime::serde::string_set;
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, KeyPart, Table};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "updates",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk", sk = "gsi2sk"),
    index(scores, pk = "game", sk = number("score"))
)]
enum Board {
    Task(Task),
    Player(Player),
    Counter(Counter),
}

/// Two index keys that follow their fields: one of them sparse, one through a nested struct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Board,
    pk = "BOARD#<board>",
    sk = "TASK#<id>",
    gsi1(as = by_status, pk = "BOARD#<board>#<status>", sk = "DUE#<due:len=10>#<id>"),
    gsi2(as = by_owner, pk = "OWNER#<details.owner|lower>", sk = "RANK#<details.rank:03>"),
)]
struct Task {
    board: String,
    id: String,
    status: Status,
    due: Option<String>,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    edits: u32,
    tags: Vec<String>,
    #[serde(
        with = "string_set",
        default,
        skip_serializing_if = "BTreeSet::is_empty"
    )]
    watchers: BTreeSet<String>,
    labels: BTreeMap<String, u8>,
    details: Details,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
#[serde(rename_all = "camelCase")]
struct Details {
    owner: String,
    rank: u8,
    full_text: String,
    size: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
enum Status {
    Open,
    Done,
}

/// The attributes of the index are the fields themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Board, pk = "PLAYER#<name>", sk = "PLAYER", scores(as = ranking, pk = "<game>", sk = "<score>"))]
struct Player {
    name: String,
    game: Option<String>,
    score: u64,
}

/// An index key that is made of the primary key alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Board, pk = "COUNTER#<name>", sk = "COUNTER", gsi1(as = all, pk = "COUNTERS", sk = "<name>"))]
struct Counter {
    name: String,
    value: u64,
    #[serde(default)]
    label: Option<String>,
}

async fn db() -> Table<Board> {
    Board::embedded().await.unwrap()
}

fn task() -> Task {
    Task {
        board: "b".to_owned(),
        id: "1".to_owned(),
        status: Status::Open,
        due: Some("2026-01-01".to_owned()),
        title: "First".to_owned(),
        note: None,
        edits: 0,
        tags: vec!["a".to_owned()],
        watchers: BTreeSet::new(),
        labels: BTreeMap::new(),
        details: Details {
            owner: "Ann".to_owned(),
            rank: 7,
            full_text: "text".to_owned(),
            size: 1,
        },
    }
}

async fn stored(db: &Table<Board>) -> Task {
    let task = Task::get("b", "1").consistent().send(db).await.unwrap();
    task.unwrap()
}

const KEYS: [&str; 9] = [
    "pk", "sk", "kind", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "game", "score",
];

/// Every key of every item is what its fields make of it.
async fn assert_keys_are_fresh(db: &Table<Board>) {
    use dyna_runtime::DynaTable as _;
    let raw = db.client().scan().table_name(db.name().unwrap());
    for item in raw.send().await.unwrap().items.unwrap() {
        let entity = Board::from_item(item.clone()).unwrap();
        let fresh = entity.to_item().unwrap();
        for key in KEYS {
            assert_eq!(item.get(key), fresh.get(key), "{key}");
        }
    }
}
