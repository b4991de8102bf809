//! The model to tokens: data, and thin calls into the runtime. Decides nothing.

mod entity;
mod fields;
mod table;

pub(crate) use entity::{entity, field_metas, read_by};
pub(crate) use fields::{aliases, consts, forms, stored_name};
pub(crate) use table::table;
