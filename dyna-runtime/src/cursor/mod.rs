//! Where a page of a query ended, as text that a client may keep. Nothing that the text says about the partition is
//! ever believed: the partition is the query's own.

#[cfg(not(feature = "cursor-secret"))]
mod no_secret;
mod origin;
mod position;
#[cfg(feature = "cursor-secret")]
mod secret;
#[cfg(test)]
mod tests;

#[cfg(not(feature = "cursor-secret"))]
pub(crate) use no_secret::CursorSecret;
pub(crate) use origin::{Origin, Partition};
#[cfg(feature = "cursor-secret")]
pub use secret::CursorSecret;

use aws_sdk_dynamodb::types::AttributeValue;
use base64ct::{Base64UrlUnpadded, Encoding};
use origin::Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// Most partitions that a page merges: each has a key in the cursor.
pub(crate) const MOST_MERGED: usize = 1000;
/// Longest cursor, in bytes before base64. The longest keys that DynamoDB has, those of an item and of an index, fit, and for each
/// of the partitions that may be merged a key of a kilobyte.
const MAX: usize = MOST_MERGED * 1024 + 32 * 1024;
/// Longest text of a cursor.
const MAX_TEXT: usize = (MAX * 4).div_ceil(3);

/// First byte of a cursor: how the rest is written. After `PLAIN` come the fingerprint of the query, the key, and a checksum of 4 bytes
/// over all of it, which tells what was damaged on its way.
const PLAIN: u8 = 1;
/// The same, but instead of the checksum a tag of 16 bytes.
const AUTHENTICATED: u8 = 2;
/// A nonce of 24 bytes, and the encrypted key with its tag.
const ENCRYPTED: u8 = 3;

/// A position in the result of a query or scan, as URL-safe text.
///
/// It is the place of an item: [`Query::after`](crate::Query::after) reads what comes after that item and
/// [`Query::before`](crate::Query::before) what comes before it, whichever of the two the cursor was given out for.
///
/// It belongs to its query: with another table, index, partition or direction it is refused before any request is made.
/// The value of the partition key is not in it but comes from the query that it is used with, so a cursor, even one that
/// was tampered with, never leads out of the partition.
///
/// A text that was cut off or damaged is refused too. But whoever has one can read the rest of the key, and make another that is a
/// place elsewhere in the partition, or in what is scanned, unless the handle of the table has a `CursorSecret` (feature
/// `cursor-secret`).
///
/// ```
/// use dyna_runtime::Cursor;
/// use dyna_runtime::error::CursorError;
///
/// let from_a_client = "not a cursor".parse::<Cursor>();
/// assert!(matches!(from_a_client, Err(CursorError::Malformed)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cursor(Box<[u8]>);

/// A start position for a read: a [`Cursor`], or an `Option` of one, such as the [`next`](crate::Page::next) of a page.
#[diagnostic::on_unimplemented(
    message = "expected a `Cursor` or an `Option<Cursor>`, found `{Self}`",
    label = "not a cursor",
    note = "text that a client sends back is parsed, which may fail: `text.parse::<Cursor>()?`"
)]
pub trait IntoCursor {
    /// The cursor, if there is one.
    #[doc(hidden)]
    fn into_cursor(self) -> Option<Cursor>;
}

impl IntoCursor for Cursor {
    fn into_cursor(self) -> Option<Cursor> {
        Some(self)
    }
}

impl IntoCursor for Option<Cursor> {
    fn into_cursor(self) -> Option<Cursor> {
        self
    }
}

/// Why a cursor cannot be used, or made. It never says what is in the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CursorError {
    /// The text is not a cursor, or not all of one, or was changed.
    #[error("the text is not a cursor")]
    Malformed,

    /// The cursor comes from another query: another table, index, partition or direction.
    #[error("the cursor comes from another query")]
    OtherQuery,

    /// The cursor was not made with the secret of this handle, has none where the handle has one, or has one where the
    /// handle has none. An encrypted cursor of another query is this too: it cannot be told from a forged one.
    #[error("the cursor was not made with this secret")]
    Forged,

    /// A secret has fewer than 16 bytes.
    #[error("a cursor secret must have at least 16 bytes")]
    WeakSecret,

    /// The key cannot be a cursor: it is not of the query's partition, has an attribute that is no string, number
    /// or bytes, or is too long.
    #[error("the key cannot stand in a cursor")]
    KeyNotSupported,

    /// A page would merge more than 1,000 partitions, whose cursor would be too long. No request was sent.
    #[error(
        "a page can merge at most 1,000 partitions; use `all`, `stream` or `sequential` for more"
    )]
    TooManyPartitions,

    /// The system gave no random bytes to encrypt with.
    #[error("the system gave no random bytes for a cursor")]
    NoRandomness,
}

/// Where in a partition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Position {
    /// Before the first item.
    Start,
    /// At the item with this key.
    At(HashMap<String, AttributeValue>),
    /// After the last item.
    End,
}

impl Cursor {
    /// The cursor of a place in each partition of the query `origin`.
    pub(crate) fn seal(
        origin: &Origin<'_>,
        positions: &[Position],
        secret: Option<&CursorSecret>,
    ) -> Result<Self, CursorError> {
        let digest = origin.digest().ok_or(CursorError::KeyNotSupported)?;
        let positions =
            position::write(positions, origin.partitions).ok_or(CursorError::KeyNotSupported)?;
        let bytes = match secret {
            Some(secret) => secret.seal(&digest, &positions)?,
            None => with_checksum(bind(PLAIN, &digest, &positions)),
        };
        if bytes.len() > MAX {
            return Err(CursorError::KeyNotSupported);
        }
        Ok(Self(bytes.into()))
    }

    /// The places in the partitions, if this cursor is of the query `origin`.
    ///
    /// The partition keys in them are those of `origin`, as they are written there.
    pub(crate) fn open(
        &self,
        origin: &Origin<'_>,
        secret: Option<&CursorSecret>,
    ) -> Result<Vec<Position>, CursorError> {
        let digest = origin.digest().ok_or(CursorError::OtherQuery)?;
        let positions = match (secret, &*self.0) {
            (Some(secret), bytes) => secret.open(&digest, bytes)?,
            (None, [PLAIN, ..]) => unbind(&digest, checked(&self.0)?)?.to_vec(),
            (None, _) => return Err(CursorError::Forged),
        };
        position::read(&positions, origin.partitions).ok_or(CursorError::Malformed)
    }
}

/// A key with the fingerprint of its query.
fn bind(form: u8, digest: &Digest, key: &[u8]) -> Vec<u8> {
    [&[form], &fingerprint(digest)[..], key].concat()
}

/// The key, if the fingerprint before it is the one of the query.
fn unbind<'b>(digest: &Digest, bound: &'b [u8]) -> Result<&'b [u8], CursorError> {
    let (found, key) = bound.split_first_chunk().ok_or(CursorError::Malformed)?;
    if *found == fingerprint(digest) {
        Ok(key)
    } else {
        Err(CursorError::OtherQuery)
    }
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_be_bytes());
    bytes
}

/// The bytes between the first one and the checksum, if the checksum is right.
fn checked(bytes: &[u8]) -> Result<&[u8], CursorError> {
    match bytes.split_last_chunk() {
        Some((bytes @ [_, bound @ ..], checksum))
            if crc32fast::hash(bytes).to_be_bytes() == *checksum =>
        {
            Ok(bound)
        }
        _ => Err(CursorError::Malformed),
    }
}

fn fingerprint(digest: &Digest) -> [u8; 16] {
    std::array::from_fn(|n| digest[n])
}

/// The text of the cursor.
impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&Base64UrlUnpadded::encode_string(&self.0))
    }
}

/// Without what is in it, which may be personal data.
impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cursor(..)")
    }
}

/// Takes only text as [`Cursor`] writes it, to the last bit. Whether it fits a query shows when it is used.
impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        if text.len() > MAX_TEXT {
            return Err(CursorError::Malformed);
        }
        let bytes = Base64UrlUnpadded::decode_vec(text).map_err(|_| CursorError::Malformed)?;
        match bytes.first() {
            Some(&(PLAIN | AUTHENTICATED | ENCRYPTED)) => Ok(Self(bytes.into())),
            _ => Err(CursorError::Malformed),
        }
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
