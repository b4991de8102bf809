#![doc = include_str!("guide.md")]

mod client;
mod clock;
mod connector;
mod fault;
mod faults;
mod late;
mod record;
mod replica;
mod responses;
mod server;
mod simulation;
mod tokens;
mod trace;

pub use fault::Fault;
pub use faults::Faults;
#[doc(hidden)]
pub use record::AppliedWrite;
pub use simulation::Simulation;
pub use trace::{Attempt, Outcome, Trace};
