//! A key that was built is read back as what it was built from, and no other text is.

use super::{
    Angle, Colon, File, Ids, Lengths, Nested, Numbers, Sample, Signed, Texts, Times, Version,
    Words, angle, colon, file, ids, lengths, nested, numbers, plain, signed, texts, times, version,
    words,
};
use dyna_runtime::error::KeyErrorKind;
use proptest::prelude::*;

macro_rules! read_back {
    ($($name:ident: $strategy:expr, |$it:ident: $entity:ident| $values:expr;)*) => {
        proptest! {
            $(
                #[test]
                fn $name($it in $strategy) {
                    let key = $it.text();
                    prop_assert!(key.is_some(), "the strategy makes valid keys only");
                    let key = key.unwrap_or_else(|| unreachable!());
                    prop_assert_eq!($entity::parse_key(&key.pk, &key.sk).ok(), Some($values));
                }
            )*
        }
    };
}

read_back! {
    texts_are_read_back: texts(plain()), |it: Texts| (it.a, it.b, it.c);
    numbers_are_read_back: numbers(), |it: Numbers| (it.n, it.x, it.y);
    signed_numbers_are_read_back: signed(), |it: Signed| (it.low, it.high);
    ids_are_read_back: ids(), |it: Ids| (it.random, it.sorted);
    words_are_read_back: words(plain()), |it: Words| (it.stage, it.name);
    lengths_are_read_back: lengths(plain()), |it: Lengths| (it.code, it.iso, it.tail);
    rests_are_read_back: file(plain()), |it: File| (it.bucket, it.path);
    nested_fields_are_read_back: nested(plain()),
        |it: Nested| (it.data.email, it.data.place.city, it.data.place.zip);
    mixed_fields_are_read_back: version(plain()),
        |it: Version| (it.stage, it.build, it.major, it.minor, it.patch, it.note);
    angles_are_read_back: angle(plain()), |it: Angle| it.id;
    another_delimiter_is_read_back: colon(plain()), |it: Colon| (it.a, it.b, it.c);
}

proptest! {
    #[test]
    fn instants_are_read_back_by_millisecond(it in times()) {
        let key = it.text().unwrap();
        let at = jiff::Timestamp::from_nanosecond(it.at.as_nanosecond().div_euclid(1_000_000) * 1_000_000).unwrap();
        prop_assert_eq!(Times::parse_key(&key.pk, &key.sk).ok(), Some((at, it.day)));
    }

    /// The path of a file may contain the delimiter.
    #[test]
    fn delimiters_in_a_rest_are_read_back(path in "[a#]{1,9}") {
        let it = File { bucket: "b".to_owned(), path };
        let key = it.text().unwrap();
        prop_assert_eq!(File::parse_key(&key.pk, &key.sk).ok(), Some((it.bucket, it.path)));
    }
}

/// What no entity wrote is not read as one: each of these differs from a key in one place.
#[test]
fn other_texts_are_not_read() {
    let foreign = |result: Result<(), dyna_runtime::error::KeyError>, attribute: &str| {
        let error = result.unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (KeyErrorKind::TemplateMismatch, attribute)
        );
    };
    let texts = |pk, sk| Texts::parse_key(pk, sk).map(drop);
    assert!(texts("TXT#a", "T#b#c").is_ok());
    for pk in ["", "TXT", "TXT#", "TXT#a#b", "XTXT#a", "txt#a"] {
        foreign(texts(pk, "T#b#c"), "pk");
    }
    for sk in ["", "T#b", "T#b#", "T##c", "T#b#c#d", "#T#b#c"] {
        foreign(texts("TXT#a", sk), "sk");
    }
    let numbers = |pk, sk| Numbers::parse_key(pk, sk).map(drop);
    assert!(numbers("NUM#7", "N#00000000000000000008#00009").is_ok());
    for pk in [
        "NUM#",
        "NUM#-7",
        "NUM#+7",
        "NUM#7a",
        "NUM#18446744073709551616",
        "NUM#٣",
    ] {
        foreign(numbers(pk, "N#00000000000000000008#00009"), "pk");
    }
    for sk in [
        "N#8#00009",
        "N#00000000000000000008#9",
        "N#99999999999999999999#00009",
    ] {
        foreign(numbers("NUM#7", sk), "sk");
    }
    let ids = |pk, sk| Ids::parse_key(pk, sk).map(drop);
    let (id, sorted) = (
        "ID#01234567-89ab-cdef-0123-456789abcdef",
        "0000000000000000000000000A",
    );
    assert!(ids(id, sorted).is_ok());
    foreign(ids("ID#0123456789abcdef0123456789abcdef", sorted), "pk");
    foreign(ids("ID#01234567-89AB-CDEF-0123-456789ABCDEF", sorted), "pk");
    foreign(ids(id, "0000000000000000000000000a"), "sk");
    foreign(ids(id, "8000000000000000000000000A"), "sk");
    let times = |pk, sk| Times::parse_key(pk, sk).map(drop);
    assert!(
        times(
            "TIME#2025-12",
            "2025-12-27T01:02:03.456Z#2025-12-27#2025361"
        )
        .is_ok()
    );
    foreign(
        times(
            "TIME#2025-12",
            "2025-02-30T01:02:03.456Z#2025-12-27#2025361",
        ),
        "sk",
    );
    foreign(
        times(
            "TIME#2025-12",
            "2025-12-27T01:02:03.456Z#2025-13-27#2025361",
        ),
        "sk",
    );
    let words = |pk| Words::parse_key(pk, "x").map(drop);
    assert!(words("WORD#pre").is_ok());
    foreign(words("WORD#Pre"), "pk");
    foreign(words("WORD#pre-"), "pk");
}
