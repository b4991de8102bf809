//! Tables, their names, the first steps of a newcomer, and what may be given for a key field.

mod arguments;
mod create;
mod generic;
mod name;
mod runtime;
mod server;
mod verify;
