//! The pairwise matrix: entities that have every pair of features between them, under every kind of request, beside a model.
//!
//! The build script writes the entities (`generator`): few of them, with several features each, so that every pair of features is in
//! one. Each runs random programs on the embedded engine. After each write, a plain scan is compared with a model (`laws`) that is
//! written from the laws: every key is what a naive expansion of its template makes of the stored fields, every attribute is encoded by
//! hand, and nothing else is stored. Every kind of read gives what the model has.
//!
//! `DYNA_MATRIX_SEEDS=1000 cargo test -p dyna-laws matrix` runs longer. What is known to fail is listed in `known`;
//! `DYNA_MATRIX_STRICT=1,2` fails for these points, `DYNA_MATRIX_STRICT=all` for all of them.

mod case;
mod edges;
mod known;
mod laws;
mod plain;
mod programs;
mod reads;
mod rng;
mod shared;
mod template;
mod values;
mod world;

/// The entities.
#[allow(clippy::all, clippy::pedantic, unused_imports)] // Generated.
mod cases {
    use super::case::{Case, Change, Edge, How, KeySpec};
    use super::plain::{Item, Plain, binaries, bytes, list, number, numbers, strings, text};
    use super::rng::Rng;
    use super::values::{Addr, Any, Deep, Inner, LONG, Shape, full, hex};
    use dyna_runtime::{
        Cursor, Delete, DynaCollection, DynaEntity, DynaProjection, DynaTable, Key, Page, Put,
        Rekey, ResponseFuture, Table, Update,
    };
    use jiff::Timestamp;
    use rust_decimal::Decimal;
    use serde::{Deserialize, Serialize};
    use serde_bytes::ByteBuf;
    use std::collections::{BTreeMap, BTreeSet};

    include!(concat!(env!("OUT_DIR"), "/matrix.rs"));
    pub(crate) use for_each_case;
}

use case::Case;
use std::collections::BTreeSet;

/// Fails with what is not known to fail.
fn report<C: Case>(failures: &[String]) {
    let shown: Vec<_> = failures.iter().take(12).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{} has {:?}; {} failures:\n{}",
        C::NAME,
        C::FEATURES,
        failures.len(),
        shown.join("\n")
    );
}

macro_rules! tests {
    ($($case:ident)*) => {
        $(mod $case {
            use super::cases::$case::Thing;

            #[tokio::test]
            async fn programs_keep_the_laws() {
                super::report::<Thing>(&super::programs::programs::<Thing>().await);
            }

            #[tokio::test]
            async fn edges_come_back_or_are_refused() {
                super::report::<Thing>(&super::edges::try_edges::<Thing>().await);
                super::report::<Thing>(&super::edges::try_spellings::<Thing>().await);
            }

            #[tokio::test]
            async fn foreign_items_are_recognized() {
                super::report::<Thing>(&super::shared::probes::<Thing>().await);
            }
        })*

        /// The features of each entity.
        const CASES: &[&[&str]] = &[$(<cases::$case::Thing as Case>::FEATURES),*];
    };
}

cases::for_each_case!(tests);

#[test]
fn every_pair_of_features_is_in_an_entity_or_listed_as_impossible() {
    let pairs = |features: &[&'static str]| -> BTreeSet<(&str, &str)> {
        let pairs = features
            .iter()
            .flat_map(|a| features.iter().map(|b| (*a, *b)));
        pairs.filter(|(a, b)| a < b).collect()
    };
    let covered: BTreeSet<_> = CASES.iter().flat_map(|case| pairs(case)).collect();
    let impossible = cases::IMPOSSIBLE.iter();
    let impossible: BTreeSet<_> = impossible
        .map(|(a, b, reason)| {
            assert!(!reason.is_empty());
            (*a.min(b), *a.max(b))
        })
        .collect();
    assert!(covered.is_disjoint(&impossible));
    let both: BTreeSet<_> = covered.union(&impossible).copied().collect();
    assert_eq!(both, pairs(cases::FEATURES));
}
