//! The order of items across partitions: that of their sort keys, as DynamoDB has it.

use crate::codec::number::StoredNumber;
use crate::read::Direction;
use crate::schema::KeyAttribute;
use crate::transport::RawItem;
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
        reversed: bool,
    },
    /// By the sort key; items with equal sort keys in the order of their calls.
    Sorted {
        by: &'static [KeyAttribute],
        direction: Direction,
        /// From the last item of that order to the first.
        reversed: bool,
    },
}

/// The place of an item among those of all calls.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MergeKey {
    key: Vec<KeyScalar>,
    pub(crate) pager: usize,
    direction: Direction,
    reversed: bool,
}

/// A key attribute: text by its UTF-8 bytes, numbers by their value, bytes as unsigned.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KeyScalar {
    /// Not there: the item has left the index since the index returned it.
    None,
    Text(String),
    Number(StoredNumber),
    Bytes(Vec<u8>),
}

impl KeyScalar {
    /// Fails if a number has no value to order it by.
    fn of(attribute: Option<AttributeValue>) -> Option<Self> {
        Some(match attribute {
            Some(AttributeValue::S(text)) => Self::Text(text),
            Some(AttributeValue::N(number)) => Self::Number(StoredNumber::parse(&number)?),
            Some(AttributeValue::B(bytes)) => Self::Bytes(bytes.into_inner()),
            _ => Self::None,
        })
    }
}

impl MergeKey {
    /// `None` if the item has a number as its sort key that is none.
    pub(crate) fn new(order: Order, item: &RawItem, pager: usize) -> Option<Self> {
        let (by, direction, reversed) = match order {
            Order::Any | Order::InTurn { .. } => (&[][..], Direction::Ascending, false),
            Order::Sorted {
                by,
                direction,
                reversed,
            } => (by, direction, reversed),
        };
        let key = by
            .iter()
            .map(|attribute| KeyScalar::of(item.get(attribute.name)));
        Some(Self {
            key: key.collect::<Option<_>>()?,
            pager,
            direction,
            reversed,
        })
    }
}

impl Ord for MergeKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_key = self.key.cmp(&other.key);
        let by_key = match self.direction {
            Direction::Ascending => by_key,
            Direction::Descending => by_key.reverse(),
        };
        let order = by_key.then(self.pager.cmp(&other.pager));
        if self.reversed {
            order.reverse()
        } else {
            order
        }
    }
}

impl PartialOrd for MergeKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::{Direction, MergeKey, Order};
    use crate::codec::Item;
    use crate::schema::{KeyAttribute, ScalarType};
    use crate::transport::RawItem;
    use aws_sdk_dynamodb::types::AttributeValue;

    const BY: &[KeyAttribute] = &[KeyAttribute::new("n", "n", ScalarType::N)];
    const ORDER: Order = Order::Sorted {
        by: BY,
        direction: Direction::Ascending,
        reversed: false,
    };

    fn key(number: &str) -> Option<MergeKey> {
        let number = AttributeValue::N(number.to_owned());
        MergeKey::new(
            ORDER,
            &RawItem::map(Item::from([("n".to_owned(), number)])),
            0,
        )
    }

    #[test]
    fn numbers_are_ordered_by_value_and_what_is_none_has_no_order() {
        assert!(key("9") < key("10"));
        assert!(key("-1E3") < key("0.5"));
        assert_eq!(key("ten"), None);
        let gone = MergeKey::new(ORDER, &RawItem::map(Item::new()), 0);
        assert!(gone.is_some() && gone < key("-9"));
    }
}
