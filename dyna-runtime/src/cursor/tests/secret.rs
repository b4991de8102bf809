//! What holds for cursors with a secret.

use super::properties::value;
use super::*;
use crate::cursor::ENCRYPTED;
use proptest::collection::hash_map;
use proptest::prelude::*;

fn authenticating(seed: u8) -> CursorSecret {
    CursorSecret::authenticating([seed; 32]).unwrap()
}

fn encrypting(seed: u8) -> CursorSecret {
    CursorSecret::encrypting([seed; 32]).unwrap()
}

fn secrets() -> [CursorSecret; 2] {
    [authenticating(1), encrypting(1)]
}

/// The sample, sealed with one secret and opened with another.
fn passed(from: Option<&CursorSecret>, to: Option<&CursorSecret>) -> Result<Key, CursorError> {
    with_origin("TENANT#1", |origin| {
        open(&resend(&seal(origin, &sample(), from)?), origin, to)
    })
}

#[test]
fn an_authenticated_cursor_belongs_to_its_query() {
    every_other_query_gets(Some(&authenticating(1)), CursorError::OtherQuery);
}

#[test]
fn an_encrypted_cursor_belongs_to_its_query() {
    every_other_query_gets(Some(&encrypting(1)), CursorError::Forged);
}

#[test]
fn part_of_a_sealed_cursor_is_refused() {
    for secret in &secrets() {
        every_truncation_is_refused(Some(secret));
    }
}

#[test]
fn more_than_a_sealed_cursor_is_refused() {
    for secret in &secrets() {
        every_addition_is_refused(Some(secret));
    }
}

#[test]
fn a_sealed_cursor_is_refused_with_any_bit_flipped() {
    let both = authenticating(1).also_accept(encrypting(1));
    for secret in secrets().iter().chain([&both]) {
        for bit in 0..length(Some(secret)) * 8 {
            let opened = tampered(Some(secret), |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
            let error = opened.unwrap_err();
            assert!(error == CursorError::Forged || (bit < 8 && error == CursorError::Malformed));
        }
    }
}

#[test]
fn a_sealed_cursor_has_one_text() {
    for secret in &secrets() {
        with_origin("TENANT#1", |origin| {
            let text = seal(origin, &sample(), Some(secret)).unwrap().to_string();
            for at in 0..text.len() {
                for letter in ALPHABET
                    .chars()
                    .filter(|letter| !text[at..].starts_with(*letter))
                {
                    let other = format!("{}{letter}{}", &text[..at], &text[at + 1..]);
                    let opened = other
                        .parse::<Cursor>()
                        .and_then(|c| open(&c, origin, Some(secret)));
                    opened.unwrap_err();
                }
            }
        });
    }
}

#[test]
fn a_cursor_opens_with_its_own_secret_only() {
    let secrets = [
        authenticating(1),
        authenticating(2),
        encrypting(1),
        encrypting(2),
    ];
    let handles: Vec<_> = secrets.iter().map(Some).chain([None]).collect();
    for (n, from) in handles.iter().enumerate() {
        for (m, to) in handles.iter().enumerate() {
            let expected = if n == m {
                Ok(sample())
            } else {
                Err(CursorError::Forged)
            };
            assert_eq!(passed(*from, *to), expected);
        }
    }
}

#[test]
fn an_older_secret_still_opens() {
    let oldest = authenticating(1);
    let old = encrypting(2);
    let new = encrypting(3);
    let all = new
        .clone()
        .also_accept(old.clone().also_accept(oldest.clone()));
    for secret in [&new, &old, &oldest, &all] {
        assert_eq!(passed(Some(secret), Some(&all)), Ok(sample()));
    }
    assert_eq!(passed(Some(&all), Some(&new)), Ok(sample()));
    assert_eq!(passed(Some(&all), Some(&old)), Err(CursorError::Forged));
    assert_eq!(
        passed(Some(&encrypting(4)), Some(&all)),
        Err(CursorError::Forged)
    );
    assert_eq!(passed(None, Some(&all)), Err(CursorError::Forged));
}

#[test]
fn an_older_secret_tells_a_foreign_cursor_too() {
    every_other_query_gets(Some(&authenticating(2)), CursorError::OtherQuery);
    let secret = authenticating(1).also_accept(authenticating(2));
    let cursor = with_origin("TENANT#1", |origin| {
        seal(origin, &sample(), Some(&authenticating(2))).unwrap()
    });
    let opened = with_origin("TENANT#2", |origin| open(&cursor, origin, Some(&secret)));
    assert_eq!(opened, Err(CursorError::OtherQuery));
}

#[test]
fn nothing_of_a_key_shows_in_an_encrypted_cursor() {
    let secret = encrypting(1);
    let sealed = || {
        with_origin("TENANT#1", |origin| {
            seal(origin, &sample(), Some(&secret)).unwrap()
        })
    };
    let cursor = sealed();
    assert_eq!(cursor.0[0], ENCRYPTED);
    let clear = with_origin("TENANT#1", |origin| seal(origin, &sample(), None).unwrap());
    // No four bytes in a row of the clear key or of the fingerprint.
    for part in clear.0.windows(4) {
        assert!(!cursor.0.windows(4).any(|bytes| bytes == part));
    }
    assert_ne!(cursor, sealed(), "nor that two are of one place");
}

#[test]
fn a_short_secret_is_refused() {
    for short in [&[][..], &[1; 15]] {
        let of = CursorSecret::authenticating;
        assert_eq!(of(short).unwrap_err(), CursorError::WeakSecret);
        let of = CursorSecret::encrypting;
        assert_eq!(of(short).unwrap_err(), CursorError::WeakSecret);
    }
    assert!(CursorSecret::encrypting([1; 16]).is_ok());
    assert!(
        CursorSecret::authenticating(
            "a much longer secret than the block of SHA-256 is, which is 64 bytes"
        )
        .is_ok()
    );
}

#[test]
fn debug_shows_no_secret() {
    for secret in secrets() {
        assert_eq!(format!("{secret:?}"), "CursorSecret(..)");
    }
}

/// As for plain cursors: a change here breaks those that clients hold.
#[test]
fn an_authenticated_cursor_is_written_as_ever() {
    with_origin("TENANT#1", |origin| {
        let cursor = seal(origin, &sample(), Some(&authenticating(1))).unwrap();
        assert_eq!(
            cursor.to_string(),
            "AsqE3THy9JlIn7gxmCfXYRQDAmF0TgAFLTEyLjUDcmF3QgACAP8Cc2tTAA9PUkRFUiPDvG7Dr2NvZGVDA5MoCxwkaruQYDbUVLyR"
        );
    });
}

#[test]
fn an_encrypted_cursor_of_earlier_still_opens() {
    let earlier: Cursor = "AwABAgMEBQYHCAkKCwwNDg8QERITFBUWF_hehltb5TbhNG23sU1q1wp49a1nzfV74NCnHQfyXbs5enHJN8hdjevr4DTqX7Tx2cFH2FTPtlTfbYg".parse().unwrap();
    let opened = with_origin("TENANT#1", |origin| {
        open(&earlier, origin, Some(&encrypting(1)))
    });
    assert_eq!(opened, Ok(sample()));
}

proptest! {
    /// What was sealed is opened, with the partition as the query writes it.
    #[test]
    fn a_sealed_key_comes_back(rest in hash_map(".{1,20}", value(), 0..6)) {
        let mut key = rest;
        key.insert("pk".to_owned(), s("TENANT#1"));
        for secret in &secrets() {
            with_origin("TENANT#1", |origin| {
                let cursor = seal(origin, &key, Some(secret)).unwrap();
                prop_assert_eq!(open(&resend(&cursor), origin, Some(secret)), Ok(key.clone()));
                Ok(())
            })?;
        }
    }

    /// No text that was not sealed is opened.
    #[test]
    fn no_text_is_accepted_by_chance(text in "A[QgwA][A-Za-z0-9_-]{0,120}") {
        if let Ok(cursor) = text.parse::<Cursor>() {
            for secret in &secrets() {
                prop_assert!(with_origin("TENANT#1", |origin| open(&cursor, origin, Some(secret))).is_err());
            }
        }
    }
}
