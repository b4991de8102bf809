//! The query that a cursor belongs to.

use super::position::scalar;
use aws_sdk_dynamodb::types::AttributeValue;
use sha2::{Digest as _, Sha256};

/// The digest of an [`Origin`] in a cursor.
pub(super) type Digest = [u8; 32];

/// Name and value of each attribute of a partition key, in the order of the schema. None for a scan.
pub(crate) type Partition<'a> = Vec<(&'a str, &'a AttributeValue)>;

/// The table and query that a cursor belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The name of the table, without variables.
    pub(crate) table: &'a str,
    /// The index, or `""` for the table itself.
    pub(crate) index: &'a str,
    /// The partitions that are read: one, unless the query is over several.
    pub(crate) partitions: &'a [Partition<'a>],
    /// From the last sort key to the first.
    pub(crate) backward: bool,
    /// The request within the table: `"scan:3/8"`.
    pub(crate) scope: &'a str,
}

impl Origin<'_> {
    /// Differs if anything about the origin does. `None` if the partition is no string, number or bytes.
    pub(super) fn digest(&self) -> Option<Digest> {
        let mut hash = Sha256::new();
        hash.update(b"dyna cursor origin");
        for text in [self.table, self.index, self.scope] {
            put(&mut hash, text.as_bytes());
        }
        hash.update([u8::from(self.backward)]);
        // Last, and each part with its length: no two origins are written alike.
        for (n, partition) in self.partitions.iter().enumerate() {
            if n > 0 {
                // No attribute is called so.
                put(&mut hash, b"");
            }
            for (name, value) in partition {
                let (kind, value) = scalar(value)?;
                put(&mut hash, name.as_bytes());
                hash.update([kind]);
                put(&mut hash, value);
            }
        }
        Some(hash.finalize().into())
    }
}

fn put(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_be_bytes());
    hash.update(part);
}
