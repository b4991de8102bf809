//! DynamoDB's JSON itself: items are read from the bytes of an answer, and written into those of a request.
//!
//! Whatever the reader does not expect is an error here, and left to the SDK's own parser. So it is strict: it accepts nothing that
//! the SDK would refuse or understand differently.

mod answer;
mod attributes;
mod cursor;
mod item;
mod strings;
#[cfg(test)]
mod tests;
mod watch;
mod write;
mod write_item;

pub(crate) use super::source::{Patch, Shown};
pub(crate) use answer::{Failed, Place, Rest, Split, Take, read, split};
pub(crate) use attributes::to_item;
pub(super) use cursor::{Cursor, Type};
pub use item::Found;
pub(crate) use item::{Picked, Scalar};
pub(crate) use strings::{first_of, plain_text};
pub(crate) use watch::Watch;
pub(crate) use write_item::{Apart, ItemJson, Names};
