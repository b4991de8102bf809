//! An entity: its keys, its indexes, and what updates do with them.

use super::{Field, Flattened, Key, ManagedRole, Part, distinct};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Ident, Path, Visibility};

/// A checked entity.
pub(crate) struct Entity {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    /// The table, as the user named it; `Self` if the entity is its own.
    pub(crate) table: TokenStream,
    pub(crate) tag: String,
    pub(crate) delimiter: u8,
    pub(crate) key: Key,
    pub(crate) indexes: Vec<Index>,
    pub(crate) fields: Vec<Field>,
    pub(crate) flattened: Flattened,
    /// Whether unknown attributes matter to it.
    pub(crate) sees_unknown: bool,
    /// Whether it stores `None` as NULL, in all of its fields.
    pub(crate) stores_null: bool,
    /// What its doc comment says first.
    pub(crate) doc: String,
}

/// An index the entity is in.
pub(crate) struct Index {
    /// Its name on the table, with the user's span.
    pub(crate) name: Ident,
    /// The function that queries it.
    pub(crate) accessor: Ident,
    pub(crate) key: Key,
}

/// A field that keys are made of, and that the types of its constant do not tell all about.
pub(crate) struct Feed<'e> {
    pub(crate) part: &'e Part,
    /// Whether the primary key gives it back as it is.
    pub(crate) is_known: bool,
}

/// Indexes that have fields in common, so that an update sets the fields of all of them together.
pub(crate) struct Setter<'e> {
    /// `set_by_status`, or `set_by_status_and_by_owner`.
    pub(crate) name: Ident,
    pub(crate) indexes: Vec<(usize, &'e Index)>,
    /// The fields that are not in the primary key.
    pub(crate) parts: Vec<&'e Part>,
}

impl Entity {
    /// Whether a field is kept in this way.
    pub(crate) fn has(&self, managed: ManagedRole) -> bool {
        self.fields
            .iter()
            .any(|field| field.managed == Some(managed))
    }

    /// Whether the primary key names a field.
    pub(crate) fn is_in_key(&self, path: &str) -> bool {
        self.key.parts().any(|part| part.path == path)
    }

    /// The fields of an index that are not in the primary key.
    fn index_parts<'e>(&'e self, index: &'e Index) -> impl Iterator<Item = &'e Part> {
        let parts = index.key.parts();
        parts.filter(|part| !self.is_in_key(&part.path))
    }

    /// The indexes by what an update sets together, knowing nothing but the key of the item. A field that is unique or filled in is
    /// not set so, and no other field of its indexes.
    pub(crate) fn setters(&self) -> Vec<Setter<'_>> {
        let kept = |part: &&Part| {
            self.field(&part.path)
                .is_some_and(|field| self.is_managed(field))
        };
        let setters = self.groups().into_iter();
        setters
            .filter(|setter| !setter.parts.iter().any(kept))
            .collect()
    }

    /// Whether a write fills a field in, or writes more than the field with it. Unique values expire with their item.
    fn is_managed(&self, field: &Field) -> bool {
        match field.managed {
            Some(ManagedRole::Ttl) => self.has(ManagedRole::Unique),
            managed => managed.is_some(),
        }
    }

    /// The field that a path begins with.
    fn field(&self, path: &str) -> Option<&Field> {
        let first = path.split('.').next().unwrap_or(path);
        self.fields
            .iter()
            .find(|field| field.ident.unraw() == first)
    }

    /// The indexes by the fields that they have in common.
    fn groups(&self) -> Vec<Setter<'_>> {
        let mut setters: Vec<Setter<'_>> = Vec::new();
        for (n, index) in self.indexes.iter().enumerate() {
            let parts: Vec<_> = self.index_parts(index).collect();
            if parts.is_empty() {
                continue;
            }
            let shares = |setter: &Setter<'_>| {
                let mut theirs = setter.parts.iter();
                theirs.any(|theirs| parts.iter().any(|part| part.path == theirs.path))
            };
            let (together, apart): (Vec<_>, Vec<_>) = setters.into_iter().partition(shares);
            setters = apart;
            let indexes = together.iter().flat_map(|setter| setter.indexes.clone());
            let indexes: Vec<_> = indexes.chain([(n, index)]).collect();
            let all = together.iter().flat_map(|setter| setter.parts.clone());
            let names: Vec<_> = indexes
                .iter()
                .map(|(_, index)| index.accessor.unraw().to_string())
                .collect();
            setters.push(Setter {
                name: Ident::new(
                    &format!("set_{}", names.join("_and_")),
                    index.accessor.span(),
                ),
                indexes,
                parts: distinct(all.chain(parts)),
            });
        }
        setters
    }

    /// Whether the primary key gives the field of an index back as it is, or as the index has it.
    pub(crate) fn is_known(&self, part: &Part) -> bool {
        let mut key = self.key.parts();
        let is_read = key.any(|own| own.path == part.path && own.is_readable());
        // What is stored in the key alone is there as a whole.
        is_read && (!part.is_finer() || self.is_key_only(&part.path)) || self.is_copied(part)
    }

    /// Whether the primary key has the text of a placeholder, though not the value that it was made of.
    pub(crate) fn is_copied(&self, part: &Part) -> bool {
        !part.is_readable() && self.key.parts().any(|own| own.is_same(part))
    }

    fn is_key_only(&self, path: &str) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| field.key_only && field.ident.unraw() == path)
    }

    /// The fields whose place in what is stored has to be known: those of indexes, and those inside of others.
    pub(crate) fn feeds(&self) -> Vec<Feed<'_>> {
        let parts = self.indexes.iter().flat_map(|index| index.key.parts());
        let indexed: Vec<_> = parts.filter(|part| !self.is_known(part)).collect();
        let nested = self.key.parts().filter(|part| part.path.contains('.'));
        let parts = distinct(indexed.iter().copied().chain(nested));
        let is_known = |part: &Part| !indexed.iter().any(|other| other.path == part.path);
        let feed = |part| Feed {
            part,
            is_known: is_known(part),
        };
        parts.into_iter().map(feed).collect()
    }
}
