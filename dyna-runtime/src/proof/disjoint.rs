//! The proof that no two entities of a table make the same key.

use crate::entity::EntityMeta;
use crate::proof::common::keys_of;
use crate::proof::managed::check_sentinels;
use crate::proof::shared::{check_shared, shares_with};
use crate::shape::assert_disjoint;

/// Proves that entity `at` of a table writes no key that a later one writes too, unless both say so and their tags tell them apart.
#[track_caller]
pub const fn check_disjoint(entities: &[&'static EntityMeta], at: usize) {
    let a = entities[at];
    check_sentinels(entities, at);
    let mut other = at + 1;
    while other < entities.len() {
        let b = entities[other];
        // An entity with errors has no name, and enough errors.
        if !a.name.is_empty() && !b.name.is_empty() {
            if shares_with(a, b) || shares_with(b, a) {
                check_shared(a, b);
            } else {
                assert_disjoint(a.schema.type_name, &keys_of(a), &keys_of(b));
            }
        }
        other += 1;
    }
}
