//! The grammar of key templates, such as `MSG#<sent_ms:013>#<message_id>`: text in, pieces or problems out.
//! It never sees a Rust type and never looks a field up.
//!
//! `template := (literal | "<" path ["?"] [":" format] ("|" function)* ">" | "<(" path ("," path)+ ")|" function ">")*`, and `<<` is the
//! character `<` itself.

mod format;
mod function;
mod grammar;
mod part;
mod problem;
mod reader;
mod several;
#[cfg(test)]
mod tests;

pub(crate) use grammar::{Format, Function, LayoutItem, Piece, Placeholder, Template};
pub(crate) use problem::{Problem, caret};
pub(crate) use reader::parse;
