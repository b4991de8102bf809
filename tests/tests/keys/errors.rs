//! What no key may contain is refused, by the name of the field and never by its value.

use super::{
    Colon, Exact, File, Functions, Lengths, Name, Nested, Numbers, Own, Stage, Texts, Version,
    Words,
};
use dyna_runtime::error::KeyErrorKind;
use dyna_runtime::{DynaEntity, Key};
use jiff::Timestamp;
use proptest::prelude::*;

/// Part of every value here, and of no message.
const SECRET: &str = "S3CR3T";

/// The key is refused for this field of this entity, and nothing that can be printed shows the value.
fn refused<E: DynaEntity + dyna_runtime::entity::Replaceable + std::fmt::Debug>(
    key: &Key<E>,
    entity: &str,
    field: &str,
    kind: KeyErrorKind,
) {
    let error = key.check().unwrap_err();
    assert_eq!(
        (error.entity(), error.field(), error.kind()),
        (entity, field, kind)
    );
    let get = dyna_runtime::Get::new(key.clone());
    let delete = dyna_runtime::Delete::new(key.clone());
    let shown = [
        format!("{error} {error:?} {kind} {kind:?}"),
        format!("{key:?} {get:?} {delete:?}"),
        get.explain().to_string(),
        delete.explain().to_string(),
    ];
    for shown in shown {
        assert!(!shown.contains(SECRET), "{shown}");
    }
    assert!(
        error
            .to_string()
            .starts_with(&format!("{entity}: key field `{field}` "))
    );
}

/// Each text that is refused everywhere, with the reason.
fn bad() -> [(String, KeyErrorKind); 6] {
    let delimiter = KeyErrorKind::ContainsDelimiter('#');
    [
        (String::new(), KeyErrorKind::Empty),
        ("#".to_owned(), delimiter),
        (format!("#{SECRET}"), delimiter),
        (format!("{SECRET}-with-more-than-16-bytes#"), delimiter),
        (
            format!("{SECRET}\u{10FFFF}"),
            KeyErrorKind::ReservedCharacter,
        ),
        (
            format!("{SECRET}#\u{10FFFF}"),
            KeyErrorKind::ReservedCharacter,
        ),
    ]
}

#[test]
fn invalid_text_is_refused_in_every_position() {
    for (bad, kind) in &bad() {
        let bad = bad.as_str();
        refused(&Texts::key(bad, "b", "c"), "Texts", "a", *kind);
        refused(&Texts::key("a", bad, "c"), "Texts", "b", *kind);
        refused(&Texts::key("a", "b", bad), "Texts", "c", *kind);
        refused(
            &Words::key(Stage::Pre, Name(bad.to_owned())),
            "Words",
            "name",
            *kind,
        );
        refused(&Nested::key(bad, "c", 1_u32), "Nested", "data.email", *kind);
        refused(
            &Nested::key("e", bad, 1_u32),
            "Nested",
            "data.place.city",
            *kind,
        );
        refused(
            &Version::key(Stage::Pre, 1_u16, 1_u16, 1_u16, 1_u8, bad),
            "Version",
            "note",
            *kind,
        );
        refused(
            &Functions::key(bad, "i", "n", "t"),
            "Functions",
            "email",
            *kind,
        );
        refused(
            &Functions::key("e", "i", bad, "t"),
            "Functions",
            "name",
            *kind,
        );
        refused(
            &Functions::key("e", bad, "n", "t"),
            "Functions",
            "id",
            *kind,
        );
        // The first character is taken.
        if bad.is_empty() || bad.starts_with('#') {
            refused(&Own::key(1_u32, bad, 1_u32), "Own", "name", *kind);
        }
        refused(
            &Lengths::key("abcd", "123456", bad),
            "Lengths",
            "tail",
            *kind,
        );
    }
}

/// The first error of a key is the one that is told.
#[test]
fn first_of_several_errors_is_reported() {
    refused(
        &Texts::key("", "#", "\u{10FFFF}"),
        "Texts",
        "a",
        KeyErrorKind::Empty,
    );
    refused(
        &Texts::key("a", "#", "\u{10FFFF}"),
        "Texts",
        "b",
        KeyErrorKind::ContainsDelimiter('#'),
    );
}

#[test]
fn the_delimiter_is_the_one_of_the_table() {
    assert!(Colon::key("a#", "#b", "#").check().is_ok());
    let bad = format!("{SECRET}:");
    refused(
        &Colon::key(&bad, "b", "c"),
        "Colon",
        "a",
        KeyErrorKind::ContainsDelimiter(':'),
    );
    refused(
        &Colon::key("a", "b", &bad),
        "Colon",
        "c",
        KeyErrorKind::ContainsDelimiter(':'),
    );
}

#[test]
fn a_rest_may_contain_the_delimiter_but_is_text_otherwise() {
    assert!(File::key("b", "/a#b/#").check().is_ok());
    refused(&File::key("b", ""), "File", "path", KeyErrorKind::Empty);
    let last = format!("{SECRET}\u{10FFFF}");
    refused(
        &File::key("b", &last),
        "File",
        "path",
        KeyErrorKind::ReservedCharacter,
    );
    refused(
        &File::key("#", "p"),
        "File",
        "bucket",
        KeyErrorKind::ContainsDelimiter('#'),
    );
}

/// A hash says nothing of what it is the hash of, but there must be something.
#[test]
fn any_text_but_none_may_be_hashed() {
    for (text, kind) in bad() {
        let key = Functions::key("e", "i", "n", text);
        if kind == KeyErrorKind::Empty {
            refused(&key, "Functions", "token", KeyErrorKind::Empty);
        } else {
            assert!(key.check().is_ok());
        }
    }
}

#[test]
fn numbers_that_are_too_wide_are_refused() {
    assert!(Numbers::key(u64::MAX, u64::MAX, 99_999_u32).check().is_ok());
    refused(
        &Numbers::key(1_u64, 1_u64, 100_000_u32),
        "Numbers",
        "y",
        KeyErrorKind::TooManyDigits { width: 5 },
    );
    let key = Version::key(Stage::Pre, 1_u16, 1000_u16, 1_u16, 1_u8, "n");
    refused(
        &key,
        "Version",
        "major",
        KeyErrorKind::TooManyDigits { width: 3 },
    );
}

#[test]
fn text_of_another_length_is_refused() {
    let length = |expected, found| KeyErrorKind::WrongLength { expected, found };
    refused(
        &Lengths::key("abc", "123456", "t"),
        "Lengths",
        "code",
        length(4, 3),
    );
    refused(
        &Lengths::key("éééé", "123456", "t"),
        "Lengths",
        "code",
        length(4, 8),
    );
    refused(
        &Lengths::key("abcd", SECRET.repeat(2), "t"),
        "Lengths",
        "iso",
        length(6, 12),
    );
    refused(
        &Lengths::key("ab#d", "123456", "t"),
        "Lengths",
        "code",
        KeyErrorKind::ContainsDelimiter('#'),
    );
}

#[test]
fn years_without_four_digits_are_refused() {
    let first: Timestamp = "0000-01-01T00:00:00Z".parse().unwrap();
    let before = first - jiff::SignedDuration::from_nanos(1);
    let day = jiff::civil::Date::new(2025, 1, 1).unwrap();
    assert!(Exact::key(first).check().is_ok());
    refused(
        &Exact::key(before),
        "Exact",
        "at",
        KeyErrorKind::YearOutOfRange,
    );
    refused(
        &super::Times::key(before, day),
        "Times",
        "at",
        KeyErrorKind::YearOutOfRange,
    );
    let day = jiff::civil::Date::new(-1, 1, 1).unwrap();
    refused(
        &super::Times::key(first, day),
        "Times",
        "day",
        KeyErrorKind::YearOutOfRange,
    );
}

/// DynamoDB takes 2048 bytes of a partition key and 1024 of a sort key; characters do not count.
#[test]
fn keys_that_are_too_long_are_refused() {
    let long = |length, max| KeyErrorKind::TooLong { length, max };
    let text = |bytes: usize| SECRET.repeat(bytes).chars().take(bytes).collect::<String>();
    // "TXT#" and "T#b#" are four bytes each.
    assert!(Texts::key(text(2044), "b", text(1020)).check().is_ok());
    refused(
        &Texts::key(text(2045), "b", "c"),
        "Texts",
        "pk",
        long(2049, 2048),
    );
    refused(
        &Texts::key("a", "b", text(1021)),
        "Texts",
        "sk",
        long(1025, 1024),
    );
    assert!(Texts::key("é".repeat(1022), "b", "c").check().is_ok());
    refused(
        &Texts::key("é".repeat(1023), "b", "c"),
        "Texts",
        "pk",
        long(2050, 2048),
    );
    refused(&File::key("b", text(2000)), "File", "sk", long(2002, 1024));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Any text that is not empty, has neither delimiter nor U+10FFFF and is short enough is a key; no other is.
    #[test]
    fn exactly_the_bad_texts_are_refused(text in prop_oneof![super::hostile(), any::<String>()]) {
        let good = !text.is_empty() && !text.contains(['#', '\u{10FFFF}']);
        prop_assert_eq!(Texts::key("a", "b", &text).check().is_ok(), good);
        prop_assert_eq!(Texts::key(&text, "b", "c").check().is_ok(), good);
        let good = !text.is_empty() && !text.contains([':', '\u{10FFFF}']);
        prop_assert_eq!(Colon::key("a", &text, "c").check().is_ok(), good);
        let good = !text.is_empty() && !text.contains('\u{10FFFF}');
        prop_assert_eq!(File::key("b", &text).check().is_ok(), good);
    }

    /// The check looks at 16 bytes at a time: a bad character is found at every place.
    #[test]
    fn a_bad_character_is_found_at_every_place(before in "[a-zé]{0,40}", after in "[a-zé]{0,40}") {
        let bad = format!("{before}#{after}");
        prop_assert_eq!(Texts::key("a", "b", &bad).check().unwrap_err().kind(), KeyErrorKind::ContainsDelimiter('#'));
        let bad = format!("{before}\u{10FFFF}{after}");
        prop_assert_eq!(Texts::key("a", "b", &bad).check().unwrap_err().kind(), KeyErrorKind::ReservedCharacter);
        let good = format!("{before}\u{10FFFE}\u{100000}{after}");
        prop_assert!(Texts::key("a", "b", &good).check().is_ok());
    }
}
