//! The schema as text, for people and for tools: a file for each format. All of it comes from the declarations, and is the same each time.

mod cloudformation;
mod formats;
mod html;
mod markdown;
mod mermaid;
mod shell;
mod terraform;
mod workbench;

pub use formats::Format;
