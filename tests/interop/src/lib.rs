//! Tables as other libraries write them: for each a model, and what a program does with the items that are there already.
//!
//! `tests/interop/run` has the libraries write the items; the tests of the laws take the items that are committed in `items`.

#![allow(
    clippy::struct_field_names,
    reason = "fields are called as the attributes of the libraries' models"
)]

pub mod boto3;
pub mod electrodb;
pub mod java;
mod json;
mod model;
pub mod onetable;
pub mod toolbox;

pub use json::{from_json, to_json};
pub use model::{
    CHANGED, Difference, Model, RoundTrip, State, WRITTEN, at, contents, differences, round_trip,
    store,
};
