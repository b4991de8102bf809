//! Items to show: made up from the templates and the types of fields, or given by the user.

mod item;
mod value;

pub(crate) use item::{Sample, made_up, plain, type_name};
