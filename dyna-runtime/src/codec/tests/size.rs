//! Sizes, by hand and against the engine, whose count was measured on DynamoDB.

use crate::codec::Item;
use crate::codec::size::{item_size, value_size};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

fn number(text: &str) -> usize {
    value_size(&AttributeValue::N(text.to_owned()))
}

#[test]
fn numbers_take_a_byte_for_two_digits() {
    let cases = [
        ("0", 1),
        ("-0.00", 1),
        ("7", 2),
        ("42", 2),
        ("-42", 3),
        ("421", 3),
        ("4200000", 2),
        ("0042", 2),
        ("1.5", 3),
        ("0.0015", 2),
        ("1e5", 2),
        ("15e-1", 3),
        ("1.5E+1", 2),
        ("12345678901234567890123456789012345678", 20),
    ];
    for (text, size) in cases {
        assert_eq!(number(text), size, "{text}");
    }
}

#[test]
fn names_count_and_collections_take_three_bytes_and_one_for_each_element() {
    let s = |text: &str| AttributeValue::S(text.to_owned());
    let map = Item::from([
        ("é".to_owned(), s("ab")),
        ("n".to_owned(), AttributeValue::Null(true)),
    ]);
    let list = AttributeValue::L(vec![
        AttributeValue::Bool(true),
        AttributeValue::M(map.clone()),
    ]);
    // "é" is 2, "ab" 2, "n" 1, NULL 1.
    assert_eq!(item_size(&map), 6);
    assert_eq!(value_size(&AttributeValue::M(map)), 3 + 2 + 6);
    assert_eq!(value_size(&list), 3 + 2 + 1 + 11);
    assert_eq!(value_size(&AttributeValue::L(Vec::new())), 3);
    let set = AttributeValue::Ss(vec!["ab".to_owned(), "c".to_owned()]);
    assert_eq!(value_size(&set), 3);
    assert_eq!(value_size(&AttributeValue::B(Blob::new([0; 7]))), 7);
}

#[cfg(feature = "embedded")]
mod engine {
    use super::*;
    use dynoxide::types::AttributeValue as Theirs;
    use proptest::prelude::*;

    fn theirs(value: &AttributeValue) -> Theirs {
        let bytes = |blob: &Blob| blob.as_ref().to_vec();
        match value {
            AttributeValue::S(text) => Theirs::S(text.clone()),
            AttributeValue::N(number) => Theirs::N(number.clone()),
            AttributeValue::B(blob) => Theirs::B(bytes(blob)),
            AttributeValue::Bool(value) => Theirs::BOOL(*value),
            AttributeValue::Ss(set) => Theirs::SS(set.clone()),
            AttributeValue::Ns(set) => Theirs::NS(set.clone()),
            AttributeValue::Bs(set) => Theirs::BS(set.iter().map(bytes).collect()),
            AttributeValue::L(list) => Theirs::L(list.iter().map(theirs).collect()),
            AttributeValue::M(map) => {
                let entry = |(name, value): (&String, _)| (name.clone(), theirs(value));
                Theirs::M(map.iter().map(entry).collect())
            }
            _ => Theirs::NULL(true),
        }
    }

    fn number() -> impl Strategy<Value = String> {
        let digits = "-?[0-9]{1,12}(\\.[0-9]{1,12})?((e|E)[+-]?[0-9]{1,2})?";
        digits.prop_map(|text| text.replace("e+", "e").replace("E+", "E"))
    }

    fn value() -> impl Strategy<Value = AttributeValue> {
        let blob = || proptest::collection::vec(any::<u8>(), 0..9).prop_map(Blob::new);
        let leaf = prop_oneof![
            ".{0,9}".prop_map(AttributeValue::S),
            number().prop_map(AttributeValue::N),
            blob().prop_map(AttributeValue::B),
            any::<bool>().prop_map(AttributeValue::Bool),
            Just(AttributeValue::Null(true)),
            proptest::collection::vec(".{1,5}", 1..4).prop_map(AttributeValue::Ss),
            proptest::collection::vec(number(), 1..4).prop_map(AttributeValue::Ns),
            proptest::collection::vec(blob(), 1..4).prop_map(AttributeValue::Bs),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(AttributeValue::L),
                proptest::collection::hash_map(".{1,5}", inner, 0..5).prop_map(AttributeValue::M),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_value_has_the_size_that_the_engine_counts(value in value()) {
            prop_assert_eq!(value_size(&value), theirs(&value).size());
        }
    }
}
