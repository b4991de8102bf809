//! The setters of indexes: what an update sets together, so that their keys follow.

use super::{Entity, Index, KeySlot, Part, distinct, names};
use syn::Ident;

/// Indexes that have fields in common, so that an update sets the fields of all of them together.
pub(crate) struct Setter<'e> {
    /// `set_by_status`, or `set_by_status_and_by_owner`.
    pub(crate) name: Ident,
    pub(crate) indexes: Vec<(usize, &'e Index)>,
    /// The fields that are not in the primary key.
    pub(crate) parts: Vec<&'e Part>,
    /// The fields that are given, in the order of the templates.
    pub(crate) args: Vec<&'e Part>,
    /// Fields that the primary key gives back, and where.
    pub(crate) known: Vec<(&'e Part, KeySlot)>,
    /// Fields of the primary key that it does not give back, so that they are given too.
    pub(crate) asked: Vec<&'e Part>,
    /// Fields that have to be what is stored, since the key does not give them back as they are.
    pub(crate) expected: Vec<&'e Part>,
}

/// Indexes that have fields in common, and those fields that are not in the primary key.
struct Group<'e> {
    indexes: Vec<(usize, &'e Index)>,
    parts: Vec<&'e Part>,
}

impl Entity {
    /// The indexes by what an update sets together, knowing nothing but the key of the item. A field that is unique or filled in is
    /// not set so, and no other field of its indexes.
    pub(crate) fn setters(&self) -> Vec<Setter<'_>> {
        let managed = |part: &&Part| {
            self.field(&part.path)
                .is_some_and(|field| self.is_managed(field))
        };
        let groups = self.groups().into_iter();
        let groups =
            groups.filter(|group| !self.is_decided_by_all() && !group.parts.iter().any(managed));
        groups.map(|group| self.setter(group)).collect()
    }

    fn setter<'e>(&'e self, group: Group<'e>) -> Setter<'e> {
        let Group { indexes, parts } = group;
        let all = || indexes.iter().flat_map(|(_, index)| index.fields());
        // What the key has the text of need not be given.
        let in_key = all().filter(|part| self.is_in_key(&part.path) && !self.is_copied(part));
        let in_key: Vec<_> = in_key.collect();
        let (mut known, mut asked) = (Vec::new(), Vec::new());
        for part in distinct(in_key.iter().copied()) {
            match self.slot(part) {
                Some(slot) => known.push((part, slot)),
                None => asked.push(part),
            }
        }
        let expected = in_key.iter().copied().filter(|part| !self.is_known(part));
        let given = || parts.iter().chain(&asked);
        let is_given = |part: &&Part| given().any(|given| given.path == part.path);
        Setter {
            name: names::setter(indexes.iter().map(|(_, index)| &index.accessor)),
            args: distinct(all().filter(is_given)),
            expected: distinct(expected),
            indexes,
            parts,
            known,
            asked,
        }
    }

    /// The indexes by the fields that they have in common.
    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for (n, index) in self.indexes.iter().enumerate() {
            let parts: Vec<_> = self.index_parts(index).collect();
            if parts.is_empty() {
                continue;
            }
            let shares = |group: &Group<'_>| {
                let mut theirs = group.parts.iter();
                theirs.any(|theirs| parts.iter().any(|part| part.path == theirs.path))
            };
            let (together, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
            groups = apart;
            let indexes = together.iter().flat_map(|group| group.indexes.clone());
            let indexes: Vec<_> = indexes.chain([(n, index)]).collect();
            let all = together.iter().flat_map(|group| group.parts.clone());
            groups.push(Group {
                indexes,
                parts: distinct(all.chain(parts)),
            });
        }
        groups
    }
}
