//! `|upper` in a sort key loses nothing: ranges, prefixes, `upsert` and setters.

use super::keys;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "badges", pk = "pk", sk = "sk", index(gsi1, pk = "g1pk", sk = "g1sk")),
    pk = "TEAM#<team>",
    sk = "BADGE#<code|upper>",
    gsi1(as = by_holder, pk = "TEAM#<team>", sk = "<holder|upper>"),
)]
struct Badge {
    team: String,
    code: String,
    holder: Option<String>,
    uses: u32,
}

fn badge(code: &str, holder: Option<&str>) -> Badge {
    Badge {
        team: "t".to_owned(),
        code: code.to_owned(),
        holder: holder.map(str::to_owned),
        uses: 0,
    }
}

fn codes(badges: Vec<Badge>) -> Vec<String> {
    badges.into_iter().map(|badge| badge.code).collect()
}

async fn table() -> dyna_runtime::Table<Badge> {
    let db = Badge::embedded().await.unwrap();
    for (code, holder) in [
        ("b1", Some("ann")),
        ("C2", Some("Bob")),
        ("a3", None),
        ("straße", Some("ÉVE")),
    ] {
        badge(code, holder).create().send(&db).await.unwrap();
    }
    db
}

#[tokio::test]
async fn keys_are_in_upper_case_and_fields_are_as_given() {
    let db = table().await;
    let stored = [
        ["BADGE#A3", "a3", ""],
        ["BADGE#B1", "b1", "ANN"],
        ["BADGE#C2", "C2", "BOB"],
        ["BADGE#STRASSE", "straße", "ÉVE"],
    ];
    assert_eq!(keys(&db, ["sk", "code", "g1sk"]).await, stored);
    let found = Badge::get("t", "STRASSE").send(&db).await.unwrap();
    assert_eq!(found.unwrap().code, "straße");
}

#[tokio::test]
async fn ranges_and_prefixes_go_through_upper() {
    let db = table().await;
    let query = || Badge::query("t");
    let range = query().code_range("b".."C3").all(&db).await.unwrap();
    assert_eq!(codes(range), ["b1", "C2"]);
    let to = query().code_range(..="B1").all(&db).await.unwrap();
    assert_eq!(codes(to), ["a3", "b1"]);
    let from = query().code_range("c2"..).descending().all(&db).await;
    assert_eq!(codes(from.unwrap()), ["straße", "C2"]);
    let prefix = query().code_starts_with("stras").all(&db).await.unwrap();
    assert_eq!(codes(prefix), ["straße"]);
    let held = Badge::by_holder("t").holder_range("A".."c").all(&db).await;
    assert_eq!(codes(held.unwrap()), ["b1", "C2"]);
    let held = Badge::by_holder("t").holder_starts_with("é").all(&db).await;
    assert_eq!(codes(held.unwrap()), ["straße"]);
}

#[tokio::test]
async fn upsert_and_setters_go_through_upper() {
    let db = table().await;
    // The item that is there, under the other case of its code.
    let upsert = Badge::upsert("t", "B1").set_by_holder(Some("cy".to_owned()));
    upsert.set(Badge::USES, 1).send(&db).await.unwrap();
    let upsert = Badge::upsert("t", "d4").set_by_holder(None);
    upsert.set(Badge::USES, 2).send(&db).await.unwrap();
    let moved = Badge::update("t", "c2").set_by_holder("dan".to_owned());
    moved.send(&db).await.unwrap();
    let loaded = badge("straße", Some("ÉVE"));
    let set = Badge::update_loaded(&loaded).set(Badge::HOLDER, "éve".to_owned());
    set.send(&db).await.unwrap();
    let stored = [
        ["BADGE#A3", "a3", "", "0"],
        ["BADGE#B1", "B1", "CY", "1"],
        ["BADGE#C2", "C2", "DAN", "0"],
        ["BADGE#D4", "d4", "", "2"],
        ["BADGE#STRASSE", "straße", "ÉVE", "0"],
    ];
    assert_eq!(keys(&db, ["sk", "code", "g1sk", "uses"]).await, stored);
}
