//! The schema as text, for people and for tools: a file for each format. The text comes from the declarations alone, and is the same each time.

mod cloudformation;
mod formats;
mod html;
mod markdown;
mod mermaid;
mod shell;
mod terraform;
mod workbench;

pub use formats::Format;
