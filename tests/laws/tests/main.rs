//! The laws of the library, on the embedded engine.

mod absent;
mod admin;
mod codec;
mod derive;
mod matrix;
mod reads;
mod review;
mod transport;
mod writes;
