//! `|trim|lower`: functions in a row, and what they keep: ranges, prefixes, upserts and setters.

use super::keys;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// What functions of the user's make of values.
mod own {
    pub(super) fn slug(name: &str) -> String {
        name.replace(' ', "-")
    }

    pub(super) fn initial(name: &str) -> String {
        name.chars().take(1).collect()
    }

    pub(super) fn length(name: &String) -> u64 {
        name.len() as u64
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "places", pk = "pk", sk = "sk",
        index(gsi1, pk = "g1pk", sk = "g1sk"), index(gsi2, pk = "g2pk", sk = "g2sk"), index(gsi3, pk = "g3pk"),
    ),
    pk = "COUNTRY#<country|trim|upper>",
    sk = "CITY#<city|trim|lower>",
    gsi1(as = by_alias, pk = "ALIAS", sk = "<alias|lower>"),
    gsi2(as = by_slug, pk = "<city|self::own::slug|lower>", sk = "<alias|trim|self::own::initial|upper>"),
    gsi3(as = by_length, pk = "<alias|self::own::slug|self::own::length>#<alias|lower|sha256|upper>"),
)]
struct Place {
    country: String,
    city: String,
    alias: Option<String>,
    people: u32,
}

fn place(city: &str, alias: &str) -> Place {
    Place {
        country: "it".to_owned(),
        city: city.to_owned(),
        alias: (!alias.is_empty()).then(|| alias.to_owned()),
        people: 1,
    }
}

#[tokio::test]
async fn functions_apply_from_left_to_right() {
    let db = Place::embedded().await.unwrap();
    place(" New Rome ", " eTernal")
        .put()
        .send(&db)
        .await
        .unwrap();
    let found = keys(&db, ["pk", "sk", "g1sk", "g2pk", "g2sk", "city"]).await;
    assert_eq!(
        found,
        [[
            "COUNTRY#IT",
            "CITY#new rome",
            " eternal",
            "-new-rome-",
            "E",
            " New Rome "
        ]]
    );
    let [[third]] = &keys(&db, ["g3pk"]).await[..] else {
        panic!()
    };
    let (length, hash) = third.split_once('#').unwrap();
    assert_eq!((length, hash.len()), ("8", 64));
    assert_eq!(hash, hash.to_uppercase());
    let found = Place::get("  IT", "NEW ROME").send(&db).await.unwrap();
    assert_eq!(found.unwrap().city, " New Rome ");
    let found = Place::by_slug(" NEW rome ".to_owned()).alias("earth".to_owned());
    assert_eq!(found.all(&db).await.unwrap().len(), 1);
    let found = Place::by_length(" ETERNAL".to_owned()).all(&db).await;
    assert_eq!(found.unwrap().len(), 1);
}

#[tokio::test]
async fn text_of_white_space_alone_is_empty_under_trim() {
    let db = Place::embedded().await.unwrap();
    let error = place(" \t", "").put().send(&db).await.unwrap_err();
    assert_eq!(error.to_string(), "Place: key field `city` is empty");
    let error = place("a#b", "").put().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Place: key field `city` contains the delimiter '#'"
    );
}

#[tokio::test]
async fn prefixes_go_through_functions() {
    let db = Place::embedded().await.unwrap();
    for city in ["New York", "NEWARK", "  new orleans ", "Rome"] {
        place(city, city).put().send(&db).await.unwrap();
    }
    let cities = async |prefix: &str| {
        let query = Place::query("it").city_starts_with(prefix);
        let found = query.all(&db).await.unwrap();
        found.into_iter().map(|one| one.city).collect::<Vec<_>>()
    };
    assert_eq!(
        cities("nEw").await,
        ["  new orleans ", "New York", "NEWARK"]
    );
    assert_eq!(cities(" New ").await, ["  new orleans ", "New York"]);
    assert_eq!(cities("").await.len(), 4);
    assert_eq!(cities("  ").await.len(), 4);
    let aliases = Place::by_alias().alias_starts_with("NEW").all(&db).await;
    assert_eq!(aliases.unwrap().len(), 2);
}

#[tokio::test]
async fn ranges_go_through_functions() {
    let db = Place::embedded().await.unwrap();
    for city in ["Albany", "bern", "COMO", "Delft"] {
        place(city, city).put().send(&db).await.unwrap();
    }
    let query = || Place::query("it");
    let cities = async |query: dyna_runtime::EntityQuery<Place>| {
        let found = query.all(&db).await.unwrap();
        found.into_iter().map(|one| one.city).collect::<Vec<_>>()
    };
    assert_eq!(cities(query().city_range("B".."D")).await, ["bern", "COMO"]);
    assert_eq!(
        cities(query().city_range(" BERN "..="delft")).await,
        ["bern", "COMO", "Delft"]
    );
    assert_eq!(cities(query().city_range(.."BERN")).await, ["Albany"]);
    let found = Place::by_alias().alias_range("BERN"..).all(&db).await;
    assert_eq!(found.unwrap().len(), 3);
}

#[tokio::test]
async fn upsert_stores_the_arguments_of_its_functions() {
    let db = Place::embedded().await.unwrap();
    let upsert = Place::upsert("It", "Rome").set_by_alias_and_by_slug_and_by_length(None, "Rome");
    let upsert = upsert.set(Place::PEOPLE, 3);
    upsert.send(&db).await.unwrap();
    let found = Place::get("IT", "ROME").send(&db).await.unwrap().unwrap();
    assert_eq!(
        (found.country.as_str(), found.city.as_str()),
        ("It", "Rome")
    );
    // The item that is there takes what is given, and its keys follow.
    let upsert = Place::upsert("iT", "ROME");
    let upsert = upsert.set_by_alias_and_by_slug_and_by_length(Some("x".to_owned()), "ROME");
    upsert.set(Place::PEOPLE, 4).send(&db).await.unwrap();
    assert_eq!(
        keys(&db, ["pk", "sk", "country", "city", "g2pk", "people"]).await,
        [["COUNTRY#IT", "CITY#rome", "iT", "ROME", "rome", "4"]]
    );
    // The index would be made of another city than the item.
    let upsert = Place::upsert("it", "rome");
    let upsert = upsert.set_by_alias_and_by_slug_and_by_length(Some("x".to_owned()), "Ro me");
    let error = upsert.set(Place::PEOPLE, 5).send(&db).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error}");
}

/// An index of nothing but a field that the key has in another case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "names", pk = "pk", index(gsi1, pk = "g1pk")),
    pk = "<name|lower>",
    gsi1(as = by_spelling, pk = "S#<name>"),
)]
struct Name {
    name: String,
    count: u32,
}

#[tokio::test]
async fn upsert_writes_the_index_key_of_its_arguments() {
    let db = Name::embedded().await.unwrap();
    Name::upsert("Ann")
        .add(Name::COUNT, 1)
        .send(&db)
        .await
        .unwrap();
    Name::upsert("ANN")
        .add(Name::COUNT, 1)
        .send(&db)
        .await
        .unwrap();
    assert_eq!(
        keys(&db, ["pk", "g1pk", "name", "count"]).await,
        [["ann", "S#ANN", "ANN", "2"]]
    );
}

#[tokio::test]
async fn a_prefix_that_ends_in_a_capital_sigma_finds_both_of_its_lower_cases() {
    let db = Place::embedded().await.unwrap();
    for city in ["ΟΔΟΣΑ", "ΟΔΟΣ", "ΟΔΟΣ Α", "ΟΔΟΣ'Α", "ΟΔΟΤ"] {
        place(city, "").put().send(&db).await.unwrap();
    }
    let stored = keys(&db, ["sk"]).await;
    assert!(stored.contains(&["CITY#οδος".to_owned()]), "{stored:?}");
    let count = async |prefix: &str| {
        let query = Place::query("it").city_starts_with(prefix);
        query.all(&db).await.map(|found| found.len())
    };
    assert_eq!(count("ΟΔΟΣ").await.unwrap(), 4);
    assert_eq!(count("ΟΔΟΣΑ").await.unwrap(), 1);
    assert_eq!(count("ΟΔΟΣ Α").await.unwrap(), 1);
    assert_eq!(count("ΟΔΟΣ'Α").await.unwrap(), 1);
    let error = count("ΟΔΟΣ'").await.unwrap_err();
    let Error::Key(error) = error else {
        panic!("{error}")
    };
    assert_eq!(
        error.kind(),
        dyna_runtime::key::KeyErrorKind::AmbiguousPrefix
    );
}

/// A text without case. Character by character, unlike the function that it is compared with.
fn folded(text: &str) -> String {
    let lower = text.trim_start().chars().flat_map(char::to_lowercase);
    lower
        .map(|one| if one == 'ς' { 'σ' } else { one })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A prefix finds the items whose text starts with it, whatever the case; a range those that the functions put between its ends.
    #[test]
    fn prefixes_and_ranges_agree_with_the_functions(
        cities in prop::collection::btree_set("[a-cA-C ÉéßİΣ]{1,4}", 1..6),
        low in "[a-cA-CÉéΣ]{1,2}",
        high in "[a-cA-CÉéΣ]{1,2}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Place::embedded().await.unwrap();
            let made = |city: &str| city.trim().to_lowercase();
            let mut stored = std::collections::BTreeMap::new();
            for city in cities.iter().filter(|city| !city.trim().is_empty()) {
                place(city, "").put().send(&db).await.unwrap();
                stored.insert(made(city), city.clone());
            }
            let expected = |keep: &dyn Fn(&str) -> bool| {
                let kept = stored.iter().filter(|(key, _)| keep(key));
                kept.map(|(_, city)| city.clone()).collect::<Vec<_>>()
            };
            let cities = |found: Vec<Place>| found.into_iter().map(|one| one.city).collect::<Vec<_>>();
            let found = Place::query("it").city_starts_with(&*low).all(&db).await.unwrap();
            let found = cities(found);
            assert_eq!(found, expected(&|key| folded(key).starts_with(&folded(&low))));
            for city in stored.values().filter(|city| city.starts_with(&low)) {
                assert!(found.contains(city), "{city} starts with {low}");
            }
            let found = Place::query("it").city_range(&*low..&*high).all(&db).await.unwrap();
            let (from, to) = (made(&low), made(&high));
            assert_eq!(cities(found), expected(&|key| *key >= *from && *key < *to));
        });
    }
}
