//! The variants of an entity that is an enum.

use super::{Field, Flattened};
use syn::Ident;

/// The variants, of which there is at least one.
pub(crate) struct Variants {
    /// The attribute that says which one is stored.
    pub(crate) tag: String,
    pub(crate) list: Vec<Variant>,
}

/// A variant of an entity.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// Its name, as it is stored.
    pub(crate) name: String,
    /// The fields that not all variants have alike.
    pub(crate) only: Vec<Field>,
    pub(crate) flattened: Flattened,
}
