//! The same stored form as `serde_dynamo`, and nothing it reads is refused, unless it would be read as something else.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroI8, NonZeroU64, Wrapping};
use std::ops::Bound;
use std::path::PathBuf;

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::Index;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::samples::{
    Adjacent, Colour, External, Flat, Id, Internal, Nested, Pair, Point, Scalars, Unit, Untagged,
    adjacent, attribute, external, flat, internal, nested, point, scalars, untagged,
};
use crate::codec::number::StoredNumber;
use crate::codec::{Item, Nulls, Rules, from_item, from_value, stored, to_value, write_item};

/// Both write the same attribute where we store NULL, and each reads what the other wrote. What we store by default both read too.
fn agree<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let omitting = to_value(value).unwrap();
    assert_eq!(&from_value::<T>(omitting.clone()).unwrap(), value);
    let read = serde_dynamo::from_attribute_value::<_, T>(omitting);
    assert_eq!(&read.unwrap(), value);
    let ours = stored(value.serialize(Nulls::Store.writer(""))).unwrap();
    let theirs: AttributeValue = serde_dynamo::to_attribute_value(value).unwrap();
    assert_eq!(ours, theirs);
    assert_eq!(&from_value::<T>(theirs).unwrap(), value);
    assert_eq!(
        &serde_dynamo::from_attribute_value::<_, T>(ours).unwrap(),
        value
    );
}

/// Both write the same item, and each reads what the other wrote.
fn agree_on_item<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let rules = Rules {
        nulls: Nulls::Store,
        ..Rules::default()
    };
    let mut ours = Item::new();
    write_item(value, &mut ours, rules).unwrap();
    let theirs: Item = serde_dynamo::to_item(value).unwrap();
    assert_eq!(ours, theirs);
    assert_eq!(&from_item::<T>(theirs).unwrap(), value);
    assert_eq!(&serde_dynamo::from_item::<_, T>(ours).unwrap(), value);
}

/// What `serde_dynamo` reads from an attribute, we read as the same value, or not at all if it may be read as something else.
fn reads_all<T: DeserializeOwned + PartialEq + Debug>(attribute: &AttributeValue) {
    if let Ok(theirs) = serde_dynamo::from_attribute_value::<_, T>(attribute.clone()) {
        match from_value::<T>(attribute.clone()) {
            Ok(ours) => assert_eq!(ours, theirs),
            Err(error) => assert!(is_lossy(attribute), "{error}"),
        }
    }
}

/// The same, where serde reads a flattened option whose value we refuse as `None`: it asks nobody why.
fn reads_all_flat(attribute: &AttributeValue) {
    let theirs = serde_dynamo::from_attribute_value::<_, Flat>(attribute.clone());
    match (theirs, from_value::<Flat>(attribute.clone())) {
        (Ok(mut theirs), Ok(ours)) if ours.variant.is_none() && is_lossy(attribute) => {
            theirs.variant = None;
            assert_eq!(ours, theirs);
        }
        _ => reads_all::<Flat>(attribute),
    }
}

/// Whether there is a set or binary in it, which `serde_dynamo` reads as lists, or a number that it rounds or reads as infinite.
fn is_lossy(attribute: &AttributeValue) -> bool {
    match attribute {
        AttributeValue::Ss(_)
        | AttributeValue::Ns(_)
        | AttributeValue::Bs(_)
        | AttributeValue::B(_) => true,
        AttributeValue::N(digits) => {
            let float = digits.parse::<f64>().unwrap().to_string();
            let is_infinite = digits.parse::<f32>().unwrap().is_infinite();
            is_infinite || StoredNumber::parse(&float) != StoredNumber::parse(digits)
        }
        AttributeValue::L(list) => list.iter().any(is_lossy),
        AttributeValue::M(map) => map.values().any(is_lossy),
        _ => false,
    }
}

macro_rules! sets {
    ($($name:ident $strings:literal $numbers:literal $bytes:literal;)*) => {$(
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct $name {
            #[serde(with = $strings)]
            names: BTreeSet<String>,
            #[serde(with = $numbers)]
            numbers: BTreeSet<i64>,
            #[serde(with = $bytes)]
            blobs: Vec<ByteBuf>,
        }
    )*};
}

sets! {
    OurSets "crate::serde::string_set" "crate::serde::number_set" "crate::serde::binary_set";
    TheirSets "serde_dynamo::string_set" "serde_dynamo::number_set" "serde_dynamo::binary_set";
}

proptest! {
    #[test]
    fn scalars_are_the_same(value in scalars()) {
        agree(&value);
        agree_on_item(&value);
    }

    #[test]
    fn nested_types_are_the_same(value in nested()) {
        agree(&value);
        agree_on_item(&value);
    }

    #[test]
    fn flattened_types_are_the_same(value in flat()) {
        agree(&value);
        agree_on_item(&value);
    }

    #[test]
    fn enums_are_the_same(a in external(), b in internal(), c in adjacent(), d in untagged(), e in point()) {
        agree(&a);
        agree(&b);
        agree_on_item(&b);
        agree(&c);
        agree_on_item(&c);
        agree(&d);
        agree(&e);
    }

    #[test]
    fn variants_at_the_top_are_the_same(value in external().prop_filter("a map", |value| *value != External::Unit)) {
        agree_on_item(&value);
    }

    /// Sets, by our marks and by theirs, which each crate reads by its own.
    #[test]
    fn sets_are_the_same(
        names in btree_set(any::<String>(), 1..5),
        numbers in btree_set(any::<i64>(), 1..5),
        blobs in btree_set(vec(any::<u8>(), 0..9), 1..5),
    ) {
        let blobs: Vec<ByteBuf> = blobs.into_iter().map(ByteBuf::from).collect();
        let ours = OurSets { names: names.clone(), numbers: numbers.clone(), blobs: blobs.clone() };
        let theirs = TheirSets { names, numbers, blobs };
        let mut item = Item::new();
        write_item(&ours, &mut item, Rules::default()).unwrap();
        prop_assert_eq!(&item, &serde_dynamo::to_item::<_, Item>(&theirs).unwrap());
        prop_assert_eq!(&from_item::<OurSets>(item.clone()).unwrap(), &ours);
        prop_assert_eq!(&serde_dynamo::from_item::<_, TheirSets>(item).unwrap(), &theirs);
    }

    /// Types that are not ours, and ask whether the form is for people to read.
    #[test]
    fn types_of_others_are_the_same(
        time in any::<std::time::Duration>(),
        v4 in any::<[u8; 4]>(),
        v6 in any::<[u8; 16]>(),
        result in any::<Result<u8, String>>(),
        (low, high) in any::<(i32, i32)>(),
        set in btree_set(any::<String>(), 0..4),
        id in any::<u128>(),
        text in any::<String>(),
    ) {
        agree(&time);
        agree(&(IpAddr::from(v4), IpAddr::from(v6), SocketAddr::from((v4, 80))));
        agree(&result);
        agree(&(low..high, low..=high, Bound::Excluded(low), Bound::<i32>::Unbounded));
        agree(&set.iter().cloned().collect::<HashSet<String>>());
        agree(&set.iter().cloned().collect::<VecDeque<String>>());
        agree(&(uuid::Uuid::from_u128(id), ulid::Ulid(id)));
        agree(&(Box::<str>::from(&*text), PathBuf::from(&text), Wrapping(low), Reverse(high)));
        agree(&(NonZeroU64::MAX, NonZeroI8::MIN, PhantomData::<u8>));
    }

    #[test]
    fn json_is_the_same(attribute in attribute()) {
        reads_all::<serde_json::Value>(&attribute);
        if let Ok(json) = from_value::<serde_json::Value>(attribute) {
            let theirs: AttributeValue = serde_dynamo::to_attribute_value(&json).unwrap();
            prop_assert_eq!(to_value(&json).unwrap(), theirs);
        }
    }

    #[test]
    fn whatever_they_read_we_read(attribute in attribute()) {
        reads_all::<i8>(&attribute);
        reads_all::<u64>(&attribute);
        reads_all::<f32>(&attribute);
        reads_all::<f64>(&attribute);
        reads_all::<bool>(&attribute);
        reads_all::<char>(&attribute);
        reads_all::<String>(&attribute);
        reads_all::<()>(&attribute);
        reads_all::<Unit>(&attribute);
        reads_all::<Id>(&attribute);
        reads_all::<Pair>(&attribute);
        reads_all::<Point>(&attribute);
        reads_all::<Colour>(&attribute);
        reads_all::<External>(&attribute);
        reads_all::<Internal>(&attribute);
        reads_all::<Adjacent>(&attribute);
        reads_all::<Untagged>(&attribute);
        reads_all::<ByteBuf>(&attribute);
        reads_all::<IgnoredAny>(&attribute);
        reads_all::<Option<Untagged>>(&attribute);
        reads_all::<Vec<u8>>(&attribute);
        reads_all::<Vec<String>>(&attribute);
        // A string set, too, is read as bytes by `serde_dynamo`, though a list of strings is not.
        if !attribute.is_ss() {
            reads_all::<Vec<ByteBuf>>(&attribute);
        }
        reads_all::<(f64, f64)>(&attribute);
        reads_all::<HashMap<String, Untagged>>(&attribute);
        reads_all::<BTreeMap<i32, f64>>(&attribute);
        reads_all::<BTreeMap<char, i8>>(&attribute);
    }

    #[test]
    fn whatever_they_read_from_a_changed_item_we_read(
        (scalars, nested, flat) in (scalars(), nested(), flat()),
        place in any::<Index>(),
        attribute in attribute(),
    ) {
        reads_all::<Scalars>(&changed(&scalars, place, &attribute));
        reads_all::<Nested>(&changed(&nested, place, &attribute));
        reads_all_flat(&changed(&flat, place, &attribute));
    }

    /// Up to the 38 digits that DynamoDB keeps, zeros at the end not counted.
    #[test]
    fn wide_integers_come_back(signed in any::<i128>(), unsigned in any::<u128>(), zeros in 0..39_u32) {
        let power = 10_i128.pow(zeros.min(38));
        for signed in [signed, signed / power, signed / power * power] {
            let digits = signed.to_string().trim_matches(['-', '0']).len();
            match to_value(&signed) {
                Ok(value) => {
                    prop_assert!(digits <= 38);
                    prop_assert_eq!(&value, &AttributeValue::N(signed.to_string()));
                    prop_assert_eq!(from_value::<i128>(value).unwrap(), signed);
                }
                Err(error) => {
                    prop_assert_eq!(digits, 39);
                    prop_assert_eq!(error.problem(), "expected a number of at most 38 digits, found 39");
                }
            }
        }
        match to_value(&unsigned) {
            Ok(value) => prop_assert_eq!(from_value::<u128>(value).unwrap(), unsigned),
            Err(_) => prop_assert!(unsigned >= 10_u128.pow(38) && unsigned % 10 != 0),
        }
    }
}

/// The item of a value with one attribute exchanged.
fn changed<T: Serialize>(value: &T, place: Index, attribute: &AttributeValue) -> AttributeValue {
    let mut item = Item::new();
    write_item(value, &mut item, Rules::default()).unwrap();
    let mut names: Vec<String> = item.keys().cloned().collect();
    names.sort_unstable();
    let name = names.swap_remove(place.index(names.len()));
    item.insert(name, attribute.clone());
    AttributeValue::M(item)
}
