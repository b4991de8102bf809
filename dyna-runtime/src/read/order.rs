//! The order of items across partitions: that of their sort keys, as DynamoDB has it.

use crate::codec::number::Number;
use crate::read::Direction;
use crate::schema::KeyAttribute;
use crate::transport::Raw;
use aws_sdk_dynamodb::types::AttributeValue;
use std::cmp::Ordering;

/// In which order the items of several calls come.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    /// As they arrive.
    Any,
    /// Those of the first call, then those of the second, and so on.
    InTurn {
        /// Those of the last call first.
        turned: bool,
    },
    /// By the sort key; items with equal sort keys in the order of their calls.
    Sorted {
        by: &'static [KeyAttribute],
        direction: Direction,
        /// From the last item of that order to the first.
        turned: bool,
    },
}

/// The place of an item among those of all calls.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rank {
    key: Vec<Value>,
    pub(crate) lane: usize,
    direction: Direction,
    turned: bool,
}

/// A key attribute: text by its UTF-8 bytes, numbers by their value, bytes as unsigned.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    None,
    Text(String),
    Number(Number),
    Bytes(Vec<u8>),
}

impl Value {
    fn of(attribute: Option<AttributeValue>) -> Self {
        match attribute {
            Some(AttributeValue::S(text)) => Self::Text(text),
            Some(AttributeValue::N(number)) => {
                Number::parse(&number).map_or(Self::None, Self::Number)
            }
            Some(AttributeValue::B(bytes)) => Self::Bytes(bytes.into_inner()),
            _ => Self::None,
        }
    }
}

impl Rank {
    pub(crate) fn new(order: Order, item: &Raw, lane: usize) -> Self {
        let (by, direction, turned) = match order {
            Order::Any | Order::InTurn { .. } => (&[][..], Direction::Ascending, false),
            Order::Sorted {
                by,
                direction,
                turned,
            } => (by, direction, turned),
        };
        let key = by
            .iter()
            .map(|attribute| Value::of(item.get(attribute.name)));
        Self {
            key: key.collect(),
            lane,
            direction,
            turned,
        }
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_key = self.key.cmp(&other.key);
        let by_key = match self.direction {
            Direction::Ascending => by_key,
            Direction::Descending => by_key.reverse(),
        };
        let order = by_key.then(self.lane.cmp(&other.lane));
        if self.turned { order.reverse() } else { order }
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
