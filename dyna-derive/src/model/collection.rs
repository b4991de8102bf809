//! A collection: entities that share a partition.

use super::Member;
use syn::{Ident, Path, Type, Visibility};

/// A checked collection.
pub(crate) struct Collection {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    /// The index whose partition they share, if it is not the table's.
    pub(crate) index: Option<Ident>,
    /// The fields at the start of the sort key that all members have, and their types.
    pub(crate) steps: Vec<(Ident, Type)>,
    /// The member that says what the partition is; there is at least one.
    pub(crate) first: Member,
    pub(crate) rest: Vec<Member>,
}

impl Collection {
    pub(crate) fn members(&self) -> impl Iterator<Item = &Member> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}
