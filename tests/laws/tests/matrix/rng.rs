//! Random values from a seed. Few of each, so that items meet; those at the edges more often than chance has it.

use super::known::is_known;
use super::values::{Any, LONG};
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// `SplitMix64`.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    pub(crate) fn pick<'p, T>(&mut self, from: &'p [T]) -> &'p T {
        &from[self.below(from.len())]
    }

    pub(crate) fn option<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) > 0).then(|| make(self))
    }

    pub(crate) fn set<T: Ord>(&mut self, make: impl Fn(&mut Self) -> T) -> BTreeSet<T> {
        (0..self.below(3)).map(|_| make(self)).collect()
    }

    /// What may stand in a key.
    pub(crate) fn word(&mut self) -> String {
        (*self.pick(&["w", "W", "naïve ☃", "x y"])).to_owned()
    }

    pub(crate) fn text(&mut self) -> String {
        (*self.pick(&["", "x", "a#b", "\u{10FFFF}", "\"\\\n\0", "ß"])).to_owned()
    }

    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        self.pick(&[vec![], vec![0], vec![255, 0, 128]]).clone()
    }

    pub(crate) fn decimal(&mut self) -> Decimal {
        let negative_zero = -Decimal::new(0, 2);
        let zeros = Decimal::new(1_100, 3);
        *self.pick(&[
            LONG,
            zeros,
            negative_zero,
            Decimal::MAX,
            Decimal::NEGATIVE_ONE,
        ])
    }

    /// A decimal where serde buffers what it reads.
    pub(crate) fn deep_decimal(&mut self) -> Decimal {
        if is_known(2) {
            *self.pick(&[Decimal::ONE, Decimal::new(15, 1), Decimal::NEGATIVE_ONE])
        } else {
            self.decimal()
        }
    }

    /// A number that is unique, in several spellings.
    pub(crate) fn serial(&mut self) -> Decimal {
        let plain = [Decimal::ONE, Decimal::TWO, Decimal::TEN];
        let zero = Decimal::new(0, 1);
        let spelled = [Decimal::new(110, 2), Decimal::new(11, 1), zero, -zero];
        if is_known(5) {
            *self.pick(&plain)
        } else {
            *self.pick(&[&plain[..], &spelled].concat())
        }
    }

    /// The entries of a flattened map, with names of no one else.
    pub(crate) fn extra(&mut self) -> BTreeMap<String, Any> {
        let names = ["x1", "Note", "naïve", "x y", "pkk"];
        let entries = (0..self.below(3)).map(|_| {
            let name = (*self.pick(&names)).to_owned();
            (name, Any::make(self))
        });
        entries.collect()
    }
}
