//! Entities by the fields of their partition, for collections.

use crate::request::query::QuerySpec;

/// An entity whose partition in `K` is named by `A`: the field of its partition key, or a tuple of several.
#[diagnostic::on_unimplemented(
    message = "expected the partition-key fields of `{Self}`, found `{A}`",
    label = "not the fields of its partition key",
    note = "one field is given as it is, several are given as a tuple"
)]
pub trait InPartition<A, K> {
    /// The query of the partition.
    #[doc(hidden)]
    fn spec(partition: A) -> QuerySpec;
}
