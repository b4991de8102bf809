//! Raw attributes to the model: small checks, each of which reports and goes on.

mod collection;
mod delimiter;
mod entity;
mod fields;
mod indexes;
mod key_part;
mod managed;
mod names;
mod nested;
mod projection;
mod signatures;
mod table;
mod templates;
mod types;
mod variants;

pub(crate) use collection::collection;
pub(crate) use entity::entity;
pub(crate) use key_part::key_part;
pub(crate) use nested::{nested, reachable_fields};
pub(crate) use projection::projection;
pub(crate) use signatures::signatures;
pub(crate) use table::{is_own_table, table};
