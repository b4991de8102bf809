//! The model to tokens: data, and thin calls into the runtime. Decides nothing.

mod collection;
mod collection_steps;
mod entity;
mod fields;
mod key_part;
mod members;
mod nested;
mod projection;
mod table;

pub(crate) use collection::collection;
pub(crate) use entity::entity;
pub(crate) use key_part::key_part;
pub(crate) use nested::nested;
pub(crate) use projection::projection;
pub(crate) use table::table;
