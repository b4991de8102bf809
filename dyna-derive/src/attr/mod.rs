//! `#[dyna(..)]` and `#[serde(..)]` tokens to raw structs with their spans. Knows the options, not what they mean together.

mod collection;
mod entity;
mod field;
mod key_part;
mod options;
mod projection;
mod serde;
mod settings;
mod table;

pub(crate) use self::serde::{SerdeAttr, Skip};
pub(crate) use collection::CollectionAttr;
pub(crate) use entity::{EntityAttr, IndexUse, TableRef};
pub(crate) use field::{FieldAttr, SentinelAttr};
pub(crate) use key_part::KeyPartAttr;
pub(crate) use options::{crate_path, parse_crate, refuse};
pub(crate) use projection::{ProjectionAttr, ProjectionFieldAttr};
pub(crate) use settings::{BillingAttr, EncryptionAttr, SettingsAttr};
pub(crate) use table::{IndexAttr, IndexProjectionAttr, KeyAttr, KeyKind, TableAttr, VariantAttr};
