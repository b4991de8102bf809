//! The laws of the library, on the embedded engine.

mod absent;
mod admin;
mod codec;
mod combinations;
mod derive;
mod derive_docs;
mod layers;
mod matrix;
mod reads;
mod review;
mod transport;
mod writes;
