//! Changes of a table: the records of its stream, read as its entities.
//!
//! ```
//! use dyna_runtime::change::{ChangeKind, Record};
//! use dyna_runtime::{DynaEntity, DynaTable};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, DynaTable)]
//! #[dyna(name = "chat", pk = "pk", sk = "sk", tag = "type", stream = "new_and_old_images")]
//! enum Chat {
//!     Message(Message),
//! }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
//! #[dyna(table = Chat, pk = "CHANNEL#<channel>", sk = "MSG#<id>")]
//! struct Message {
//!     channel: String,
//!     id: String,
//!     text: String,
//! }
//!
//! /// A function that AWS Lambda calls with the records of the table's stream.
//! fn handle(payload: &[u8]) -> dyna_runtime::Result<Vec<String>> {
//!     let mut news = Vec::new();
//!     for record in Record::from_lambda_event(payload)? {
//!         let change = Chat::change(record)?;
//!         match change.kind {
//!             ChangeKind::Insert { new: Chat::Message(new) } => news.push(format!("new in {}: {}", new.channel, new.text)),
//!             ChangeKind::Modify { old: Chat::Message(old), new: Chat::Message(new) } if old.text != new.text => {
//!                 news.push(format!("edited in {}: {}", new.channel, new.text));
//!             }
//!             ChangeKind::Remove { old: Chat::Message(old), .. } => news.push(format!("gone from {}", old.channel)),
//!             _ => {}
//!         }
//!     }
//!     Ok(news)
//! }
//! # let payload = br#"{"Records": [{"eventName": "INSERT", "dynamodb": {"SequenceNumber": "1",
//! #     "Keys": {"pk": {"S": "CHANNEL#c"}, "sk": {"S": "MSG#1"}},
//! #     "NewImage": {"pk": {"S": "CHANNEL#c"}, "sk": {"S": "MSG#1"}, "type": {"S": "Message"},
//! #         "channel": {"S": "c"}, "id": {"S": "1"}, "text": {"S": "hi"}}}}]}"#;
//! # assert_eq!(handle(payload)?, ["new in c: hi"]);
//! # Ok::<(), dyna_runtime::Error>(())
//! ```
//!
//! [`guide::lambda`](crate::guide::lambda) is the same with a response that names the records that failed. With the feature `streams`,
//! [`Table::changes`](crate::Table) reads the stream itself, with checkpoints.
//!
//! # Images
//!
//! The `stream` of the table decides which images its changes have, by type:
//!
//! | `stream = ".."` | `Insert` | `Modify` | `Remove` |
//! |---|---|---|---|
//! | `"new_and_old_images"` | `new` | `old`, `new` | `old` |
//! | `"new_image"` | `new` | `new` | |
//! | `"old_image"` | | `old` | `old` |
//! | `"keys_only"` | | | |
//!
//! Where there is no image, there is [`NoImage`](crate::schema::NoImage) in its place. Every change has its [key](Change::key), and
//! [`Change::key_of`] gives the key of an entity to load the item by. Kinesis records and exports have images that the table does not
//! decide: name them, `Change::<Chat, NewAndOldImages>::from_record(record)`. A record that lacks an image is an error.
//!
//! # Items of other software
//!
//! The images are judged as items of a [whole table](crate#items-of-other-software) are: one of no entity goes to the variant
//! `#[dyna(unknown)]`, or is [`Error::UnknownItem`](crate::Error::UnknownItem), and one whose key does not fit its tag is
//! [`Error::Misfit`](crate::Error::Misfit), in an [`Error::Change`](crate::Error::Change) that names the table, the event and the sequence
//! number. Where a change has no image, it has no tag either: the key alone tells its [entity](Change::entity), and there is none if it
//! fits no entity or one that shares its keys. The items that stand for the values of unique fields are
//! [`ChangeKind::Sentinel`].

#[expect(
    clippy::module_inception,
    reason = "the type that the module is about, beside its sources"
)]
mod change;
#[cfg(feature = "streams")]
mod checkpoint;
mod json;
mod read;
#[cfg(feature = "streams")]
mod reader;
mod record;
#[cfg(feature = "streams")]
mod streams;

#[doc(hidden)]
pub use change::RecordOf;
pub use change::{Change, ChangeKind, StreamOf};
#[cfg(feature = "streams")]
pub use checkpoint::{
    CheckpointRecord, Checkpoints, EntityCheckpoints, FileCheckpoints, Positions,
};
#[cfg(feature = "streams")]
pub use reader::{ChangeStream, Changes};
pub use record::{Event, Record, RemovalCause};
