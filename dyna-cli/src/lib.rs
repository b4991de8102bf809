#![doc = include_str!("../README.md")]
#![expect(
    clippy::format_push_string,
    reason = "a schema is written once: text that reads well is worth an allocation"
)]

mod catalog;
mod decimal;
mod document;
mod format;
mod identifier;
mod pattern;
mod program;
mod sample;

pub use catalog::Catalog;
pub use format::Format;
pub use pattern::AccessPattern;
pub use program::{Program, main};
