//! The engine behind a client that carries an interceptor.

use crate::lost::faults::Engine;
pub(super) use crate::lost::faults::{Fault, LOST};

pub(super) type Faults = Engine<true>;
