//! Simulation: the faults that it makes, and the laws under them.

mod history;
mod increments;
mod interleavings;
mod network;
mod settings;
mod traces;
