//! The handle on a table, and the proof that its entities can share it.

mod handle;
mod lists;

pub(crate) use handle::Handle;
pub use handle::Table;
pub use lists::{DynaTable, HasEntity, StoredIn, UnknownItem, unknown, which, which_or_unknown};
