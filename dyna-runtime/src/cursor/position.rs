//! The places in a cursor as bytes, one after the other: without the attributes of the partitions, which the query knows.
//!
//! One byte says how many attributes of a key follow, in the order of their names: the length of the name (one byte), the
//! name, the kind, the length of the value (two bytes), the value. The ends of a partition are a byte that is no such
//! number. There is one way to write a place, and only that is read.

use super::{Partition, Position};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Most attributes of a key: those of an index and of the table.
const MAX_ATTRIBUTES: u8 = 0xFD;
/// Before the first item.
const START: u8 = 0xFE;
/// After the last item.
const END: u8 = 0xFF;

/// Kind and bytes of a value that can stand in a key.
pub(super) fn scalar(value: &AttributeValue) -> Option<(u8, &[u8])> {
    match value {
        AttributeValue::S(text) => Some((b'S', text.as_bytes())),
        AttributeValue::N(number) => Some((b'N', number.as_bytes())),
        AttributeValue::B(blob) => Some((b'B', blob.as_ref())),
        _ => None,
    }
}

/// The places as bytes, if there is one of each partition and all of them can be written.
pub(super) fn write(positions: &[Position], partitions: &[Partition<'_>]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for (position, partition) in positions.iter().zip(partitions) {
        match position {
            Position::Start => out.push(START),
            Position::End => out.push(END),
            Position::At(key) => write_key(key, partition, &mut out)?,
        }
    }
    (positions.len() == partitions.len()).then_some(out)
}

/// Writes a key, if it is of this partition and has an attribute, and all of them can be written.
fn write_key(
    key: &HashMap<String, AttributeValue>,
    partition: &Partition<'_>,
    out: &mut Vec<u8>,
) -> Option<()> {
    for (name, value) in partition {
        if !is_same(key.get(*name)?, value) {
            return None;
        }
    }
    let mut rest: Vec<_> = key
        .iter()
        .filter(|(name, _)| partition.iter().all(|(known, _)| known != name))
        .collect();
    rest.sort_unstable_by_key(|(name, _)| *name);
    let count = u8::try_from(rest.len()).ok()?;
    if key.is_empty() || count > MAX_ATTRIBUTES {
        return None;
    }
    out.push(count);
    for (name, value) in rest {
        let (kind, value) = scalar(value)?;
        out.push(u8::try_from(name.len()).ok()?);
        out.extend_from_slice(name.as_bytes());
        out.push(kind);
        out.extend_from_slice(&u16::try_from(value.len()).ok()?.to_be_bytes());
        out.extend_from_slice(value);
    }
    Some(())
}

/// Guards against a key of another query. DynamoDB rewrites numbers (`1.0` comes back as `1`), hence by value; that `f64`
/// rounds does no harm, since it is the query's own number that [`read`] gives.
fn is_same(found: &AttributeValue, expected: &AttributeValue) -> bool {
    match (found, expected) {
        (AttributeValue::N(found), AttributeValue::N(expected)) => found
            .parse::<f64>()
            .ok()
            .zip(expected.parse::<f64>().ok())
            .is_some_and(|(a, b)| a.partial_cmp(&b) == Some(Ordering::Equal)),
        _ => found == expected,
    }
}

/// The places in these partitions that were written as these bytes.
pub(super) fn read(bytes: &[u8], partitions: &[Partition<'_>]) -> Option<Vec<Position>> {
    let mut reader = PositionReader(bytes);
    let positions = partitions
        .iter()
        .map(|partition| reader.position(partition));
    let positions = positions.collect::<Option<Vec<_>>>()?;
    reader.0.is_empty().then_some(positions)
}

struct PositionReader<'b>(&'b [u8]);

impl<'b> PositionReader<'b> {
    fn position(&mut self, partition: &Partition<'_>) -> Option<Position> {
        match self.array()? {
            [START] => Some(Position::Start),
            [END] => Some(Position::End),
            [count] => self.key(count, partition).map(Position::At),
        }
    }

    fn key(
        &mut self,
        count: u8,
        partition: &Partition<'_>,
    ) -> Option<HashMap<String, AttributeValue>> {
        let mut key = HashMap::with_capacity(usize::from(count) + partition.len());
        let mut last = None;
        for _ in 0..count {
            let (name, value) = self.attribute()?;
            // Ascending, and so without doubles.
            if last.is_some_and(|last| last >= name) {
                return None;
            }
            last = Some(name);
            key.insert(name.to_owned(), value);
        }
        for (name, value) in partition {
            // The one thing that the bytes have no say in.
            if key.insert((*name).to_owned(), (*value).clone()).is_some() {
                return None;
            }
        }
        (!key.is_empty()).then_some(key)
    }

    fn attribute(&mut self) -> Option<(&'b str, AttributeValue)> {
        let [length] = self.array()?;
        let name = str::from_utf8(self.take(length.into())?).ok()?;
        let [kind] = self.array()?;
        let length = u16::from_be_bytes(self.array()?);
        let value = self.take(length.into())?;
        let text = || str::from_utf8(value).ok().map(str::to_owned);
        let value = match kind {
            b'S' => AttributeValue::S(text()?),
            b'N' => AttributeValue::N(text()?),
            b'B' => AttributeValue::B(Blob::new(value)),
            _ => return None,
        };
        Some((name, value))
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}
