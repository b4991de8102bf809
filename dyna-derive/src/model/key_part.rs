//! A type that can stand in a key.

use syn::{Ident, Member, Path, Type};

/// A checked part of keys.
pub(crate) struct KeyPart {
    pub(crate) ident: Ident,
    pub(crate) krate: Path,
    pub(crate) form: PartForm,
}

/// How it is written.
pub(crate) enum PartForm {
    /// As what it holds.
    Newtype { member: Member, inner: Box<Type> },
    /// As the number that it holds, which is a whole number key.
    Number { member: Member, inner: Box<Type> },
    /// As one of these words, one for each variant.
    Words(Vec<(Ident, String)>),
}
