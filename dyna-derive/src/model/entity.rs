//! An entity: its keys, its indexes, and what updates do with them.

use super::{Field, Flattened, Key, KeySlot, ManagedRole, Part, distinct};
use syn::ext::IdentExt;
use syn::{Ident, Path, Visibility};

/// A checked entity.
pub(crate) struct Entity {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    /// The table, as the user named it; `Self` if the entity is its own.
    pub(crate) table: Path,
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

impl Entity {
    /// Whether a field is kept in this way.
    fn has(&self, managed: ManagedRole) -> bool {
        self.fields
            .iter()
            .any(|field| field.managed == Some(managed))
    }

    /// Whether the primary key names a field.
    pub(crate) fn is_in_key(&self, path: &str) -> bool {
        self.key.parts().any(|part| part.path == path)
    }

    /// The fields of an index that are not in the primary key.
    pub(super) fn index_parts<'e>(&'e self, index: &'e Index) -> impl Iterator<Item = &'e Part> {
        let parts = index.key.parts();
        parts.filter(|part| !self.is_in_key(&part.path))
    }

    /// Whether a write fills a field in, or writes more than the field with it. Unique values expire with their item.
    pub(super) fn is_managed(&self, field: &Field) -> bool {
        match field.managed {
            Some(ManagedRole::Ttl) => self.has(ManagedRole::Unique),
            managed => managed.is_some(),
        }
    }

    /// The field that a path begins with.
    pub(crate) fn field(&self, path: &str) -> Option<&Field> {
        let first = path.split('.').next().unwrap_or(path);
        self.fields
            .iter()
            .find(|field| field.ident.unraw() == first)
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

    /// Where the primary key has the value of a field.
    pub(crate) fn slot(&self, wanted: &Part) -> Option<KeySlot> {
        let is_wanted = |part: &Part| part.path == wanted.path && part.is_readable();
        self.key.slot(is_wanted)
    }

    /// Where the primary key has the text of a placeholder of an index, if the value of the field is lost.
    pub(crate) fn copied_slot(&self, wanted: &Part) -> Option<KeySlot> {
        let slot = || self.key.slot(|part| part.is_same(wanted));
        self.is_copied(wanted).then(slot).flatten()
    }

    /// The fields of the primary key and where it has them, if it has all of them.
    pub(crate) fn parsed(&self) -> Option<Vec<(&Part, KeySlot)>> {
        let parts = distinct(self.key.parts()).into_iter();
        let parts = parts.map(|part| Some((part, self.slot(part)?)));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        (!parts.is_empty()).then_some(parts)
    }

    /// Whether the key says all fields that are in it, so that an item can be made of it.
    pub(crate) fn is_made_of_key(&self) -> bool {
        let mut parts = self.key.parts();
        parts.all(|part| !part.path.contains('.') && self.slot(part).is_some())
    }

    /// Whether a write may replace or delete an item without looking at it.
    pub(crate) fn is_replaceable(&self) -> bool {
        !self.has(ManagedRole::Unique)
    }

    /// Whether every write is right without a condition.
    pub(crate) fn is_unconditional(&self) -> bool {
        self.is_replaceable() && !self.has(ManagedRole::Version)
    }

    /// Whether an item can have expired.
    pub(crate) fn is_expiring(&self) -> bool {
        self.has(ManagedRole::Ttl)
    }

    /// What the field is to updates.
    pub(crate) fn role(&self, field: &Field) -> FieldRole {
        let name = field.ident.unraw().to_string();
        let is = |part: &Part| part.path.split('.').next() == Some(&name);
        let mut indexed = self.indexes.iter().flat_map(|index| index.key.parts());
        match field.managed {
            Some(ManagedRole::Version | ManagedRole::CreatedAt | ManagedRole::UpdatedAt) => {
                FieldRole::Managed
            }
            Some(ManagedRole::Unique) => FieldRole::Unique,
            _ if self.key.parts().any(is) => FieldRole::InKey,
            Some(ManagedRole::Ttl) if self.has(ManagedRole::Unique) => FieldRole::UniqueExpiry,
            _ if indexed.any(is) => {
                let setters = self.setters().into_iter();
                let mut setters = setters.filter(|setter| setter.parts.iter().any(|part| is(part)));
                FieldRole::InIndex {
                    setter: setters.next().map(|setter| setter.name),
                }
            }
            _ => FieldRole::Free,
        }
    }
}

/// What a field is to updates.
pub(crate) enum FieldRole {
    Free,
    /// Dyna fills it in.
    Managed,
    Unique,
    /// The TTL of an item with unique values, which expire with it.
    UniqueExpiry,
    InKey,
    /// Part of the key of an index, with the setter for it if there is one.
    InIndex {
        setter: Option<Ident>,
    },
}
