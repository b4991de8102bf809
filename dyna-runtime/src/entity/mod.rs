//! Entities, projections and collections as data, and whole items in and out.

pub(crate) mod changes;
pub(crate) mod collection;
mod decode;
mod encode;
mod erased;
mod failed_item;
pub(crate) mod fill;
pub(crate) mod in_place;
mod key;
mod key_io;
pub(crate) mod loaded;
mod meta;
pub(crate) mod owner;
pub(crate) mod projection;
pub(crate) mod shared_steps;
mod stored;
mod traits;
mod undeclared;
mod variants;

pub use collection::CollectionMeta;
pub(crate) use decode::{
    RestoredFields, decode, index_only, key_only, key_text, read, reread, restore_key_fields,
};
pub(crate) use encode::{
    check_flattened, check_outside, check_readable, encode, encode_fields, encode_keys,
    note_defaults,
};
pub(crate) use erased::{AnyEntity, Functions, KeyFunctions};
pub use key::Key;
pub(crate) use key::check_native;
#[doc(hidden)]
pub use key::parse_key;
pub(crate) use key_io::Keys;
pub use key_io::{KeyReader, KeyWriter};
#[doc(hidden)]
pub use meta::KeyRef;
pub(crate) use meta::Named;
pub use meta::{EntityMeta, FieldMeta, IndexMeta, KeyField, KeyFieldPlace, WhenAbsent};
pub use projection::{CanYield, CoveredBy, ProjectedField, ProjectionMeta, View};
pub(crate) use stored::{Deserialized, Serialized};
#[doc(hidden)]
pub use stored::{deserialize, serialize};
pub use traits::{BatchDeletable, BatchWritable, DeletableByKey, Entity, Expiring, Replaceable};
#[doc(hidden)]
pub use traits::{MadeOfKey, ReadIndexKeys, WrittenWhole};
pub use variants::{Variant, Variants};
