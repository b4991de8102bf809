//! The laws of the library, on the embedded engine.

mod absent;
mod admin;
mod codec;
mod combinations;
mod derive;
mod layers;
mod matrix;
mod reads;
mod transport;
mod writes;
