//! The key in a cursor as bytes: without the attributes of the partition, which the query knows.
//!
//! One byte says how many attributes follow, in the order of their names: the length of the name (one byte), the name,
//! the kind, the length of the value (two bytes), the value. There is one way to write a key, and only that is read.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Kind and bytes of a value that can stand in a key.
pub(super) fn scalar(value: &AttributeValue) -> Option<(u8, &[u8])> {
    match value {
        AttributeValue::S(text) => Some((b'S', text.as_bytes())),
        AttributeValue::N(number) => Some((b'N', number.as_bytes())),
        AttributeValue::B(blob) => Some((b'B', blob.as_ref())),
        _ => None,
    }
}

/// The key as bytes, if it is of this partition and has an attribute, and all of them can be written.
pub(super) fn write(
    key: &HashMap<String, AttributeValue>,
    partition: &[(&str, &AttributeValue)],
) -> Option<Vec<u8>> {
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
    let mut out = vec![u8::try_from(rest.len()).ok().filter(|_| !key.is_empty())?];
    for (name, value) in rest {
        let (kind, value) = scalar(value)?;
        out.push(u8::try_from(name.len()).ok()?);
        out.extend_from_slice(name.as_bytes());
        out.push(kind);
        out.extend_from_slice(&u16::try_from(value.len()).ok()?.to_be_bytes());
        out.extend_from_slice(value);
    }
    Some(out)
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

/// The key of this partition that was written as these bytes.
pub(super) fn read(
    bytes: &[u8],
    partition: &[(&str, &AttributeValue)],
) -> Option<HashMap<String, AttributeValue>> {
    let mut reader = Reader(bytes);
    let [count] = reader.array()?;
    let mut key = HashMap::with_capacity(usize::from(count) + partition.len());
    let mut last = None;
    for _ in 0..count {
        let (name, value) = reader.attribute()?;
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
    (reader.0.is_empty() && !key.is_empty()).then_some(key)
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
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
