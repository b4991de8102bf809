//! A table as data, which the derive emits, and as types: its key, its indexes, its stream, its settings.
//!
//! The parts of a schema print as people call them: `partition pk (S), sort sk (S)`, `global index`, `all attributes`. The package
//! `dyna-cli` prints whole schemas, as CloudFormation, Terraform, Markdown and more.

mod difference;
pub(crate) mod display;
mod entity_id;
mod index;
mod name;
mod settings;
mod stream;
mod table;
mod types;

pub use difference::{Difference, DifferenceKind, Differences};
pub(crate) use entity_id::EntityId;
pub use index::{IndexKind, IndexSchema, KeyAttribute, KeyConditions, Projection, ScalarType};
pub use name::{AttributeName, StoredAs};
pub use settings::{BillingMode, Encryption, Settings, TableClass, Throughput};
pub use stream::{
    HasStream, KeysOnly, NewAndOldImages, NewImage, NoImage, NoStream, OldImage, StreamView,
};
pub use table::{StreamViewType, TableSchema, TagAttribute};
pub use types::*;
