//! Stubs for what has errors, so that its users do not add theirs: the impls with nothing in them, and the functions with their
//! signatures as far as these are known.

mod collection;
mod entity;
mod key_part;
mod nested;
mod projection;
mod table;

pub(crate) use collection::collection;
pub(crate) use entity::entity;
pub(crate) use key_part::key_part;
pub(crate) use nested::nested;
pub(crate) use projection::projection;
pub(crate) use table::table;
