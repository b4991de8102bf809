//! A projection: some fields of an entity or a nested struct.

use super::Field;
use syn::{Ident, Path};

/// A checked projection.
pub(crate) struct Projection {
    pub(crate) ident: Ident,
    pub(crate) krate: Path,
    /// The entity, or the nested struct.
    pub(crate) of: Path,
    /// The partial indexes that it is read through.
    pub(crate) indexes: Vec<Ident>,
    pub(crate) fields: Vec<ProjectedField>,
    pub(crate) denies_unknown: bool,
}

/// A field that is read.
pub(crate) struct ProjectedField {
    pub(crate) field: Field,
    /// Whether it is a projection of a nested struct.
    pub(crate) nested: bool,
}
