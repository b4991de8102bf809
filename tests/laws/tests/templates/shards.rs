//! `|shard(4, with = ..)`: buckets that a function of the user's chooses.

use super::keys;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

mod own {
    /// The bucket of a sensor: its last digit.
    pub(super) fn bucket(sensor: &str) -> u8 {
        sensor
            .bytes()
            .last()
            .map_or(0, |byte| byte.wrapping_sub(b'0'))
    }

    pub(super) fn by_size(watts: &u32) -> usize {
        (*watts / 100) as usize
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "readings", pk = "pk", sk = "sk", index(gsi1, pk = "g1pk", sk = "g1sk")),
    pk = "DAY#<day>#<sensor|shard(4, with = self::own::bucket)>",
    sk = "<sensor>",
    gsi1(as = by_size, pk = "SIZE#<watts|shard(12, with = self::own::by_size)>#<sensor|lower|shard(2,with=self::own::bucket)>", sk = "<sensor>"),
)]
struct Reading {
    day: String,
    sensor: String,
    watts: u32,
}

fn reading(sensor: &str, watts: u32) -> Reading {
    Reading {
        day: "mon".to_owned(),
        sensor: sensor.to_owned(),
        watts,
    }
}

#[tokio::test]
async fn all_buckets_of_a_function_are_read_without_being_named() {
    let db = Reading::embedded().await.unwrap();
    let all = [reading("S0", 100), reading("s1", 250), reading("t0", 1199)];
    for one in &all {
        one.create().send(&db).await.unwrap();
    }
    assert_eq!(
        keys(&db, ["pk", "g1pk"]).await,
        [
            ["DAY#mon#0", "SIZE#01#0"],
            ["DAY#mon#0", "SIZE#11#0"],
            ["DAY#mon#1", "SIZE#02#1"],
        ]
    );
    let found = Reading::query_many(["mon"]).all(&db).await.unwrap();
    assert_eq!(found, all);
    let found = Reading::by_size_many().all(&db).await.unwrap();
    assert_eq!(found, all);
    let found = Reading::get("mon", "s1".to_owned())
        .send(&db)
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&all[1]));
    let partitions = Reading::query_many(["mon"]).explain().to_string();
    assert!(partitions.contains("DAY#mon#3"), "{partitions}");
}

#[tokio::test]
async fn setters_move_an_item_to_its_bucket() {
    let db = Reading::embedded().await.unwrap();
    reading("s1", 100).put().send(&db).await.unwrap();
    Reading::update("mon", "s1".to_owned())
        .set_by_size(700)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(keys(&db, ["g1pk", "watts"]).await, [["SIZE#07#1", "700"]]);
}

#[tokio::test]
async fn a_bucket_that_there_is_not_is_refused() {
    let db = Reading::embedded().await.unwrap();
    let error = reading("s7", 100).put().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Reading: key field `sensor` has a bucket number outside 0..4"
    );
    let error = reading("s1", 1200).put().send(&db).await.unwrap_err();
    assert!(error.to_string().contains("outside 0..12"), "{error}");
    assert_eq!(keys(&db, ["pk"]).await, Vec::<[String; 1]>::new());
}
