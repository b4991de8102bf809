//! Items to show: made up from the templates and the types of fields, or given by the user.

mod item;
mod value;

pub(crate) use item::{Sample, of, plain, type_name};
