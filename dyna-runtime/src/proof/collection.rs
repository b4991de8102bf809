//! Proofs about collections: all members share a partition, and the other items in it are known.

use super::overlap::{KeyOwner, Overlap, greater, overlap_with, overlap_with_sentinels};
use crate::entity::EntityMeta;
use crate::entity::collection::CollectionMeta;
use crate::shape;
use crate::shape::{ConstString, Template};

/// Proves that member `at` of a collection is in its index, if it has one, and shares the partition of the first.
#[track_caller]
pub const fn check_member(meta: &CollectionMeta, at: usize) {
    let (first, member) = (meta.members[0], meta.members[at]);
    // An entity or a table with errors has no name, and enough errors.
    if first.name.is_empty() || member.name.is_empty() || first.schema.type_name.is_empty() {
        return;
    }
    let Some(key) = member.key_ref(meta.index) else {
        let text = start(meta, member)
            .with("is not in the index `")
            .with(meta.index.name);
        let text = text
            .with("`\n\nwrite `")
            .with(meta.index.name)
            .with("(pk = \"..\", ..)` on `")
            .with(member.name);
        panic!(
            "{}",
            text.with("`, or leave it out of the collection").as_str()
        )
    };
    let Some(first_key) = first.key_ref(meta.index) else {
        return;
    };
    let (ours, theirs) = (first.templates(first_key).pk, member.templates(key).pk);
    let mut n = 0;
    while n < ours.len() && n < theirs.len() {
        check_template(meta, member, &ours[n], &theirs[n]);
        n += 1;
    }
}

const fn start(meta: &CollectionMeta, member: &EntityMeta) -> ConstString {
    let text = ConstString::new().with("`").with(meta.name).with("`: `");
    text.with(member.name).with("` ")
}

#[track_caller]
const fn check_template(
    meta: &CollectionMeta,
    member: &EntityMeta,
    ours: &Template,
    theirs: &Template,
) {
    let same_text = same_but_names(ours.text, theirs.text);
    if same_text && same_shapes(ours, theirs) {
        return;
    }
    let text = start(meta, member)
        .with("does not share the partition of `")
        .with(meta.members[0].name)
        .with("`\n\n    \"")
        .with(ours.text)
        .with("\"\n    \"")
        .with(theirs.text)
        .with("\"\n\n");
    panic!(
        "{}",
        text.with(if ours.delimiter != theirs.delimiter {
            "the keys are split at different characters: give both the same `delimiter`"
        } else if same_text {
            "the fields have different types: members of a collection have partition keys of one form"
        } else {
            "members of a collection have the same template for their partition key, up to the names of the fields"
        })
        .as_str()
    )
}

/// Whether two templates differ in nothing but the names of fields.
const fn same_but_names(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] != b[j] {
            return false;
        }
        if a[i] == b'<' {
            let (end, other_end) = (after_name(a, i + 1), after_name(b, j + 1));
            // `<<` is a literal.
            if (end == i + 1) != (other_end == j + 1) {
                return false;
            }
            (i, j) = if end == i + 1 {
                (i + 2, j + 2)
            } else {
                (end, other_end)
            };
        } else {
            (i, j) = (i + 1, j + 1);
        }
    }
    i >= a.len() && j >= b.len()
}

/// Where the path of a placeholder ends: at its format, its function, its dots or its end.
const fn after_name(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let ends = match text[at] {
            b':' | b'|' | b'>' | b'<' => true,
            b'.' => at + 1 < text.len() && text[at + 1] == b'.',
            _ => false,
        };
        if ends {
            return at;
        }
        at += 1;
    }
    at
}

/// Whether the fields of two templates have the same shapes.
const fn same_shapes(a: &Template, b: &Template) -> bool {
    if a.fields.len() != b.fields.len() || a.delimiter != b.delimiter {
        return false;
    }
    let mut at = 0;
    while at < a.fields.len() {
        if !shape::same_shape(&a.fields[at], &b.fields[at]) {
            return false;
        }
        at += 1;
    }
    true
}

impl Overlap {
    /// The same as [`Overlap::of`] for a collection whose members are listed at these places: items of members are not foreign.
    pub const fn of_members(
        entities: &[&'static EntityMeta],
        places: &[usize],
        meta: &CollectionMeta,
    ) -> Self {
        let mut reach = [0; Self::KEYS];
        // A member that is not in the index is refused by `check_member`.
        let Some(key) = meta.members[0].key_ref(meta.index) else {
            return Self(reach);
        };
        let slot = key.place();
        let mut at = 0;
        while at < meta.members.len() && slot < Self::KEYS {
            let member = meta.members[at];
            let mut other = 0;
            while other < entities.len() {
                if let Some(key) = member.key_ref(meta.index) {
                    let found = overlap_with_sentinels(member, key, entities[other]);
                    reach[slot] = greater(found, reach[slot]);
                    if !contains(places, other) {
                        let found = overlap_with(member, key, &KeyOwner::Entity(entities[other]));
                        reach[slot] = greater(found, reach[slot]);
                    }
                }
                other += 1;
            }
            at += 1;
        }
        Self(reach)
    }
}

const fn contains(places: &[usize], place: usize) -> bool {
    let mut at = 0;
    while at < places.len() {
        if places[at] == place {
            return true;
        }
        at += 1;
    }
    false
}
