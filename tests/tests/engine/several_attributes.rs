//! Global indexes whose keys have several attributes.

use super::{engine, only};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "sport",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(by_round, name = "round-index", pk = ["tournament", "region"], sk = [number("round"), "bracket", "matchKey"]),
)]
enum Sport {
    Match(Match),
    Walkover(Walkover),
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, KeyPart)]
enum Region {
    East,
    West,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Sport,
    pk = "MATCH#<id>",
    sk = "META",
    by_round(
        as = rounds,
        pk = ["<tournament>", "<region>"],
        sk = ["<round>", "<bracket>", "PLAYED#<day:03>#<id>"],
    ),
)]
struct Match {
    id: String,
    tournament: String,
    region: Region,
    round: i32,
    bracket: Option<String>,
    day: u16,
}

/// In the same index, told apart by its last attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Sport,
    pk = "WALKOVER#<id>",
    sk = "META",
    by_round(as = rounds, pk = ["<tournament>", "<region>"], sk = ["<round>", "<bracket>", "WALKOVER"]),
)]
struct Walkover {
    id: String,
    tournament: String,
    region: Region,
    round: i32,
    bracket: String,
}

fn matches() -> Vec<Match> {
    let mut matches = Vec::new();
    for tournament in ["cup", "open"] {
        for region in [Region::East, Region::West] {
            for round in [-1, 2, 10] {
                for (bracket, day) in [("final", 7), ("final", 30), ("semi", 5)] {
                    let n = matches.len();
                    matches.push(Match {
                        id: format!("m{n:02}"),
                        tournament: tournament.to_owned(),
                        region,
                        round,
                        bracket: Some(bracket.to_owned()),
                        day,
                    });
                }
            }
        }
    }
    matches
}

/// What a query of one partition must return: in the order of the sort attributes, numbers by value.
fn expected(keep: impl Fn(&Match) -> bool) -> Vec<Match> {
    let mut matches = matches();
    matches.retain(|it| it.tournament == "cup" && it.region == Region::East && keep(it));
    matches.sort_by_key(|it| (it.round, it.bracket.clone(), it.day, it.id.clone()));
    matches
}

#[tokio::test]
async fn sort_attributes_are_bound_from_left_to_right() {
    let (_engine, db) = engine::<Sport>().await;
    for it in matches() {
        it.put().send(&db).await.unwrap();
    }
    let walkover = Walkover {
        id: "w".into(),
        tournament: "cup".into(),
        region: Region::East,
        round: 2,
        bracket: "final".into(),
    };
    walkover.put().send(&db).await.unwrap();
    let rounds = || Match::rounds("cup", Region::East);

    assert_eq!(rounds().all(&db).await.unwrap(), expected(|_| true));
    assert_eq!(
        rounds().round_range(0..).all(&db).await.unwrap(),
        expected(|it| it.round >= 0),
    );
    assert_eq!(
        rounds().round(2).all(&db).await.unwrap(),
        expected(|it| it.round == 2),
    );
    assert_eq!(
        rounds()
            .round(2)
            .bracket_starts_with("fi")
            .all(&db)
            .await
            .unwrap(),
        expected(|it| it.round == 2 && it.bracket.as_deref() == Some("final")),
    );
    let late = rounds().round(2).bracket("final").day_range(8..);
    assert_eq!(
        late.all(&db).await.unwrap(),
        expected(|it| it.round == 2 && it.bracket.as_deref() == Some("final") && it.day >= 8),
    );
    let one = rounds().round(10).bracket("semi").day(5).id("m08");
    assert_eq!(
        one.one(&db).await.unwrap(),
        expected(|it| it.id == "m08").pop()
    );

    let found = Walkover::rounds("cup", Region::East)
        .round(2)
        .bracket("final");
    assert_eq!(found.all(&db).await.unwrap(), [walkover]);
}

#[tokio::test]
async fn pages_of_a_multi_attribute_index_are_complete() {
    let (_engine, db) = engine::<Sport>().await;
    for it in matches() {
        it.put().send(&db).await.unwrap();
    }
    let mut read = Vec::new();
    let mut cursor = None;
    loop {
        let query = Match::rounds("cup", Region::East).descending();
        let page = query.limit(2).after(cursor).send(&db).await.unwrap();
        read.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
        let other = Match::rounds("cup", Region::West).descending();
        let error = other.after(cursor.clone()).send(&db).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "Match: the cursor comes from another query"
        );
    }
    read.reverse();
    assert_eq!(read, expected(|_| true));
}

#[tokio::test]
async fn an_item_without_one_of_the_values_is_not_in_the_index() {
    let (_engine, db) = engine::<Sport>().await;
    let mut it = matches().remove(0);
    it.bracket = None;
    it.put().send(&db).await.unwrap();
    let stored = only(&db).await;
    assert_eq!(stored.get("bracket"), None);
    assert_eq!(stored.get("matchKey"), None);
    assert_eq!(stored["round"], AttributeValue::N("-1".to_owned()));
    assert_eq!(
        Match::rounds("cup", Region::East).all(&db).await.unwrap(),
        []
    );
    assert_eq!(Match::get("m00").send(&db).await.unwrap(), Some(it));
}

#[test]
fn the_conditions_are_complete() {
    let rounds = || Match::rounds("cup", Region::East);
    assert_eq!(
        rounds().explain().to_string(),
        r#"Query sport
  IndexName               round-index
  KeyConditionExpression  tournament = :p AND #region = :p1
  #region                 region
  :p                      "cup"
  :p1                     "East""#
    );
    assert_eq!(
        rounds()
            .round(2)
            .bracket("final")
            .day_range(8..)
            .explain()
            .to_string(),
        r#"Query sport
  IndexName               round-index
  KeyConditionExpression  tournament = :p AND #region = :p1 AND round = :k0 AND bracket = :k1 AND matchKey BETWEEN :s AND :t
  #region                 region
  :p                      "cup"
  :p1                     "East"
  :k0                     2
  :k1                     "final"
  :s                      "PLAYED#008#"
  :t                      "PLAYED#\u{10ffff}""#
    );
}
