//! The works that need no peer but the SDK: by hand, with `serde_dynamo`, with Dyna.

mod codec;
mod keys;
pub mod requests;
mod tables;

use crate::work::Work;

/// The peer that uses Dyna.
pub const DYNA: &str = "dyna";
/// The peer that uses the SDK alone, with code written by hand for the struct at hand.
pub const HAND: &str = "hand-written";
/// The peer that uses the SDK with `serde_dynamo`.
pub const SERDE_DYNAMO: &str = "serde_dynamo";
/// The peer that makes keys with `format!`.
pub const FORMAT: &str = "format!";

/// All works.
pub fn all() -> Vec<Work> {
    let mut works = keys::works();
    works.extend(codec::works());
    works.extend(requests::works());
    works.extend(tables::works());
    works
}
