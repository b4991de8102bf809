//! What is written is what is read: flattened fields, numbers, sets, and what errors say.

mod errors;
mod flatten;
mod numbers;
mod sets;
mod times;
