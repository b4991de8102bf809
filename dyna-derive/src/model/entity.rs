//! An entity: its keys, its indexes, and what updates do with them.

use super::{Field, Flattened, Key, KeySlot, ManagedRole, Part, Variants, distinct};
use crate::template::Function;
use quote::ToTokens;
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
    pub(crate) delimiter: Delimiter,
    pub(crate) key: Key,
    pub(crate) indexes: Vec<Index>,
    /// The fields that it stores; of an enum, the tag and those that all variants have.
    pub(crate) fields: Vec<Field>,
    /// The variants, if it is an enum.
    pub(crate) variants: Option<Variants>,
    pub(crate) flattened: Flattened,
    /// Whether unknown attributes matter to it.
    pub(crate) sees_unknown: bool,
    /// Whether it stores `None` as NULL, in all of its fields.
    pub(crate) stores_null: bool,
    /// What its doc comment says first.
    pub(crate) doc: String,
    /// The entities that have the same keys on purpose.
    pub(crate) shares_key_with: Vec<Path>,
    /// Whether its table is declared in part, so that its items may have more attributes than it knows.
    pub(crate) partial: bool,
}

/// What separates the fields of the keys of an entity, unless an index says something else.
pub(crate) struct Delimiter {
    pub(crate) text: String,
    /// Whether the entity does not say it, so that the table has the same.
    pub(crate) is_inherited: bool,
}

/// An index the entity is in.
pub(crate) struct Index {
    /// Its name on the table, with the user's span.
    pub(crate) name: Ident,
    /// The function that queries it.
    pub(crate) accessor: Ident,
    pub(crate) key: Key,
    /// Whether its partition key is that of the table, as that of a local index is.
    pub(crate) inherits_pk: bool,
    pub(crate) when: Option<When>,
    /// Whether every item must be in it, since a field is stored in its key alone: no function of it gives `None`.
    pub(crate) holds_all: bool,
}

/// What decides whether an item is in an index.
pub(crate) enum When {
    Field(Box<Part>),
    /// A function of the entity, which may look at any field.
    Function {
        path: Path,
        fields: Vec<Part>,
    },
}

impl Index {
    /// The fields that its key is made of, and those that decide whether an item is in it.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Part> {
        let parts = self.key.parts().flat_map(Part::sources);
        parts.chain(self.deciding())
    }

    fn deciding(&self) -> &[Part] {
        match &self.when {
            None => &[],
            Some(When::Field(field)) => std::slice::from_ref(&**field),
            Some(When::Function { fields, .. }) => fields,
        }
    }

    /// The fields that its templates do not name as placeholders.
    pub(crate) fn inputs(&self) -> Vec<&Part> {
        let several = self.key.parts().flat_map(|part| &part.inputs);
        distinct(several.chain(self.deciding()))
    }

    /// Whether any field may decide whether an item is in it.
    fn is_decided_by_all(&self) -> bool {
        matches!(self.when, Some(When::Function { .. }))
    }

    /// Whether a function of the user's may leave an item out of it, as far as the spelling tells.
    pub(crate) fn has_user_function(&self) -> bool {
        let mut functions = self.key.parts().flat_map(|part| &part.functions);
        functions.any(|function| matches!(function, Function::Path(_)))
    }

    /// Whether an item may not be in it, as far as the spelling tells.
    pub(crate) fn may_leave_out(&self) -> bool {
        let mut parts = self.key.parts();
        self.when.is_some()
            || self.has_user_function() && !self.holds_all
            || parts.any(Part::is_sparse)
    }

    /// Whether the same decides whether an item is in it as in another index.
    pub(crate) fn is_decided_like(&self, other: &Self) -> bool {
        match (&self.when, &other.when) {
            (Some(When::Field(a)), Some(When::Field(b))) => a.path == b.path,
            (Some(When::Function { path: a, .. }), Some(When::Function { path: b, .. })) => {
                a.to_token_stream().to_string() == b.to_token_stream().to_string()
            }
            _ => false,
        }
    }

    /// Whether an item may not be in it although a field has a value, as far as the spelling of types tells.
    pub(crate) fn is_sparse_without(&self, path: &str) -> bool {
        let mut parts = self.key.parts();
        self.when.is_some() || parts.any(|part| part.path != path && part.is_sparse())
    }
}

/// A field that keys are made of, and that the types of its constant do not tell all about.
pub(crate) struct Feed<'e> {
    pub(crate) part: &'e Part,
    /// Whether the primary key gives it back as it is.
    pub(crate) is_known: bool,
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
    pub(super) fn index_parts<'e>(&'e self, index: &'e Index) -> impl Iterator<Item = &'e Part> {
        let parts = index.fields();
        parts.filter(|part| !self.is_in_key(&part.path))
    }

    /// Whether a field may decide about an index whose function is given the whole entity.
    pub(super) fn is_decided_by_all(&self) -> bool {
        self.indexes.iter().any(Index::is_decided_by_all)
    }

    /// Whether a field is stored in the keys of indexes alone.
    pub(crate) fn is_index_only(&self, field: &Field) -> bool {
        let name = field.ident.unraw().to_string();
        let mut key = self.key.parts();
        field.key_only && !key.any(|part| part.path == name && part.is_readable())
    }

    /// Where the key of an index has the value of a field that is stored there alone.
    pub(crate) fn index_slots(
        &self,
        field: &Field,
    ) -> impl Iterator<Item = (usize, &Part, KeySlot)> {
        let name = field.ident.unraw().to_string();
        let indexes = self.indexes.iter().enumerate();
        indexes.filter_map(move |(n, index)| {
            let is_it = |part: &Part| part.path == name && part.is_readable();
            let slot = index.key.slot(is_it)?;
            Some((n, index.key.parts().find(|part| is_it(part))?, slot))
        })
    }

    /// Whether a write fills a field in, or writes more than the field with it. Unique values expire with their item.
    pub(super) fn is_managed(&self, field: &Field) -> bool {
        match field.managed {
            Some(ManagedRole::Ttl) => self.has(ManagedRole::Unique),
            managed => managed.is_some(),
        }
    }

    /// Whether it is the only entity of its table.
    pub(crate) fn has_own_table(&self) -> bool {
        self.table.is_ident(&self.ident)
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
        let parts = self.indexes.iter().flat_map(Index::fields);
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

    /// Whether the key says all fields that are in it, or their values are given to its functions, so that an item can be made of it.
    pub(crate) fn is_made_of_key(&self) -> bool {
        let is_said = |part: &Part| self.slot(part).is_some() || !part.functions.is_empty();
        let mut parts = self.key.parts();
        parts.all(|part| !part.path.contains('.') && is_said(part))
    }

    /// The fields of the primary key that it does not give back: what a new item has of them is what the functions are given.
    pub(crate) fn given_parts(&self) -> Vec<&Part> {
        let parts = distinct(self.key.parts()).into_iter();
        parts.filter(|part| self.slot(part).is_none()).collect()
    }

    /// Whether a write may delete an item without looking at it.
    pub(crate) fn is_deletable(&self) -> bool {
        !self.has(ManagedRole::Unique)
    }

    /// Whether every write is right without a condition.
    pub(crate) fn is_unconditional(&self) -> bool {
        self.is_deletable() && !self.has(ManagedRole::Version) && self.shares_key_with.is_empty()
    }

    /// Whether an item can have expired.
    pub(crate) fn is_expiring(&self) -> bool {
        self.has(ManagedRole::Ttl)
    }

    /// What the field is to updates.
    pub(crate) fn role(&self, field: &Field) -> FieldRole {
        let name = field.ident.unraw().to_string();
        let is = |part: &Part| part.path.split('.').next() == Some(&name);
        let mut indexed = self.indexes.iter().flat_map(Index::fields);
        match field.managed {
            Some(ManagedRole::Version | ManagedRole::CreatedAt | ManagedRole::UpdatedAt) => {
                FieldRole::Managed
            }
            Some(ManagedRole::Unique) => FieldRole::Unique,
            Some(ManagedRole::Variant) => FieldRole::Variant,
            _ if self.key.parts().any(is) => FieldRole::InKey,
            Some(ManagedRole::Ttl) if self.has(ManagedRole::Unique) => FieldRole::UniqueExpiry,
            _ if self.is_decided_by_all() => FieldRole::Deciding,
            _ if indexed.any(is) => {
                let inputs = self.indexes.iter().flat_map(Index::inputs);
                let setters = self.setters().into_iter();
                let mut setters = setters.filter(|setter| setter.parts.iter().any(|part| is(part)));
                FieldRole::InIndex {
                    setter: setters.next().map(|setter| setter.name),
                    is_input: inputs.into_iter().any(is),
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
    /// The tag of an enum.
    Variant,
    Unique,
    /// The TTL of an item with unique values, which expire with it.
    UniqueExpiry,
    InKey,
    /// Part of the key of an index, with the setter for it if there is one.
    InIndex {
        setter: Option<Ident>,
        /// Whether a key is made of it that no attribute of the field can be.
        is_input: bool,
    },
    /// It may decide whether the item is in an index, by a function of the whole entity.
    Deciding,
}
