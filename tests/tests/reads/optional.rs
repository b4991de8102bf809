//! Ranges over fields of an index that may have no value: within nested structs, and behind an alias.

use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Table};
use jiff::civil::{Date, date};
use serde::{Deserialize, Serialize};

type MaybeText = Option<String>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "players",
        pk = "pk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk", sk = "gsi2sk"),
        index(gsi3, pk = "gsi1pk", sk = number("points")),
    ),
    pk = "PLAYER#<id>",
    gsi1(as = by_level, pk = "TEAM#<team>", sk = "<data.level:03>#<data.since>#<data.nick>"),
    gsi2(as = by_club, pk = "CLUB#<data.club|lower>", sk = "<alias>"),
    gsi3(as = by_points, pk = "TEAM#<team>", sk = "<points>"),
)]
struct Player {
    id: u32,
    team: String,
    data: Data,
    alias: MaybeText,
    points: Option<i32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Data {
    level: Option<u16>,
    since: Option<Date>,
    nick: MaybeText,
    club: Option<String>,
}

fn player(id: u32) -> Player {
    let data = Data {
        level: Some(u16::try_from(id / 4).unwrap()),
        since: Some(date(2025, 1, 1 + i8::try_from(id % 4).unwrap())),
        nick: Some(format!("n{id}")),
        club: Some("Lions".to_owned()),
    };
    Player {
        id,
        team: "t".to_owned(),
        data,
        alias: Some(format!("a{id:02}")),
        points: Some(-i32::try_from(id).unwrap()),
    }
}

async fn players() -> Table<Player> {
    let db = Player::embedded().await.unwrap();
    for id in 0..12 {
        player(id).create().send(&db).await.unwrap();
    }
    let mut nameless = player(99);
    (nameless.data.level, nameless.alias, nameless.points) = (None, None, None);
    nameless.create().send(&db).await.unwrap();
    db
}

#[tokio::test]
async fn ranges_over_options_use_their_values() {
    let db = players().await;
    let ids = |ids: std::ops::Range<u32>| ids.map(player).collect::<Vec<_>>();
    let levels = Player::by_level("t").level_range(1..3);
    assert_eq!(levels.all(&db).await.unwrap(), ids(4..12));
    let all = Player::by_level("t").level_range(..);
    assert_eq!(all.all(&db).await.unwrap(), ids(0..12));
    let days = Player::by_level("t")
        .level(1)
        .since_range(date(2025, 1, 2)..=date(2025, 1, 3));
    assert_eq!(days.all(&db).await.unwrap(), ids(5..7));
    let day = Player::by_level("t").level(1).since(date(2025, 1, 2));
    assert_eq!(
        day.nick_range("n4".."n6").all(&db).await.unwrap(),
        ids(5..6)
    );
    assert_eq!(day.nick_starts_with("n").all(&db).await.unwrap(), ids(5..6));
    assert_eq!(day.nick_starts_with("m").all(&db).await.unwrap(), []);
    let aliases = Player::by_club("LIONS").alias_range("a03"..="a05");
    assert_eq!(aliases.all(&db).await.unwrap(), ids(3..6));
    let tens = Player::by_club("lions").alias_starts_with("a1");
    assert_eq!(tens.all(&db).await.unwrap(), ids(10..12));
    let mut points = Player::by_points("t")
        .points_range(-3..)
        .all(&db)
        .await
        .unwrap();
    points.reverse();
    assert_eq!(points, ids(0..4));
}
