//! The signatures of an entity with errors: the names of the functions and constants that it would have, and of their arguments.

use syn::{Ident, Path, Type, Visibility};

/// The signatures of an entity, as far as they are known.
pub(crate) struct Signatures {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    /// The table, if it is given.
    pub(crate) table: Option<Path>,
    pub(crate) key: KeySignature,
    pub(crate) indexes: Vec<IndexSignature>,
    pub(crate) setters: Vec<SetterSignature>,
    /// Whether the primary key has a sort key.
    pub(crate) has_sk: bool,
    /// The types that `parse_key` yields, if they are those of fields.
    pub(crate) parsed: Option<Vec<Type>>,
    pub(crate) constants: Vec<Constant>,
}

/// The arguments that fill a key: none of what has no readable template.
pub(crate) struct KeySignature {
    /// Those of the partition key and the sort key together.
    pub(crate) args: Option<Vec<Ident>>,
    /// Those of the partition key.
    pub(crate) partition: Option<Vec<Ident>>,
    /// The steps over the sort key.
    pub(crate) steps: Vec<Ident>,
}

/// An index that an entity is in.
pub(crate) struct IndexSignature {
    pub(crate) name: Ident,
    pub(crate) accessor: Ident,
    pub(crate) key: KeySignature,
}

/// A function that sets the fields of indexes together.
pub(crate) struct SetterSignature {
    pub(crate) name: Ident,
    pub(crate) args: Vec<Ident>,
}

/// The constant of a field.
pub(crate) struct Constant {
    pub(crate) name: Ident,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
}
