//! What Dyna costs, measured against the SDK alone and against its peers.
//!
//! A [`Work`] is done by several [`Contestant`]s, on the same values and the same bytes. Their results are compared before
//! anything is counted. `benches/run` prints the table; this crate has what needs no other library than the SDK and `serde_dynamo`, so that
//! the tests of the workspace hold the works to their results. Without the feature `dyna`, it has what other programs need to measure
//! alike: the values, the server and the report.

#![expect(
    clippy::missing_panics_doc,
    reason = "a measurement that cannot be made ends the program"
)]

pub mod answers;
pub mod caller;
pub mod canned;
pub mod fixture;
#[cfg(feature = "dyna")]
pub mod hand;
pub mod report;
pub mod sdk;
#[cfg(feature = "dyna")]
pub mod shapes;
mod work;
#[cfg(feature = "dyna")]
pub mod works;

pub use work::{Contestant, Work, disagreeing};

#[cfg(all(test, feature = "dyna"))]
mod tests {
    /// Nothing is measured that does not do the same.
    #[test]
    fn all_contestants_have_the_same_result() {
        for work in super::works::all() {
            let others = super::disagreeing(&mut work.contestants());
            assert_eq!(others, [""; 0], "{}", work.name);
        }
    }
}
