//! Entities with every kind of index key that has to follow its fields.

pub(super) mod decided;

use decided::{Alarm, Job, Ticket};
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "law",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(by_status, pk = "shared", sk = "statusKey"),
    index(by_due, pk = "shared", sk = "dueKey"),
    index(by_point, pk = "pointKey", sk = "pointSort"),
    index(rounds, pk = ["cup", "region"], sk = [number("round"), "dayKey"]),
    index(fine, pk = "fineKey", sk = "fineSort"),
    index(by_plan, pk = "planKey"),
    index(scores, pk = "game", sk = number("score"))
)]
pub(super) enum Law {
    Doc(Doc),
    Match(Match),
    Mail(Mail),
    Event(Event),
    Account(Account),
    Player(Player),
    Card(Card),
    Ticket(Ticket),
    Job(Job),
    Alarm(Alarm),
}

/// Two sparse indexes with one attribute in common, and one that is made of a whole struct and shares a field with another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "DOC#<id>",
    sk = "DOC",
    by_status(as = by_status, pk = "DOC#<id>", sk = "S#<status>"),
    by_due(as = by_due, pk = "DOC#<id>", sk = "D#<due>"),
    by_point(as = by_point, pk = "P#<point|self::quadrant>", sk = "<due>"),
)]
pub(super) struct Doc {
    pub(super) id: String,
    pub(super) status: Option<Status>,
    /// NULL if an update sets it to nothing, and not stored if the entity is written.
    #[dyna(nulls = "store")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) due: Option<String>,
    pub(super) point: Point,
    pub(super) seen: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub(super) enum Status {
    Open,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DynaFields)]
pub(super) struct Point {
    pub(super) x: u64,
    pub(super) y: u64,
}

fn quadrant(point: &Point) -> String {
    format!("{}-{}", point.x / 2, point.y / 2)
}

/// Fields that are key attributes themselves, one of them sparse, beside one that is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "MATCH#<id>",
    sk = "MATCH",
    rounds(as = rounds, pk = ["<cup>", "<region>"], sk = ["<round>", "DAY#<day:03>#<id>"]),
)]
pub(super) struct Match {
    #[dyna(key_only)]
    pub(super) id: String,
    pub(super) cup: String,
    pub(super) region: Option<String>,
    pub(super) round: i32,
    pub(super) day: u16,
}

/// A primary key that does not give its field back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "MAIL#<address|lower>",
    sk = "MAIL",
    fine(as = by_rank, pk = "RANK#<rank:03>", sk = "<address>"),
)]
pub(super) struct Mail {
    pub(super) address: String,
    pub(super) rank: u8,
}

/// A primary key that gives its field back to the millisecond, and an index that says more of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "EVENT#<name>",
    sk = "<at>",
    fine(as = by_room, pk = "ROOM#<room>", sk = "<at:%Y-%m-%dT%H:%M:%S.%9f>"),
)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) at: Timestamp,
    pub(super) room: String,
}

/// A version, and an index key of two fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Law, pk = "ACCOUNT#<id>", sk = "ACCOUNT", by_plan(as = by_plan, pk = "<owner>#<plan>"))]
pub(super) struct Account {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) plan: String,
    #[dyna(version)]
    pub(super) version: u64,
}

/// Fields that are the key themselves, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Law, pk = "PLAYER#<name>", sk = "PLAYER", scores(as = ranking, pk = "<game>", sk = "<score>"))]
pub(super) struct Player {
    pub(super) name: String,
    pub(super) game: Option<String>,
    pub(super) score: i64,
}

/// Fields inside of a struct, one of them through a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "CARD#<id>",
    sk = "CARD",
    fine(as = by_owner, pk = "OWNER#<face.owner|lower>", sk = "<face.rank:03>"),
)]
pub(super) struct Card {
    pub(super) id: String,
    pub(super) face: Face,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
#[serde(rename_all = "camelCase")]
pub(super) struct Face {
    pub(super) owner: String,
    pub(super) rank: u8,
    pub(super) full_text: String,
}

/// An instant within one millisecond.
pub(super) fn at(nanos: u8) -> Timestamp {
    Timestamp::new(1_000, i32::from(nanos)).unwrap()
}

pub(super) fn text(prefix: &str, n: u8) -> String {
    format!("{prefix}{n}")
}

pub(super) fn doc(id: u8) -> Doc {
    Doc {
        id: text("d", id),
        status: Some(Status::Open),
        due: None,
        point: Point { x: 0, y: 0 },
        seen: 0,
    }
}

pub(super) fn game() -> Match {
    Match {
        id: "m".to_owned(),
        cup: "cup".to_owned(),
        region: None,
        round: 1,
        day: 1,
    }
}

pub(super) fn mail(upper: bool) -> Mail {
    let address = if upper { "Ann" } else { "ann" };
    Mail {
        address: address.to_owned(),
        rank: 1,
    }
}

pub(super) fn event(nanos: u8) -> Event {
    Event {
        name: "e".to_owned(),
        at: at(nanos),
        room: "r".to_owned(),
    }
}

pub(super) fn account() -> Account {
    Account {
        id: "a".to_owned(),
        owner: "ann".to_owned(),
        plan: "free".to_owned(),
        version: 0,
    }
}

pub(super) fn player() -> Player {
    Player {
        name: "p".to_owned(),
        game: None,
        score: 0,
    }
}

pub(super) fn card() -> Card {
    Card {
        id: "c".to_owned(),
        face: Face {
            owner: "Ann".to_owned(),
            rank: 1,
            full_text: String::new(),
        },
    }
}
