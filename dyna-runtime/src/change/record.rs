//! One record of a change, as every source has it.

use crate::codec::Item;
use std::fmt;
use std::time::SystemTime;

/// One record of a change, not read yet. All sources are converted into it; [`Change::from_record`](crate::change::Change::from_record)
/// and the generated `Chat::change(record)` read it.
///
/// | source | conversion |
/// |---|---|
/// | a record of `aws-sdk-dynamodbstreams` (feature `streams`) | `TryFrom` |
/// | the JSON of a Lambda event | [`Record::from_lambda_event`] |
/// | a record of a Kinesis data stream | [`Record::from_kinesis`] |
/// | a line of an incremental export | [`Record::from_export_line`] |
///
/// `Debug` shows no attributes.
#[derive(Clone, PartialEq)]
pub struct Record {
    /// The kind of change.
    pub event: Event,
    /// The key of the item.
    pub keys: Item,
    /// The item after the change, if the record carries it.
    pub new: Option<Item>,
    /// The item before the change, if the record carries it.
    pub old: Option<Item>,
    /// The sequence number; exports have none.
    pub sequence: Option<String>,
    /// About when the item was changed.
    pub time: Option<SystemTime>,
    /// Why the item was removed, if it was.
    pub cause: RemovalCause,
    /// The name of the table, if the source tells it.
    pub table: Option<String>,
}

impl Record {
    /// A record with nothing but the kind of change and the key.
    pub fn new(event: Event, keys: Item) -> Self {
        Self {
            event,
            keys,
            new: None,
            old: None,
            sequence: None,
            time: None,
            cause: RemovalCause::Unknown,
            table: None,
        }
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("event", &self.event)
            .field("has_new", &self.new.is_some())
            .field("has_old", &self.old.is_some())
            .field("sequence", &self.sequence)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

/// The kind of a change, as DynamoDB names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A new item.
    Insert,
    /// An item that was there before.
    Modify,
    /// An item that is gone.
    Remove,
}

impl Event {
    /// DynamoDB's name: `INSERT`, `MODIFY` or `REMOVE`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Modify => "MODIFY",
            Self::Remove => "REMOVE",
        }
    }

    /// The event of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Insert, Self::Modify, Self::Remove];
        all.into_iter().find(|event| event.name() == name)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why an item was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemovalCause {
    /// A request deleted it. In the other regions of a global table, an item that expired is deleted by replication: it expired only in
    /// the region whose TTL removed it.
    Deleted,
    /// It expired, and DynamoDB's TTL deleted it.
    Expired,
    /// The source does not tell: exports.
    Unknown,
}

impl RemovalCause {
    /// The cause by the `userIdentity` of a record: its type and its principal. A record without one is of a request.
    pub fn from_identity(identity: Option<(&str, &str)>) -> Self {
        match identity {
            Some(("Service", "dynamodb.amazonaws.com")) => Self::Expired,
            _ => Self::Deleted,
        }
    }
}
