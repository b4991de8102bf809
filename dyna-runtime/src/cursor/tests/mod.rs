//! What holds for every cursor, and for those without a secret.

mod properties;
#[cfg(feature = "cursor-secret")]
mod secret;

use super::{
    Cursor, CursorError, CursorSecret, MAX, MAX_TEXT, Origin, PLAIN, Position, with_checksum,
};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64ct::{Base64UrlUnpadded, Encoding};
use std::collections::HashMap;

type Key = HashMap<String, AttributeValue>;

const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: &str) -> AttributeValue {
    AttributeValue::N(number.to_owned())
}

fn b(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes))
}

fn key<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Key {
    attributes
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

/// An item of the partition `TENANT#1` that is queried in [`with_origin`].
fn sample() -> Key {
    key([
        ("pk", s("TENANT#1")),
        ("sk", s("ORDER#ünïcode")),
        ("at", n("-12.5")),
        ("raw", b(&[0, 255])),
    ])
}

fn with_origin<R>(tenant: &str, then: impl FnOnce(&Origin<'_>) -> R) -> R {
    let tenant = s(tenant);
    then(&Origin {
        table: "orders-prod",
        index: "",
        partitions: &[vec![("pk", &tenant)]],
        backward: false,
        scope: "",
    })
}

/// The cursor of one key.
fn seal(
    origin: &Origin<'_>,
    key: &Key,
    secret: Option<&CursorSecret>,
) -> Result<Cursor, CursorError> {
    Cursor::seal(origin, &[Position::At(key.clone())], secret)
}

/// The one key of a cursor; empty for an end of the partition.
fn open(
    cursor: &Cursor,
    origin: &Origin<'_>,
    secret: Option<&CursorSecret>,
) -> Result<Key, CursorError> {
    cursor
        .open(origin, secret)
        .map(|positions| match positions.as_slice() {
            [Position::At(key)] => key.clone(),
            _ => Key::new(),
        })
}

/// The cursor as a client sends it back.
fn resend(cursor: &Cursor) -> Cursor {
    cursor.to_string().parse().unwrap()
}

fn of_bytes(bytes: &[u8]) -> Result<Cursor, CursorError> {
    Base64UrlUnpadded::encode_string(bytes).parse()
}

/// The sample sealed and changed by `change`, and what comes of opening it.
fn tampered(
    secret: Option<&CursorSecret>,
    change: impl FnOnce(&mut Vec<u8>),
) -> Result<Key, CursorError> {
    with_origin("TENANT#1", |origin| {
        let mut bytes = seal(origin, &sample(), secret)?.0.into_vec();
        change(&mut bytes);
        open(&of_bytes(&bytes)?, origin, secret)
    })
}

/// The same without a secret, by someone who knows how cursors are written.
fn crafted(change: impl FnOnce(&mut Vec<u8>)) -> Result<Key, CursorError> {
    tampered(None, |bytes| {
        bytes.truncate(bytes.len() - 4);
        change(bytes);
        *bytes = with_checksum(std::mem::take(bytes));
    })
}

fn length(secret: Option<&CursorSecret>) -> usize {
    with_origin("TENANT#1", |origin| {
        seal(origin, &sample(), secret).unwrap().0.len()
    })
}

/// Every other query refuses the cursor of the sample with this error.
fn every_other_query_gets(secret: Option<&CursorSecret>, error: CursorError) {
    with_origin("TENANT#1", |origin| {
        let cursor = seal(origin, &sample(), secret).unwrap();
        let (one, two, same, number) = (s("TENANT#1"), s("TENANT#2"), b(b"TENANT#1"), n("1"));
        let others = [
            Origin {
                table: "orders-test",
                ..*origin
            },
            Origin {
                index: "gsi1",
                ..*origin
            },
            Origin {
                backward: true,
                ..*origin
            },
            Origin {
                scope: "scan:3/8",
                ..*origin
            },
            Origin {
                partitions: &[vec![]],
                ..*origin
            },
            Origin {
                partitions: &[],
                ..*origin
            },
            Origin {
                partitions: &[vec![("pk", &two)]],
                ..*origin
            },
            Origin {
                partitions: &[vec![("pk", &one)], vec![("pk", &two)]],
                ..*origin
            },
            Origin {
                partitions: &[vec![("pk", &same)]],
                ..*origin
            },
            Origin {
                partitions: &[vec![("pk", &number)]],
                ..*origin
            },
            Origin {
                partitions: &[vec![("gsi1pk", &one)]],
                ..*origin
            },
            Origin {
                partitions: &[vec![("pk", &one), ("pk2", &two)]],
                ..*origin
            },
            // The same letters, cut elsewhere.
            Origin {
                table: "orders-pro",
                index: "d",
                ..*origin
            },
        ];
        for other in &others {
            assert_eq!(open(&cursor, other, secret), Err(error));
        }
        assert_eq!(open(&cursor, origin, secret), Ok(sample()));
    });
}

fn every_truncation_is_refused(secret: Option<&CursorSecret>) {
    for end in 0..length(secret) {
        tampered(secret, |bytes| bytes.truncate(end)).unwrap_err();
    }
    with_origin("TENANT#1", |origin| {
        let text = seal(origin, &sample(), secret).unwrap().to_string();
        for end in 0..text.len() {
            let opened = text[..end]
                .parse::<Cursor>()
                .and_then(|c| open(&c, origin, secret));
            opened.unwrap_err();
        }
    });
}

fn every_addition_is_refused(secret: Option<&CursorSecret>) {
    for added in 0..=u8::MAX {
        tampered(secret, |bytes| bytes.push(added)).unwrap_err();
        tampered(secret, |bytes| bytes.insert(0, added)).unwrap_err();
    }
}

#[test]
fn a_plain_cursor_belongs_to_its_query() {
    every_other_query_gets(None, CursorError::OtherQuery);
}

#[test]
fn part_of_a_plain_cursor_is_refused() {
    every_truncation_is_refused(None);
}

#[test]
fn more_than_a_plain_cursor_is_refused() {
    every_addition_is_refused(None);
}

#[test]
fn a_plain_cursor_is_refused_with_any_bit_flipped() {
    for bit in 0..length(None) * 8 {
        tampered(None, |bytes| bytes[bit / 8] ^= 1 << (bit % 8)).unwrap_err();
    }
}

/// It is not authenticated: whoever writes the checksum anew may move the place, but not out of the partition.
#[test]
fn a_crafted_plain_cursor_stays_in_its_partition() {
    let mut moved = 0;
    for bit in 0..(length(None) - 4) * 8 {
        let Ok(opened) = crafted(|bytes| bytes[bit / 8] ^= 1 << (bit % 8)) else {
            continue;
        };
        assert!(bit / 8 > 16, "the form and the fingerprint are checked");
        assert_eq!(opened["pk"], s("TENANT#1"));
        assert_ne!(opened, sample(), "one key, one text");
        moved += 1;
    }
    assert!(moved > 0);
}

#[test]
fn a_crafted_cursor_cannot_name_a_partition() {
    let named = |name: u8| {
        crafted(|bytes| {
            bytes.truncate(17);
            bytes.extend([1, 2, name, b'k', b'S', 0, 1, b'x']);
        })
    };
    let right = key([("pk", s("TENANT#1")), ("sk", s("x"))]);
    assert_eq!(named(b's'), Ok(right));
    assert_eq!(named(b'p'), Err(CursorError::Malformed));
}

#[test]
fn attributes_in_another_order_or_twice_are_refused() {
    let attribute = |name: u8| [1, name, b'S', 0, 1, b'x'];
    for (names, is_right) in [(b"ab", true), (b"ba", false), (b"aa", false)] {
        let opened = crafted(|bytes| {
            bytes.truncate(17);
            bytes.push(2);
            bytes.extend(names.map(attribute).concat());
        });
        assert_eq!(opened.is_ok(), is_right);
    }
}

#[test]
fn each_cursor_has_one_text() {
    with_origin("TENANT#1", |origin| {
        // One more byte each, so that the text ends in each of the three ways.
        for sk in ["1", "12", "123"] {
            let key = key([("pk", s("TENANT#1")), ("sk", s(sk))]);
            let text = seal(origin, &key, None).unwrap().to_string();
            let mut equal = 0;
            for last in ALPHABET.chars() {
                let other = format!("{}{last}", &text[..text.len() - 1]);
                let opened = other.parse::<Cursor>().and_then(|c| open(&c, origin, None));
                equal += usize::from(opened.as_ref() == Ok(&key));
            }
            assert_eq!(equal, 1);
            for other in [
                format!("{text}="),
                format!("{text}\n"),
                format!(" {text}"),
                format!("{text}A"),
            ] {
                let opened = other.parse::<Cursor>().and_then(|c| open(&c, origin, None));
                assert_eq!(opened, Err(CursorError::Malformed));
            }
        }
    });
}

#[test]
fn text_of_another_alphabet_form_or_length_is_refused() {
    let malformed = |text: &str| assert_eq!(text.parse::<Cursor>(), Err(CursorError::Malformed));
    for text in ["", "A", "AQ==", "AQ+/", "AQ é", "\0"] {
        malformed(text);
    }
    for form in (0..=u8::MAX).filter(|form| !(PLAIN..=super::ENCRYPTED).contains(form)) {
        malformed(&Base64UrlUnpadded::encode_string(&[form; 64]));
    }
    let longest = Base64UrlUnpadded::encode_string(&vec![PLAIN; MAX]);
    assert_eq!(longest.len(), MAX_TEXT);
    assert!(longest.parse::<Cursor>().is_ok());
    malformed(&Base64UrlUnpadded::encode_string(&vec![PLAIN; MAX + 1]));
}

#[test]
fn a_cursor_with_a_secret_is_refused_without_one() {
    for form in [super::AUTHENTICATED, super::ENCRYPTED] {
        let opened = tampered(None, |bytes| bytes[0] = form);
        assert_eq!(opened, Err(CursorError::Forged));
    }
}

#[test]
fn the_partition_is_not_in_the_text() {
    with_origin("TENANT#1", |origin| {
        let cursor = seal(origin, &sample(), None).unwrap();
        assert!(!cursor.0.windows(6).any(|bytes| bytes == b"TENANT"));
    });
}

#[test]
fn a_number_may_come_back_written_otherwise() {
    let asked = n("1.0");
    let origin = Origin {
        table: "t",
        index: "",
        partitions: &[vec![("pk", &asked)]],
        backward: false,
        scope: "",
    };
    let found = key([("pk", n("1")), ("sk", s("x"))]);
    let cursor = seal(&origin, &found, None).unwrap();
    let asked = key([("pk", n("1.0")), ("sk", s("x"))]);
    assert_eq!(open(&cursor, &origin, None), Ok(asked));
}

#[test]
fn a_key_of_a_partition_key_alone_can_be_sealed() {
    with_origin("TENANT#1", |origin| {
        let key = key([("pk", s("TENANT#1"))]);
        let cursor = seal(origin, &key, None).unwrap();
        assert_eq!(open(&resend(&cursor), origin, None), Ok(key));
    });
}

#[test]
fn a_key_that_no_query_ends_at_is_not_sealed() {
    let long = "x".repeat(MAX);
    with_origin("TENANT#1", |origin| {
        for key in [
            key([]),
            key([("sk", s("x"))]),
            key([("pk", s("TENANT#2")), ("sk", s("x"))]),
            key([("pk", b(b"TENANT#1")), ("sk", s("x"))]),
            key([("pk", s("TENANT#1")), ("sk", AttributeValue::Bool(true))]),
            key([("pk", s("TENANT#1")), ("sk", s(&long))]),
            key([("pk", s("TENANT#1")), ("sk", s(&long.repeat(8)))]),
            key([("pk", s("TENANT#1")), (&long[..256], s("x"))]),
        ] {
            assert_eq!(seal(origin, &key, None), Err(CursorError::KeyNotSupported));
        }
        let odd = AttributeValue::Null(true);
        let odd_partition = Origin {
            partitions: &[vec![("pk", &odd)]],
            ..*origin
        };
        let key = key([("pk", odd.clone())]);
        assert_eq!(
            seal(&odd_partition, &key, None),
            Err(CursorError::KeyNotSupported)
        );
        let scan = Origin {
            partitions: &[vec![]],
            ..*origin
        };
        assert_eq!(
            seal(&scan, &Key::new(), None),
            Err(CursorError::KeyNotSupported)
        );
    });
}

#[test]
fn the_longest_key_of_dynamodb_can_be_sealed() {
    let (pk, sk) = ("x".repeat(2048), "x".repeat(1024));
    let names = ["a", "b", "c", "d"].map(|name| name.repeat(255));
    let [a, b, c, d] = names.each_ref().map(String::as_str);
    let key = key([(a, s(&pk)), (b, s(&sk)), (c, s(&pk)), (d, s(&sk))]);
    let scan = Origin {
        table: "t",
        index: "i",
        partitions: &[vec![]],
        backward: false,
        scope: "scan:0/1",
    };
    let cursor = seal(&scan, &key, None).unwrap();
    assert_eq!(open(&resend(&cursor), &scan, None), Ok(key));
}

#[test]
fn debug_and_errors_show_nothing_of_a_key() {
    with_origin("TENANT#1", |origin| {
        let cursor = seal(origin, &sample(), None).unwrap();
        assert_eq!(format!("{cursor:?}"), "Cursor(..)");
        let error = serde_json::from_str::<Cursor>("\"ORDER#1\"").unwrap_err();
        assert!(!error.to_string().contains("ORDER"));
    });
}

#[test]
fn serde_writes_and_reads_the_text() {
    with_origin("TENANT#1", |origin| {
        let cursor = seal(origin, &sample(), None).unwrap();
        let json = serde_json::to_string(&cursor).unwrap();
        assert_eq!(json, format!("\"{cursor}\""));
        assert_eq!(serde_json::from_str::<Cursor>(&json).unwrap(), cursor);
    });
}

/// Whoever changes how cursors are written breaks those that clients hold: then take a new first byte.
#[test]
fn a_cursor_is_written_as_ever() {
    with_origin("TENANT#1", |origin| {
        let cursor = seal(origin, &sample(), None).unwrap();
        assert_eq!(
            cursor.to_string(),
            "AcqE3THy9JlIn7gxmCfXYRQDAmF0TgAFLTEyLjUDcmF3QgACAP8Cc2tTAA9PUkRFUiPDvG7Dr2NvZGXtWqs0"
        );
    });
}
