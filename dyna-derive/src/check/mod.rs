//! Raw attributes to the model: small checks, each of which reports and goes on.

mod entity;
mod fields;
mod indexes;
mod managed;
mod names;
mod templates;
mod types;

pub(crate) use entity::{delimiter, entity};
pub(crate) use fields::{RawField, check_attributes, raw_field};
pub(crate) use names::check_consts;
