//! Proofs about entities and tables, at compile time.
//!
//! Each check is a `const fn` that panics with a message for the user; the derives call them in `const _`, at the place
//! they are about.

#![expect(clippy::missing_panics_doc, reason = "to panic is what they are for")]

mod attribute;
mod collection;
mod common;
mod disjoint;
mod entity;
mod managed;
mod overlap;
mod projection;
mod shared;
mod steps;

pub use disjoint::check_disjoint;
pub use entity::{
    check_delimited_entity, check_entity, check_local, check_partition, check_sort,
    check_sort_plain, is_open,
};

pub use collection::check_member;
pub use managed::{check_index_only, check_when, has_separate_key};
pub use overlap::Overlap;
pub use projection::{check_covered, check_projected_field};
pub use steps::{check_step, shared_range};
