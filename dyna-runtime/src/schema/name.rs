//! The name of an attribute: as it is stored, and as expressions say it.

use super::{KeyAttribute, ScalarType};

/// The name of an attribute, or of the field of a nested struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeName {
    /// As it is stored.
    pub attribute: &'static str,
    /// As an expression names it: an alias such as `#status` where it must.
    pub expr: &'static str,
    /// Other names under which it may be stored: those of `#[serde(alias = "..")]`.
    pub aliases: &'static [Self],
}

impl AttributeName {
    /// A name, and how expressions say it.
    #[doc(hidden)]
    pub const fn new(attribute: &'static str, expr: &'static str) -> Self {
        Self {
            attribute,
            expr,
            aliases: &[],
        }
    }

    /// The name of a key attribute.
    #[doc(hidden)]
    pub const fn of_key(attribute: &KeyAttribute) -> Self {
        Self::new(attribute.name, attribute.expr)
    }

    /// The same, which may also be stored under these names.
    #[doc(hidden)]
    #[must_use]
    pub const fn aliases(self, aliases: &'static [Self]) -> Self {
        Self { aliases, ..self }
    }

    /// The names of the attributes in which it may be stored, its own last.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.aliases.iter().map(|name| name.attribute).collect();
        names.push(self.attribute);
        names
    }

    /// Itself, and its other names.
    pub(crate) fn all(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.aliases.iter().copied())
    }
}

impl From<&KeyAttribute> for AttributeName {
    fn from(attribute: &KeyAttribute) -> Self {
        Self::of_key(attribute)
    }
}

/// The attribute type of a field, as far as its Rust type decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredAs {
    /// A type that a key attribute can have.
    Key(ScalarType),
    /// A type that no key attribute can have.
    Other,
    /// The type is the user's own, or functions of their own store it.
    Unknown,
}
