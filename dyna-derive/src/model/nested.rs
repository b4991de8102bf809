//! A nested struct, whose fields templates and conditions reach.

use super::Field;
use syn::{Ident, Path, Type};

/// A checked nested struct.
pub(crate) struct Nested {
    pub(crate) ident: Ident,
    pub(crate) krate: Path,
    /// The fields that have a place of their own in what is stored.
    pub(crate) fields: Vec<Field>,
    pub(crate) reachable: Vec<Reachable>,
}

/// A field that templates reach by its name.
pub(crate) struct Reachable {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Its number among the stored fields. One that is not stored is reached all the same, so that the error is about that.
    pub(crate) stored: Option<usize>,
}
