//! Random conditions: the engine and a reading of the developer guide agree on every item.

use super::{Data, Kind, More, Thing, WORDS, table, things};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::{Item, to_value};
use dyna_runtime::entity::Entity as _;
use dyna_runtime::expr::AttributeType;
use dyna_runtime::expr::{Container, Sorted, TextField};
use dyna_runtime::{Condition, Field};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt::Debug;

/// Where the model finds a value; a number is an index.
type Path = &'static [&'static str];

/// What the model tests.
#[derive(Debug, Clone)]
enum Test {
    Compare(&'static str, AttributeValue),
    Between(AttributeValue, AttributeValue),
    In(Vec<AttributeValue>),
    Exists,
    Missing,
    Type(&'static str),
    StartsWith(String),
    Contains(AttributeValue),
    Size(&'static str, usize),
    SizeBetween(usize, usize),
}

/// A condition, and the same for the model.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "there is one tree at a time")]
enum Tree {
    Leaf(Condition<Thing>, Path, Test),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Not(Box<Tree>),
}

impl Tree {
    fn condition(&self) -> Condition<Thing> {
        match self {
            Self::Leaf(condition, ..) => condition.clone(),
            Self::All(trees) => Condition::all(trees.iter().map(Self::condition)),
            Self::Any(trees) => Condition::any(trees.iter().map(Self::condition)),
            Self::Not(tree) => !tree.condition(),
        }
    }

    fn holds(&self, item: &Item) -> bool {
        match self {
            Self::Leaf(_, path, test) => test.holds(find(item, path)),
            Self::All(trees) => trees.iter().all(|tree| tree.holds(item)),
            Self::Any(trees) => trees.iter().any(|tree| tree.holds(item)),
            Self::Not(tree) => !tree.holds(item),
        }
    }
}

fn find(item: &Item, path: Path) -> Option<&AttributeValue> {
    let (root, steps) = path.split_first()?;
    steps
        .iter()
        .try_fold(item.get(*root)?, |value, step| match value {
            AttributeValue::L(list) => list.get(step.parse::<usize>().ok()?),
            AttributeValue::M(map) => map.get(*step),
            _ => None,
        })
}

impl Test {
    fn holds(&self, value: Option<&AttributeValue>) -> bool {
        let is_absent = value.is_none_or(AttributeValue::is_null);
        match self {
            // NULL is a value that is missing.
            Self::Missing | Self::Compare("=", AttributeValue::Null(_)) => return is_absent,
            Self::Exists | Self::Compare("<>", AttributeValue::Null(_)) => return !is_absent,
            Self::In(values) if is_absent => return values.iter().any(AttributeValue::is_null),
            // What is not there is not equal to anything, and nothing else is true of it.
            Self::Compare(op, _) if value.is_none() => return *op == "<>",
            Self::Size(op, _) if value.and_then(size).is_none() => return *op == "<>",
            _ => {}
        }
        let Some(value) = value else { return false };
        match self {
            Self::Compare(op, other) => compare(value, op, other),
            Self::Between(low, high) => compare(value, ">=", low) && compare(value, "<=", high),
            Self::In(values) => values.iter().any(|other| compare(value, "=", other)),
            Self::Type(code) => type_of(value) == *code,
            Self::StartsWith(prefix) => {
                matches!(value, AttributeValue::S(text) if text.starts_with(prefix))
            }
            Self::Contains(element) => contains(value, element),
            Self::Size(op, other) => size(value).is_some_and(|size| decide(size.cmp(other), op)),
            Self::SizeBetween(low, high) => {
                size(value).is_some_and(|size| (*low..=*high).contains(&size))
            }
            Self::Exists | Self::Missing => unreachable!(),
        }
    }
}

fn decide(order: Ordering, op: &str) -> bool {
    match op {
        "=" => order.is_eq(),
        "<>" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// Values of different types are not equal and have no order; booleans, NULL, lists, maps and sets are only equal or not.
fn compare(a: &AttributeValue, op: &str, b: &AttributeValue) -> bool {
    match (a, b) {
        (AttributeValue::S(a), AttributeValue::S(b)) => decide(a.as_bytes().cmp(b.as_bytes()), op),
        (AttributeValue::N(a), AttributeValue::N(b)) => {
            let number = |text: &str| text.parse::<f64>().unwrap();
            decide(number(a).total_cmp(&number(b)), op)
        }
        _ => match op {
            "=" => a == b,
            "<>" => a != b,
            _ => false,
        },
    }
}

fn type_of(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "S",
        AttributeValue::N(_) => "N",
        AttributeValue::Bool(_) => "BOOL",
        AttributeValue::Null(_) => "NULL",
        AttributeValue::L(_) => "L",
        AttributeValue::M(_) => "M",
        AttributeValue::Ss(_) => "SS",
        _ => "other",
    }
}

fn contains(value: &AttributeValue, element: &AttributeValue) -> bool {
    match (value, element) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part),
        (AttributeValue::L(list), element) => list.contains(element),
        (AttributeValue::Ss(set), AttributeValue::S(element)) => set.contains(element),
        _ => false,
    }
}

fn size(value: &AttributeValue) -> Option<usize> {
    match value {
        AttributeValue::S(text) => Some(text.chars().count()),
        AttributeValue::L(list) => Some(list.len()),
        AttributeValue::M(map) => Some(map.len()),
        AttributeValue::Ss(set) => Some(set.len()),
        _ => None,
    }
}

/// What can be said of any field.
fn any_of<T: Clone + Debug + Serialize + 'static, R: 'static>(
    field: Field<Thing, T, R>,
    path: Path,
    values: BoxedStrategy<T>,
) -> BoxedStrategy<Tree> {
    let types = [
        (AttributeType::S, "S"),
        (AttributeType::N, "N"),
        (AttributeType::Bool, "BOOL"),
        (AttributeType::Null, "NULL"),
        (AttributeType::L, "L"),
        (AttributeType::M, "M"),
        (AttributeType::Ss, "SS"),
    ];
    let value = |value: &T| to_value(value).unwrap();
    (
        0..9,
        values.clone(),
        vec(values, 0..3),
        select(types.to_vec()),
        0..4_usize,
        0..4_usize,
    )
        .prop_map(move |(which, one, few, (kind, code), low, high)| {
            let field = field.clone();
            let (condition, test) = match which {
                0 => (field.eq(&one), Test::Compare("=", value(&one))),
                1 => (field.ne(&one), Test::Compare("<>", value(&one))),
                2 => (field.is_in(&few), Test::In(few.iter().map(value).collect())),
                3 => (field.exists(), Test::Exists),
                4 => (field.missing(), Test::Missing),
                5 => (field.has_type(kind), Test::Type(code)),
                6 => (field.size().ge(low), Test::Size(">=", low)),
                7 => (field.size().ne(low), Test::Size("<>", low)),
                _ => (
                    field.size().between(low, high),
                    Test::SizeBetween(low, high),
                ),
            };
            Tree::Leaf(condition, path, test)
        })
        .boxed()
}

/// What can be said of text and numbers.
fn ordered<T: Clone + Debug + Serialize + Sorted + 'static, R: 'static>(
    field: Field<Thing, T, R>,
    path: Path,
    values: BoxedStrategy<T>,
) -> BoxedStrategy<Tree> {
    let more = (0..5, values.clone(), values.clone()).prop_map({
        let field = field.clone();
        move |(which, a, b)| {
            let field = field.clone();
            let value = to_value(&a).unwrap();
            let (condition, test) = match which {
                0 => (field.lt(&a), Test::Compare("<", value)),
                1 => (field.le(&a), Test::Compare("<=", value)),
                2 => (field.gt(&a), Test::Compare(">", value)),
                3 => (field.ge(&a), Test::Compare(">=", value)),
                _ => (
                    field.between(&a, &b),
                    Test::Between(value, to_value(&b).unwrap()),
                ),
            };
            Tree::Leaf(condition, path, test)
        }
    });
    prop_oneof![more, any_of(field, path, values)].boxed()
}

/// What can be said of text.
fn text<T, R: 'static>(field: Field<Thing, T, R>, path: Path) -> BoxedStrategy<Tree>
where
    T: Clone
        + Debug
        + Serialize
        + Sorted
        + From<String>
        + TextField
        + Container<Element = String>
        + 'static,
{
    let values = word().prop_map(T::from).boxed();
    let more = (any::<bool>(), word()).prop_map({
        let field = field.clone();
        move |(prefix, part)| {
            let field = field.clone();
            let (condition, test) = if prefix {
                (field.starts_with(&*part), Test::StartsWith(part))
            } else {
                (
                    field.contains(&part),
                    Test::Contains(AttributeValue::S(part)),
                )
            };
            Tree::Leaf(condition, path, test)
        }
    });
    prop_oneof![more, ordered(field, path, values)].boxed()
}

/// What can be said of a list of words.
fn list<R: 'static>(field: Field<Thing, Vec<String>, R>, path: Path) -> BoxedStrategy<Tree> {
    let more = word().prop_map({
        let field = field.clone();
        move |word| {
            let test = Test::Contains(AttributeValue::S(word.clone()));
            Tree::Leaf(field.clone().contains(&word), path, test)
        }
    });
    prop_oneof![more, any_of(field, path, vec(word(), 0..3).boxed())].boxed()
}

fn word() -> impl Strategy<Value = String> {
    select(&WORDS[..]).prop_map(str::to_owned)
}

fn leaf() -> BoxedStrategy<Tree> {
    let more = || Thing::DATA.field(Data::MORE);
    prop_oneof![
        text(Thing::STATUS, &["status"]),
        any_of(Thing::NOTE, &["note"], proptest::option::of(word()).boxed()),
        ordered(Thing::LIKE_COUNT, &["like-count"], (-4_i64..4).boxed()),
        ordered(
            Thing::RATIO,
            &["ratio"],
            (0..5_i8).prop_map(|n| Some(f64::from(n) / 2.0)).boxed()
        ),
        any_of(Thing::DONE, &["done"], any::<bool>().boxed()),
        list(Thing::TAGS, &["tags"]),
        text(Thing::TAGS.index(1), &["tags", "1"]),
        text(Thing::DATA.field(Data::FULL_NAME), &["data", "fullName"]),
        any_of(
            Thing::DATA.field(Data::LEVEL),
            &["data", "level"],
            proptest::option::of(0..5_u8).boxed()
        ),
        any_of(
            more().field(More::KIND),
            &["data", "more", "type"],
            select(&[Kind::Small, Kind::Large]).boxed()
        ),
        any_of(
            more().field(More::NUMBERS),
            &["data", "more", "numbers"],
            vec(0..2_i8, 0..3).boxed()
        ),
        ordered(
            more().field(More::NUMBERS).index(1),
            &["data", "more", "numbers", "1"],
            (0..3_i8).boxed()
        ),
        text(Thing::PREFS.entry("b akey"), &["prefs", "b akey"]),
    ]
    .boxed()
}

fn tree() -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(4, 24, 4, |tree| {
        prop_oneof![
            vec(tree.clone(), 0..4).prop_map(Tree::All),
            vec(tree.clone(), 0..4).prop_map(Tree::Any),
            tree.prop_map(|tree| Tree::Not(Box::new(tree))),
        ]
    })
}

/// Law: a filtered query returns the items of which the model says that the condition is true, in order, and up to the limit.
#[test]
fn filtered_query_matches_the_model() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let db = runtime.block_on(table());
    let items: Vec<(Thing, Item)> = things()
        .into_iter()
        .map(|thing| {
            // As it is stored, with NULL where the entity says so.
            let item = thing.encode().unwrap();
            (thing, item)
        })
        .collect();
    let config = ProptestConfig::with_cases(150);
    proptest!(config, |(tree in tree(), limit in 0..70_usize)| {
        let query = Thing::query("g").filter(tree.condition());
        let holds = |(_, item): &&(Thing, Item)| tree.holds(item);
        let expected: Vec<&Thing> = items.iter().filter(holds).map(|(thing, _)| thing).collect();
        let found = runtime.block_on(query.clone().all(&db)).unwrap();
        prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected.clone());
        let limited = runtime.block_on(query.limit(limit).all(&db)).unwrap();
        prop_assert_eq!(limited.len(), limit.min(expected.len()));
        prop_assert!(limited.iter().eq(expected.into_iter().take(limit)));
    });
}
