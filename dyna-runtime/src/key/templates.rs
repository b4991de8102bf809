//! The templates of a key, as data.

use crate::shape::Template;

/// The templates of a key.
#[derive(Debug, Clone, Copy)]
pub struct KeyTemplates {
    /// Of the partition key, one for each of its attributes.
    pub pk: &'static [Template],
    /// Of the sort key, one for each of its attributes.
    pub sk: &'static [Template],
}
