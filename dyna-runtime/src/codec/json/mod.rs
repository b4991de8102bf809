//! DynamoDB's JSON itself: items are read from the bytes of a response, and written into those of a request.
//!
//! Whatever the reader does not expect is an error here, and left to the SDK's own parser. So it is strict: it accepts nothing that
//! the SDK would refuse or understand differently.

mod attribute_writer;
mod attributes;
mod item_source;
mod item_writer;
mod lexer;
mod members;
mod nested_writers;
mod response;
mod strings;
#[cfg(test)]
mod tests;
mod watch;
mod writer;

pub(crate) use super::overlay::{Overlay, Visible};
pub(crate) use attributes::to_item;
pub use item_source::ItemSource;
pub(crate) use item_source::{Picked, Scalar};
pub(crate) use item_writer::{Deferred, ItemJson, NameSet, Whole};
pub(super) use lexer::{Lexer, TypeTag};
pub(crate) use members::{Members, elements};
pub(crate) use response::{
    DecodeFailed, ItemLocation, ItemSink, ResponseRest, SplitResponse, read, split,
};
pub(crate) use strings::{first_of, plain_text};
pub(super) use watch::Fields;
pub(crate) use watch::{KnownKey, Watch};
