//! A marker that only derives name, so that nobody else implements the derived traits.

/// Required by traits that say what a derive, or this crate, has proved. Written by hand, such an impl would open what a proof has closed:
/// the items of an entity with unique fields could be replaced, or an index read that lacks attributes.
#[derive(Debug, Clone, Copy)]
pub struct Derived;
