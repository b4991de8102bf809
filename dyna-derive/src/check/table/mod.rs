//! `#[derive(DynaTable)]`: the options of a table to its model.

mod derive;
mod index;
mod limits;
mod schema;
mod settings;
mod variants;

pub(crate) use derive::{is_own_table, table};
