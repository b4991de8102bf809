//! Functions over bytes that must not panic, and must hold to what they are compared with. [`TARGETS`] lists them; [`run`] replays their
//! corpus and mutates it, and the programs in `fuzz/` give them to libFuzzer.
//!
//! The derives are a proc-macro crate, which no other crate can call, so their sources are modules of this one too.

#![expect(
    clippy::missing_panics_doc,
    reason = "a target panics where a law is broken"
)]

#[path = "../../../dyna-derive/src/attr/mod.rs"]
mod attr;
#[path = "../../../dyna-derive/src/check/mod.rs"]
mod check;
#[path = "../../../dyna-derive/src/derives.rs"]
mod derives;
#[path = "../../../dyna-derive/src/docs.rs"]
mod docs;
#[path = "../../../dyna-derive/src/error.rs"]
mod error;
#[path = "../../../dyna-derive/src/expand/mod.rs"]
mod expand;
#[path = "../../../dyna-derive/src/fallback/mod.rs"]
mod fallback;
#[path = "../../../dyna-derive/src/model/mod.rs"]
mod model;
#[path = "../../../dyna-derive/src/reserved.rs"]
mod reserved;
#[path = "../../../dyna-derive/src/template/mod.rs"]
mod template;
#[path = "../../../dyna-derive/src/tokens.rs"]
mod tokens;

mod input;
mod mutate;
pub mod run;
mod server;
mod targets;

pub use targets::{TARGETS, Target, try_input};
