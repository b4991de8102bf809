//! Laws of cursors without a secret, on random keys and texts.

use super::*;
use proptest::collection::{hash_map, vec};
use proptest::prelude::*;

/// A value of a key attribute.
pub(super) fn value() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        ".{0,40}".prop_map(AttributeValue::S),
        "-?[0-9]{1,20}(\\.[0-9]{1,9})?(E[0-9]{1,2})?".prop_map(AttributeValue::N),
        vec(any::<u8>(), 0..40).prop_map(|bytes| b(&bytes)),
    ]
}

proptest! {
    /// What was sealed is opened, for a query of a partition and for a scan.
    #[test]
    fn a_key_comes_back(
        rest in hash_map(".{1,20}", value(), 0..6),
        pk in value(),
        table in ".{0,9}",
        scope in ".{0,9}",
        backward: bool,
    ) {
        let mut key = rest;
        key.insert("pk".to_owned(), pk.clone());
        for partition in [vec![("pk", &pk)], vec![]] {
            let partitions = &[partition];
            let origin = Origin { table: &table, index: "", partitions, backward, scope: &scope };
            let cursor = seal(&origin, &key, None).unwrap();
            prop_assert_eq!(open(&resend(&cursor), &origin, None), Ok(key.clone()));
        }
    }

    /// Text of any kind is parsed without a panic, and what is accepted is written alike.
    #[test]
    fn any_text_is_safe_to_parse(text in ".*") {
        if let Ok(cursor) = text.parse::<Cursor>() {
            prop_assert_eq!(cursor.to_string(), text);
        }
    }

    /// So is text of the right alphabet, and opening it.
    #[test]
    fn any_base64_is_safe_to_open(text in "A[QgwA][A-Za-z0-9_-]{0,120}") {
        if let Ok(cursor) = text.parse::<Cursor>() {
            prop_assert_eq!(cursor.to_string(), text);
            prop_assert!(with_origin("TENANT#1", |origin| open(&cursor, origin, None)).is_err());
        }
    }

    /// Whatever stands after a right fingerprint, the key is of the partition, and there is no other text for it.
    #[test]
    fn any_key_part_is_safe_to_open(
        part in prop_oneof![vec(any::<u8>(), 0..60), vec(prop_oneof![0..4_u8, Just(b'S')], 0..20)],
    ) {
        let opened = crafted(|bytes| {
            bytes.truncate(17);
            bytes.extend(&part);
        });
        if let Ok(opened) = opened && !opened.is_empty() {
            prop_assert_eq!(&opened["pk"], &s("TENANT#1"));
            let again = with_origin("TENANT#1", |origin| seal(origin, &opened, None)).unwrap();
            prop_assert_eq!(&again.0[17..again.0.len() - 4], &part[..]);
        }
    }

    /// A place in each of several partitions comes back, in their order, and with no other list of them.
    #[test]
    fn places_of_several_partitions_come_back(
        keys in vec(prop_oneof![
            Just(Position::Start),
            Just(Position::End),
            ".{1,9}".prop_map(|sk| Position::At(key([("sk", s(&sk))]))),
        ], 0..9),
    ) {
        let values: Vec<_> = (0..keys.len()).map(|n| s(&n.to_string())).collect();
        let positions: Vec<Position> = keys.into_iter().zip(&values).map(|(position, pk)| match position {
            Position::At(mut key) => {
                key.insert("pk".to_owned(), pk.clone());
                Position::At(key)
            }
            end => end,
        }).collect();
        let partitions: Vec<_> = values.iter().map(|pk| vec![("pk", pk)]).collect();
        let origin = |partitions| Origin { table: "t", index: "", partitions, backward: false, scope: "" };
        let cursor = resend(&Cursor::seal(&origin(&partitions), &positions, None).unwrap());
        prop_assert_eq!(cursor.open(&origin(&partitions), None), Ok(positions));
        if partitions.len() > 1 {
            let reversed: Vec<_> = partitions.iter().rev().cloned().collect();
            prop_assert_eq!(cursor.open(&origin(&reversed), None), Err(CursorError::OtherQuery));
            prop_assert_eq!(cursor.open(&origin(&partitions[1..]), None), Err(CursorError::OtherQuery));
        }
    }
}
