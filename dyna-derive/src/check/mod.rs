//! Raw attributes to the model: small checks, each of which reports and goes on.

mod collection;
mod delimiter;
mod entity;
mod fields;
mod indexes;
mod managed;
mod names;
mod projection;
mod table;
mod templates;
mod types;

pub(crate) use collection::collection;
pub(crate) use entity::entity;
pub(crate) use fields::{RawField, check_attributes, raw_field};
pub(crate) use names::check_consts;
pub(crate) use projection::projection;
pub(crate) use table::table;
