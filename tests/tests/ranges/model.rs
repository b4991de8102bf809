//! The condition of a query holds for the keys of the range, and for no key around them.

use super::{
    Balance, Closed, Counted, Dated, Doc, Dotted, Ends, Event, File, Msg, Sized, Sorted, Titled,
    Version, day, ends, nothing_between, path, ranged, signed, text, ulid, within,
};
use crate::keys::unquoted;
use dyna_runtime::{Explain, Ordered};
use proptest::prelude::*;

/// Whether DynamoDB would return a string key for this query.
fn returns(query: &Explain, sk: &str) -> bool {
    let Some(condition) = query.get("KeyConditionExpression") else {
        assert!(query.get("Empty").is_some(), "{query}");
        return false;
    };
    let value = |name| unquoted(query.get(name).unwrap());
    let (_, condition) = condition.split_once(" = :p").unwrap();
    if condition.is_empty() {
        return true;
    }
    let condition = condition.strip_prefix(" AND ").unwrap();
    // DynamoDB refuses an empty key.
    assert!(!value(":s").is_empty(), "{query}");
    let operator = condition.replace("sk", "name");
    match operator.as_str() {
        "#name = :s" | "name = :s" => sk == value(":s"),
        "#name >= :s" | "name >= :s" => sk >= value(":s").as_str(),
        "#name <= :s" | "name <= :s" => sk <= value(":s").as_str(),
        "begins_with(#name, :s)" | "begins_with(name, :s)" => sk.starts_with(&value(":s")),
        "#name BETWEEN :s AND :t" | "name BETWEEN :s AND :t" => {
            assert!(value(":s") <= value(":t"), "DynamoDB refuses {query}");
            (value(":s").as_str()..=value(":t").as_str()).contains(&sk)
        }
        other => unreachable!("{other}"),
    }
}

/// The key that an item is written with.
fn key(written: &Explain, attribute: &str) -> String {
    unquoted(written.get(&format!("Item.{attribute}")).unwrap())
}

/// What may stand right before and after the keys of an entity with this prefix.
fn around(prefix: &str) -> Vec<String> {
    let mut stem = prefix.to_owned();
    let last = stem.pop().unwrap();
    let beside = |step: fn(u32) -> u32| char::from_u32(step(u32::from(last))).unwrap();
    let mut around = vec![
        format!("{stem}{}", beside(|last| last - 1)),
        format!("{stem}{}\u{10FFFF}\u{10FFFF}", beside(|last| last - 1)),
        format!("{stem}{}", beside(|last| last + 1)),
        format!("{stem}{}0000", beside(|last| last + 1)),
        "\u{10FFFF}\u{10FFFF}".to_owned(),
        "\0".to_owned(),
    ];
    if !stem.is_empty() {
        around.push(stem);
    }
    around
}

fn exact<T: PartialOrd>(
    query: &Explain,
    ends: &Ends<T>,
    prefix: &str,
    keys: &[(T, String)],
) -> Result<(), TestCaseError> {
    for (value, sk) in keys {
        prop_assert_eq!(
            returns(query, sk),
            within(ends, value),
            "{:?} and {}",
            sk,
            query
        );
    }
    for foreign in around(prefix) {
        prop_assert!(!returns(query, &foreign), "{:?} and {}", foreign, query);
    }
    prop_assert_eq!(
        query.get("Empty").is_some() || !nothing_between(ends),
        true,
        "a request for nothing: {}",
        query
    );
    Ok(())
}

/// For each: random values, a random range over them, and what is written for a value.
macro_rules! exact {
    ($($name:ident: $values:expr, $prefix:literal, $query:expr, $range:ident, |$it:ident| $item:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(512))]
            $(
                #[test]
                fn $name(values in prop::collection::vec($values, 1..30), ends in ends($values)) {
                    let keys: Vec<_> = values
                        .into_iter()
                        .map(|value| {
                            let $it = value.clone();
                            (value, key(&$item.put().explain(), "sk"))
                        })
                        .collect();
                    let query = ranged!($query, $range, ends.clone()).explain();
                    exact(&query, &ends, $prefix, &keys)?;
                }
            )*
        }
    };
}

fn c() -> String {
    "c".to_owned()
}

fn x() -> String {
    "\u{10FFFE}".to_owned()
}

exact! {
    numbers_in_the_middle: 0..40_u32, "MSG#", Msg::query("c"), t_range, |t| Msg { c: c(), t, id: x() };
    numbers_in_the_middle_with_the_least_rest: 0..40_u32, "MSG#", Msg::query("c"), t_range,
        |t| Msg { c: c(), t, id: "\0".to_owned() };
    text_after_a_number: text(), "MSG#0007#", Msg::query("c").t(7_u32), id_range, |id| Msg { c: c(), t: 7, id };
    final_ulids: ulid(), "ULID#", Sorted::query("c"), id_range, |id| Sorted { c: c(), id };
    final_text: text(), "T#", Titled::query("c"), title_range, |title| Titled { c: c(), title };
    final_numbers: 0..40_u32, "N#", Counted::query("c"), n_range, |n| Counted { c: c(), n };
    numbers_before_a_last_literal: 0..40_u16, "END#", Closed::query("c"), n_range, |n| Closed { c: c(), n };
    numbers_before_the_end_of_a_field: 0..40_u16, "D", Dotted::query("c"), n_range, |n| Dotted { c: c(), n };
    signed_numbers: any::<i16>().prop_map(Ordered), "B#", Balance::query("c"), v_range, |v| Balance { c: c(), v };
    days_in_the_middle: day(), "DAY#", Dated::query("c"), day_range, |day| Dated { c: c(), day, x: x() };
    numbers_within_a_field: 0..40_u16, "v", Version::query("c"), major_range,
        |major| Version { c: c(), major, minor: 999 };
    numbers_at_the_end_of_a_field: 0..40_u16, "v007.", Version::query("c").major(7_u16), minor_range,
        |minor| Version { c: c(), major: 7, minor };
    text_of_a_fixed_length: "[a-c!~]{4}", "LEN#", Sized::query("c"), iso_range,
        |iso| Sized { c: c(), iso, x: x() };
    rests: path(), "F#", File::query("c"), path_range, |path| File { c: c(), path };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn whole_text_keys(values in prop::collection::vec(text(), 1..30), ends in ends(text())) {
        let query = ranged!(Doc::query("o"), name_range, ends.clone()).explain();
        for name in values {
            let sk = key(&Doc { owner: "o".to_owned(), name: name.clone() }.put().explain(), "name");
            prop_assert_eq!(returns(&query, &sk), within(&ends, &name), "{:?} and {}", sk, query);
        }
        prop_assert_eq!(query.get("Empty").is_some() || !nothing_between(&ends), true, "{}", query);
    }

    #[test]
    fn number_keys(values in prop::collection::vec(signed(), 1..30), ends in ends(signed())) {
        let query = ranged!(Event::query("r"), n_range, ends).explain();
        let value = |name| query.get(name).map_or(0, |number| number.parse::<i128>().unwrap());
        let (s, t) = (value(":s"), value(":t"));
        for n in values {
            let key = Event { room: "r".to_owned(), n }.put().explain();
            prop_assert_eq!(key.get("Item.n").map(str::to_owned), Some(n.to_string()));
            let n128 = i128::from(n);
            let returned = match query.get("KeyConditionExpression") {
                None => false,
                Some("room = :p") => true,
                Some("room = :p AND n >= :s") => n128 >= s,
                Some("room = :p AND n <= :s") => n128 <= s,
                Some("room = :p AND n BETWEEN :s AND :t") => {
                    prop_assert!(s <= t, "DynamoDB refuses {}", query);
                    (s..=t).contains(&n128)
                }
                Some(other) => unreachable!("{other}"),
            };
            prop_assert_eq!(returned, within(&ends, &n), "{} and {}", n, query);
        }
        prop_assert_eq!(query.get("Empty").is_some() || !nothing_between(&ends), true, "{}", query);
    }

    #[test]
    fn beginnings(values in prop::collection::vec(text(), 1..30), prefix in text()) {
        let prefix = &prefix[..prefix.chars().next().map_or(0, char::len_utf8)];
        let query = Titled::query("c").title_starts_with(prefix).explain();
        let docs = Doc::query("o").name_starts_with(prefix).explain();
        for title in values {
            let expected = title.starts_with(prefix);
            let sk = key(&Titled { c: c(), title: title.clone() }.put().explain(), "sk");
            prop_assert_eq!(returns(&query, &sk), expected);
            prop_assert_eq!(returns(&docs, &title), expected);
        }
        for foreign in around("T#") {
            prop_assert!(!returns(&query, &foreign));
        }
    }

    #[test]
    fn beginnings_of_a_rest(values in prop::collection::vec(path(), 1..30), prefix in path()) {
        let query = File::query("c").path_starts_with(&prefix).explain();
        for path in values {
            let sk = key(&File { c: c(), path: path.clone() }.put().explain(), "sk");
            prop_assert_eq!(returns(&query, &sk), path.starts_with(&prefix));
        }
    }
}

/// A prefix of nothing is no condition beyond the entity's own prefix.
#[test]
fn the_empty_beginning_is_all() {
    let all = Titled::query("c").explain();
    assert_eq!(Titled::query("c").title_starts_with("").explain(), all);
    assert_eq!(Titled::query("c").title_range(..).explain(), all);
    assert_eq!(
        Doc::query("o").name_starts_with("").explain(),
        Doc::query("o").explain()
    );
    assert_eq!(
        Event::query("r").n_range(..).explain(),
        Event::query("r").explain()
    );
}
