//! Between the SDK and its bytes: items are read from answers and written into requests without the SDK's maps.
//!
//! Only public hooks of the SDK are used. Signing, retries, endpoints, credentials, timeouts and errors stay its own, and so does every
//! answer that is not what was expected.

mod answer;
mod body;
mod hook;
mod raw;

pub(super) use answer::{Kept, Values};
pub(crate) use body::NewItems;
pub(super) use body::{NewItem, Place};
pub(super) use raw::Raw;
