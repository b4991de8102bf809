//! Collections take the steps of the sort key that all members share, on the table and on indexes.

use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "trips",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Trips {
    Flight(Flight),
    Hotel(Hotel),
    Note(Note),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Trips, pk = "TRIP#<trip>", sk = "AT#<city>#<day:03>#FLIGHT#<code>",
    gsi1(as = by_day, pk = "ALL", sk = "<day:03>#<trip>"),
)]
struct Flight {
    trip: String,
    city: String,
    day: u16,
    code: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Trips, pk = "TRIP#<of>", sk = "AT#<city>#<day:03>#HOTEL",
    gsi1(as = by_day, pk = "ALL", sk = "<day:03>#<city>"),
)]
struct Hotel {
    of: String,
    city: String,
    day: u16,
}

/// Among the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Trips, pk = "TRIP#<trip>", sk = "AT#<city>#<day:03>#GUIDE")]
struct Note {
    trip: String,
    city: String,
    day: u16,
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(steps(city: String, day: u16))]
enum Plan {
    Flight(Flight),
    Hotel(Hotel),
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(index = gsi1, steps(day: u16))]
enum Calendar {
    Hotel(Hotel),
    Flight(Flight),
}

fn flight(city: &str, day: u16) -> Flight {
    Flight {
        trip: "t".to_owned(),
        city: city.to_owned(),
        day,
        code: "LX1".to_owned(),
    }
}

fn hotel(city: &str, day: u16) -> Hotel {
    Hotel {
        of: "t".to_owned(),
        city: city.to_owned(),
        day,
    }
}

const CITIES: [&str; 4] = ["Be", "Bern", "Berne", "Ulm"];

async fn trip() -> Table<Trips> {
    let db = Trips::embedded().await.unwrap();
    for city in CITIES {
        for day in 1..=5 {
            flight(city, day).put().send(&db).await.unwrap();
            hotel(city, day).put().send(&db).await.unwrap();
            let note = Note {
                trip: "t".to_owned(),
                city: city.to_owned(),
                day,
            };
            note.put().send(&db).await.unwrap();
        }
    }
    db
}

/// The members whose city and day are wanted, in the order of their keys.
fn wanted(is_wanted: impl Fn(&str, u16) -> bool) -> Vec<Plan> {
    let mut plan = Vec::new();
    for city in CITIES {
        for day in (1..=5).filter(|day| is_wanted(city, *day)) {
            plan.push(Plan::Flight(flight(city, day)));
            plan.push(Plan::Hotel(hotel(city, day)));
        }
    }
    plan
}

#[tokio::test]
async fn steps_fix_a_field_of_all_members() {
    let db = trip().await;
    let bern = Plan::query("t").city("Bern");
    assert_eq!(
        bern.all(&db).await.unwrap(),
        wanted(|city, _| city == "Bern")
    );
    let day = Plan::query("t").city("Bern").day(3);
    let asked = day.explain_on(&db).unwrap();
    assert_eq!(
        day.all(&db).await.unwrap(),
        wanted(|city, day| city == "Bern" && day == 3)
    );
    assert_eq!(
        asked.get("KeyConditionExpression"),
        Some("pk = :p AND sk BETWEEN :s AND :t")
    );
    assert_eq!(asked.get(":s"), Some("\"AT#Bern#003#FLIGHT#\""));
    assert_eq!(asked.get(":t"), Some("\"AT#Bern#003#HOTEL\""));
    let page = Plan::query("t").city("Bern").day(3).limit(1);
    let page = page.send(&db).await.unwrap();
    let rest = Plan::query("t").city("Bern").day(3).after(page.next);
    assert_eq!(
        rest.all(&db).await.unwrap(),
        [Plan::Hotel(hotel("Bern", 3))]
    );
    assert_eq!(
        Plan::query("t").all(&db).await.unwrap(),
        wanted(|_, _| true)
    );
}

#[tokio::test]
async fn ranges_and_prefixes_end_the_steps() {
    let db = trip().await;
    let days = |range: std::ops::Range<u16>| Plan::query("t").city("Bern").day_range(range);
    for low in 0..=6 {
        for high in low..=6 {
            let found = days(low..high).all(&db).await.unwrap();
            let want = wanted(|city, day| city == "Bern" && (low..high).contains(&day));
            assert_eq!(found, want, "{low}..{high}");
        }
    }
    let late = Plan::query("t").city("Bern").day_range(4..).descending();
    let mut want = wanted(|city, day| city == "Bern" && day >= 4);
    want.reverse();
    assert_eq!(late.all(&db).await.unwrap(), want);
    let early = Plan::query("t").city("Bern").day_range(..=2);
    assert_eq!(
        early.all(&db).await.unwrap(),
        wanted(|city, day| city == "Bern" && day <= 2)
    );
    let prefix = Plan::query("t").city_starts_with("Ber");
    assert_eq!(
        prefix.all(&db).await.unwrap(),
        wanted(|city, _| city.starts_with("Ber"))
    );
    let filtered = Plan::for_all(Hotel::DAY.gt(4));
    let filtered = Plan::query("t").city("Ulm").filter(filtered);
    assert_eq!(
        filtered.all(&db).await.unwrap(),
        wanted(|city, day| city == "Ulm" && day == 5)
    );
}

#[tokio::test]
async fn steps_of_an_index_narrow_its_sort_key() {
    let db = trip().await;
    let all = Calendar::query(()).all(&db).await.unwrap();
    let day = Calendar::query(()).day(2).all(&db).await.unwrap();
    assert_eq!((all.len(), day.len()), (40, 8));
    let days = Calendar::query(()).day_range(2..=3);
    let asked = days.explain_on(&db).unwrap();
    assert_eq!(asked.get(":s"), Some("\"002#\""));
    let days = days.all(&db).await.unwrap();
    assert_eq!(days.len(), 16);
    assert!(days.iter().all(|one| match one {
        Calendar::Hotel(Hotel { day, .. }) | Calendar::Flight(Flight { day, .. }) =>
            (2..=3).contains(day),
    }));
}

#[tokio::test]
async fn value_with_the_delimiter_is_refused() {
    let db = trip().await;
    let error = Plan::query("t").city("Bern#001").all(&db).await;
    assert!(error.unwrap_err().is_invalid_key());
}
