//! `<n:plain>`: a number without zeros in front.

use super::keys;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "builds", pk = "pk", sk = "sk", index(gsi1, pk = "g1pk", sk = "g1sk")),
    pk = "REPO#<repo:plain>",
    sk = "BUILD#<number:plain>#<step>",
    gsi1(as = by_step, pk = "STEP#<step>", sk = "v<number:plain>.<rank:plain>")
)]
struct Build {
    #[dyna(key_only)]
    repo: u64,
    #[dyna(key_only)]
    number: u32,
    step: String,
    rank: u8,
}

fn build(number: u32, step: &str, rank: u8) -> Build {
    let step = step.to_owned();
    Build {
        repo: 7,
        number,
        step,
        rank,
    }
}

#[tokio::test]
async fn plain_numbers_are_written_as_they_are_and_read_back() {
    let db = Build::embedded().await.unwrap();
    let all = [build(9, "a", 0), build(10, "a", 10), build(10, "b", 255)];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    assert_eq!(
        keys(&db, ["pk", "sk", "g1pk", "g1sk"]).await,
        [
            ["REPO#7", "BUILD#10#a", "STEP#a", "v10.10"],
            ["REPO#7", "BUILD#10#b", "STEP#b", "v10.255"],
            ["REPO#7", "BUILD#9#a", "STEP#a", "v9.0"],
        ]
    );
    for one in &all {
        let found = Build::get(7, one.number, &one.step).send(&db).await;
        assert_eq!(found.unwrap().as_ref(), Some(one));
    }
    assert_eq!(
        Build::parse_key("REPO#7", "BUILD#10#a").unwrap(),
        (7, 10, "a".to_owned())
    );
}

/// Otherwise two stored keys would be read as one value, and a write after the read would go to another item.
#[test]
fn stored_number_with_zeros_in_front_is_no_plain_number() {
    assert!(Build::parse_key("REPO#0", "BUILD#0#a").is_ok());
    assert!(Build::parse_key("REPO#07", "BUILD#10#a").is_err());
    assert!(Build::parse_key("REPO#7", "BUILD#010#a").is_err());
    assert!(Build::parse_key("REPO#00", "BUILD#10#a").is_err());
}

#[tokio::test]
async fn a_plain_number_is_fixed_exactly() {
    let db = Build::embedded().await.unwrap();
    let all = [build(1, "a", 1), build(10, "a", 11), build(10, "b", 1)];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    let found = Build::query(7).number(1).all(&db).await.unwrap();
    assert_eq!(found, all[..1]);
    let found = Build::query(7).number(10).all(&db).await.unwrap();
    assert_eq!(found, all[1..]);
    let found = Build::by_step("a").number(1).all(&db).await.unwrap();
    assert_eq!(found, all[..1]);
    let found = Build::by_step("a").number(10).rank(1).all(&db).await;
    assert_eq!(found.unwrap(), []);
    let found = Build::by_step("a").number(10).rank(11).all(&db).await;
    assert_eq!(found.unwrap(), all[1..2]);
}

#[tokio::test]
async fn setters_and_upserts_know_plain_numbers() {
    let db = Build::embedded().await.unwrap();
    Build::upsert(7, 10, "a")
        .set_by_step(3)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        keys(&db, ["sk", "g1pk", "g1sk"]).await,
        [["BUILD#10#a", "STEP#a", "v10.3"]]
    );
    Build::update(7, 10, "a")
        .set_by_step(12)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        keys(&db, ["sk", "g1sk", "rank"]).await,
        [["BUILD#10#a", "v10.12", "12"]]
    );
}
