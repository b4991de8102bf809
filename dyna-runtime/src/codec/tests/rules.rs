//! What `to_item` leaves out and what it leaves alone.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use crate::codec::{Item, Nulls, Rules, to_value, write_item};

#[derive(Serialize)]
struct User {
    id: u8,
    email: Option<String>,
    phone: Option<String>,
}

#[derive(Serialize)]
struct Tagged {
    #[serde(flatten)]
    user: User,
    #[serde(flatten)]
    extra: BTreeMap<String, u8>,
}

const USER: User = User {
    id: 7,
    email: None,
    phone: None,
};

fn n(number: u8) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn keyed() -> Item {
    Item::from([("id".to_owned(), AttributeValue::S("USER#7".to_owned()))])
}

fn names(item: &Item) -> Vec<&str> {
    let mut names: Vec<&str> = item.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn tagged(extra: &[(&str, u8)]) -> Tagged {
    let extra = extra
        .iter()
        .map(|&(name, value)| (name.to_owned(), value))
        .collect();
    Tagged { user: USER, extra }
}

#[test]
fn field_that_is_a_key_already_is_written_once() {
    for keys in [Item::new(), Item::from([("id".to_owned(), n(7))])] {
        let mut item = keys;
        write_item(&USER, &mut item, Rules::default()).unwrap();
        assert_eq!(item["id"], n(7));
        assert_eq!(names(&item), ["id"]);
    }
}

#[test]
fn field_that_is_another_text_than_its_key_is_an_error() {
    let expected =
        "id: is stored as a key, whose text is not the one that serde writes for the field";
    let error = write_item(&USER, &mut keyed(), Rules::default()).unwrap_err();
    assert_eq!(error.to_string(), expected);
    let error = write_item(&tagged(&[]), &mut keyed(), Rules::default()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn omitted_attributes_are_not_written() {
    let rules = Rules {
        omit: &["id", "phone"],
        nulls: Nulls::Store,
        ..Rules::default()
    };
    let mut item = Item::new();
    write_item(&USER, &mut item, rules).unwrap();
    assert_eq!(names(&item), ["email"]);

    let mut item = Item::new();
    write_item(&tagged(&[("more", 2)]), &mut item, rules).unwrap();
    assert_eq!(names(&item), ["email", "more"]);
}

#[test]
fn omitted_attributes_that_are_already_there_stay() {
    let mut item = keyed();
    write_item(
        &USER,
        &mut item,
        Rules {
            omit: &["id"],
            ..Rules::default()
        },
    )
    .unwrap();
    assert_eq!(item["id"], AttributeValue::S("USER#7".to_owned()));
}

#[test]
fn null_is_left_out_only_where_asked() {
    let rules = Rules {
        omit_null: &["email", "id"],
        nulls: Nulls::Store,
        ..Rules::default()
    };
    let mut item = Item::new();
    write_item(&USER, &mut item, rules).unwrap();
    assert_eq!(names(&item), ["id", "phone"]);

    let mut item = Item::new();
    write_item(&tagged(&[]), &mut item, rules).unwrap();
    assert_eq!(names(&item), ["id", "phone"]);
}

#[test]
fn rules_do_not_reach_inside() {
    let outer = BTreeMap::from([("user", USER)]);
    let rules = Rules {
        omit: &["id"],
        omit_null: &["email"],
        nulls: Nulls::Store,
    };
    let mut item = Item::new();
    write_item(&outer, &mut item, rules).unwrap();
    assert_eq!(
        names(item["user"].as_m().unwrap()),
        ["email", "id", "phone"]
    );
}

#[test]
fn name_that_is_written_twice_is_an_error() {
    let rules = Rules {
        omit_null: &["email"],
        ..Rules::default()
    };
    for (name, rules) in [
        ("id", Rules::default()),
        ("phone", Rules::default()),
        // It is NULL and left out, which makes no room for another.
        ("email", rules),
    ] {
        let error = write_item(&tagged(&[(name, 1)]), &mut Item::new(), rules).unwrap_err();
        assert_eq!(error.to_string(), format!("{name}: is written twice"));
    }
    let nested = to_value(&[tagged(&[("secret", 1)]), tagged(&[("phone", 1)])]).unwrap_err();
    assert_eq!(nested.to_string(), "[1].*: is written twice");
}

#[test]
fn rules_hold_for_variants() {
    #[derive(Serialize)]
    enum Event {
        Moved { by: u8 },
        Paired(u8, u8),
        Named(u8),
    }

    for (event, variant) in [
        (Event::Moved { by: 1 }, "Moved"),
        (Event::Paired(1, 2), "Paired"),
        (Event::Named(1), "Named"),
    ] {
        let mut item = Item::new();
        write_item(
            &event,
            &mut item,
            Rules {
                omit: &[variant],
                ..Rules::default()
            },
        )
        .unwrap();
        assert!(item.is_empty());
    }
}
