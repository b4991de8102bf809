//! `<field?>`: nothing where there is no value, and still one key for one tuple of values.

use super::{stored, text};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::ops::{Bound, RangeBounds};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "places",
        pk = "pk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk", sk = "gsi2sk")
    ),
    pk = "PLACE#<id>",
    gsi1(as = by_country, pk = "COUNTRY#<country>", sk = "<city?|lower>#<street?>"),
    gsi2(as = by_rank, pk = "R#<rank?:03>#", sk = "N#<size?:05>"),
)]
struct Place {
    id: String,
    country: String,
    city: Option<String>,
    street: Option<String>,
    rank: Option<u8>,
    #[dyna(key_only)]
    size: Option<u32>,
}

fn place(id: &str, city: Option<&str>, street: Option<&str>, rank: Option<u8>) -> Place {
    Place {
        id: id.to_owned(),
        country: "it".to_owned(),
        city: city.map(str::to_owned),
        street: street.map(str::to_owned),
        rank,
        size: rank.map(u32::from),
    }
}

async fn ids(query: impl Future<Output = dyna_runtime::Result<Vec<Place>>>) -> Vec<String> {
    let places = query.await.unwrap();
    places.into_iter().map(|place| place.id).collect()
}

#[tokio::test]
async fn optional_placeholder_is_empty_for_none() {
    let db = Place::embedded().await.unwrap();
    let places = [
        place("1", Some("Rome"), Some("Via"), Some(7)),
        place("2", Some("Rome"), None, None),
        place("3", None, Some("Via"), Some(9)),
        place("4", None, None, None),
    ];
    for place in &places {
        place.create().send(&db).await.unwrap();
    }
    let items = stored(&db).await;
    let key = |name| {
        items
            .iter()
            .map(|item| text(item, name).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(key("gsi1sk"), ["rome#Via", "rome#", "#Via", "#"]);
    assert_eq!(key("gsi2pk"), ["R#007#", "R##", "R#009#", "R##"]);
    assert_eq!(key("gsi2sk"), ["N#00007", "N#", "N#00009", "N#"]);
    for place in &places {
        let read = Place::get(&place.id).send(&db).await.unwrap();
        assert_eq!(read.as_ref(), Some(place));
    }
    let of = || Place::by_country("it");
    assert_eq!(ids(of().all(&db)).await, ["4", "3", "2", "1"]);
    assert_eq!(ids(of().city("ROME").all(&db)).await, ["2", "1"]);
    assert_eq!(ids(of().city(None::<&str>).all(&db)).await, ["4", "3"]);
    assert_eq!(
        ids(of().city(&places[1].city).street(None::<&str>).all(&db)).await,
        ["2"]
    );
    assert_eq!(
        ids(of().city(None::<String>).street("Via").all(&db)).await,
        ["3"]
    );
    assert_eq!(
        ids(of().city("Rome").street_starts_with("V").all(&db)).await,
        ["1"]
    );
    assert_eq!(ids(Place::by_rank(None::<u8>).all(&db)).await, ["2", "4"]);
    assert_eq!(ids(Place::by_rank(7).size(Some(7)).all(&db)).await, ["1"]);
}

#[tokio::test]
async fn a_range_is_one_of_values() {
    let db = Place::embedded().await.unwrap();
    for (id, street) in [("1", Some("a")), ("2", None), ("3", Some("c"))] {
        place(id, None, street, None)
            .create()
            .send(&db)
            .await
            .unwrap();
    }
    let of = || Place::by_country("it").city(None::<&str>);
    assert_eq!(ids(of().street_range(..).all(&db)).await, ["1", "3"]);
    assert_eq!(ids(of().street_range(.."b").all(&db)).await, ["1"]);
    assert_eq!(ids(of().street_range("a"..="c").all(&db)).await, ["1", "3"]);
    assert_eq!(ids(of().street_range("b"..).all(&db)).await, ["3"]);
}

/// Ranges before a field that may be empty, whose key is then the text of the end itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "ranks",
        pk = "pk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk", sk = "gsi2sk"),
        index(gsi3, pk = "gsi3pk", sk = "gsi3sk")
    ),
    pk = "RANK#<id>",
    gsi1(as = by_rank, pk = "ALL", sk = "<rank:03>#<street?>"),
    gsi2(as = by_both, pk = "ALL", sk = "B#<rank:03>#<street?>#<code?:len=2>"),
    gsi3(as = by_code, pk = "ALL", sk = "C#<code?:len=2>#<id>"),
)]
struct Listing {
    id: String,
    rank: u8,
    street: Option<String>,
    code: Option<String>,
}

#[tokio::test]
async fn bounds_are_exact_before_a_field_without_a_value() {
    let db = Listing::embedded().await.unwrap();
    let streets = [None, Some("!"), Some("a"), Some("\u{10FFFE}")];
    let mut all = Vec::new();
    for rank in [4, 5, 6] {
        for (n, street) in streets.iter().enumerate() {
            let one = Listing {
                id: format!("{rank}{n}"),
                rank,
                street: street.map(str::to_owned),
                code: (n > 1).then(|| "ab".to_owned()),
            };
            one.create().send(&db).await.unwrap();
            all.push(one);
        }
    }
    let ends = [4, 5, 6, 7].map(|end| [Bound::Included(end), Bound::Excluded(end)]);
    let mut ends = ends.concat();
    ends.push(Bound::Unbounded);
    for low in &ends {
        for high in &ends {
            let range: (Bound<u8>, Bound<u8>) = (*low, *high);
            let within = all.iter().filter(|one| range.contains(&one.rank));
            let expected: Vec<_> = within.map(|one| one.id.clone()).collect();
            for query in [
                Listing::by_rank().rank_range(range).all(&db).await,
                Listing::by_both().rank_range(range).all(&db).await,
            ] {
                let mut found: Vec<_> = query.unwrap().into_iter().map(|one| one.id).collect();
                found.sort();
                assert_eq!(found, expected, "{range:?}");
            }
        }
    }
    let one = Listing::by_rank()
        .rank(5)
        .street(None::<&str>)
        .all(&db)
        .await;
    assert_eq!(one.unwrap().len(), 1);
    let page = Listing::by_rank().rank_range(..6).limit(5).send(&db).await;
    let rest = Listing::by_rank()
        .rank_range(..6)
        .after(page.unwrap().next.unwrap());
    assert_eq!(rest.all(&db).await.unwrap().len(), 3);
}

#[tokio::test]
async fn an_empty_prefix_is_one_of_values() {
    let db = Listing::embedded().await.unwrap();
    for (id, street) in [("1", None), ("2", Some("a"))] {
        let one = Listing {
            id: id.to_owned(),
            rank: 1,
            street: street.map(str::to_owned),
            code: None,
        };
        one.create().send(&db).await.unwrap();
    }
    let found = Listing::by_rank()
        .rank(1)
        .street_starts_with("")
        .all(&db)
        .await;
    assert_eq!(found.unwrap().len(), 1);
    // What has no code is between those that have one.
    let error = Listing::by_code().code_starts_with("").all(&db).await;
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "Listing: key field `code` is empty");
}

#[tokio::test]
async fn empty_text_is_no_value_and_refused() {
    let db = Place::embedded().await.unwrap();
    let error = place("1", Some(""), None, None).create().send(&db).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("`city` is empty"), "{error}");
    let error = place("1", Some("a#b"), None, None).create().send(&db).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("contains the delimiter"), "{error}");
}

#[tokio::test]
async fn keys_follow_values_that_come_and_go() {
    let db = Place::embedded().await.unwrap();
    let rome = place("1", Some("Rome"), None, None);
    rome.create().send(&db).await.unwrap();
    let update = Place::update_loaded(&rome).set(Place::CITY, None);
    update.send(&db).await.unwrap();
    let update = Place::update("1").set_by_rank(Some(3), Some(4));
    update.send(&db).await.unwrap();
    let [item] = &stored(&db).await[..] else {
        panic!("one item")
    };
    assert_eq!(text(item, "gsi1sk"), Some("#"));
    assert_eq!(text(item, "gsi2pk"), Some("R#003#"));
    let read = Place::get("1").send(&db).await.unwrap().unwrap();
    assert_eq!((read.rank, read.size), (Some(3), Some(4)));
}
