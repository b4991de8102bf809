//! Keys that are seen to fit a template without taking them apart: there is one to look at in every item of a page.

/// The bytes of a set, unless there is one that is written otherwise in JSON.
fn ranges(set: Bytes) -> Option<[(u8, u8); 2]> {
    let is_escaped = set.contains(b'"') || set.contains(b'\\');
    set.two_ranges().filter(|_| !is_escaped)
}

#[cfg(test)]
mod tests;

use crate::codec::json::{first_of, plain_text};
use crate::shape::{Bytes, Kind, Part, Run, Seg, Shape, Template, run};

/// How many bytes are looked at together.
const BLOCK: usize = 16;
/// How many such blocks there are at most.
const BLOCKS: usize = 3;

/// The beginning of a template's keys, byte by byte, as far as it has a fixed width; and what comes after it.
///
/// A fast check with false negatives: a key that it rejects may still match.
pub(crate) struct Glance {
    blocks: [Block; BLOCKS],
    /// How many bytes have a fixed place.
    fixed: usize,
    after: After,
    delimiter: u8,
}

/// What some bytes may be: of each, one of two ranges. A range is its first byte, and how many come after that one.
#[derive(Clone, Copy)]
struct Block {
    first: [u8; BLOCK],
    more: [u8; BLOCK],
    other_first: [u8; BLOCK],
    other_more: [u8; BLOCK],
}

impl Block {
    /// Anything.
    const ANY: Self = Self {
        first: [0; BLOCK],
        more: [u8::MAX; BLOCK],
        other_first: [0; BLOCK],
        other_more: [u8::MAX; BLOCK],
    };

    /// Whether these bytes are what they may be. Without branches, which the compiler vectorises.
    #[inline]
    fn takes(&self, bytes: &[u8; BLOCK]) -> bool {
        let mut takes = u8::MAX;
        for (n, byte) in bytes.iter().enumerate() {
            let one = byte.wrapping_sub(self.first[n]) <= self.more[n];
            let other = byte.wrapping_sub(self.other_first[n]) <= self.other_more[n];
            takes &= u8::from(one) | u8::from(other);
        }
        takes != 0
    }
}

/// What comes after the bytes of a fixed place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    /// Something without the delimiter.
    Text,
    /// Something.
    Rest,
    /// Needs a closer look.
    Unknown,
}

impl Glance {
    /// The glance at keys of a template.
    pub(crate) fn new(template: &Template) -> Self {
        let mut glance = Self {
            blocks: [Block::ANY; BLOCKS],
            fixed: 0,
            after: After::Nothing,
            delimiter: template.delimiter,
        };
        for (n, field) in template.fields.iter().enumerate() {
            if n > 0 {
                glance.one(template.delimiter);
            }
            match field.kind() {
                Kind::Lit(text) => glance.text(text),
                Kind::Part(part) => glance.part(part),
                Kind::Mixed(segs) => {
                    for seg in segs {
                        match seg {
                            Seg::Lit(text) => glance.text(text),
                            Seg::Part(part) => glance.part(*part),
                        }
                    }
                }
            }
        }
        glance
    }

    fn text(&mut self, text: &str) {
        for it in text.bytes() {
            self.one(it);
        }
    }

    /// A byte that is always the same.
    fn one(&mut self, byte: u8) {
        let is_written = byte.is_ascii() && byte != b'"' && byte != b'\\';
        let is_fixed = is_written && self.after == After::Nothing;
        if !is_fixed || self.ranges([(byte, byte); 2]).is_none() {
            self.after = After::Unknown;
        }
    }

    fn part(&mut self, part: Part) {
        match part.shape {
            Shape::Digits(n) => self.runs(&[run(crate::shape::DIGIT, n)]),
            Shape::Fixed(runs) => self.runs(runs),
            Shape::Text => self.ends_in(After::Text),
            Shape::Rest | Shape::Opaque => self.ends_in(After::Rest),
            Shape::Sized(_) | Shape::Number(_) | Shape::OneOf(_) | Shape::Optional(_) => {
                self.after = After::Unknown;
            }
        }
    }

    /// The last part; what comes after it makes it unknown.
    fn ends_in(&mut self, after: After) {
        self.after = match self.after {
            After::Nothing => after,
            After::Text | After::Rest | After::Unknown => After::Unknown,
        };
    }

    fn runs(&mut self, runs: &[Run]) {
        for run in runs {
            let ranges = ranges(run.set).filter(|_| self.after == After::Nothing);
            let ranges = ranges.into_iter().cycle().take(run.n.into());
            let known = ranges.filter_map(|ranges| self.ranges(ranges)).count();
            if known < run.n.into() {
                self.after = After::Unknown;
                return;
            }
        }
    }

    /// A byte that is in one of two ranges.
    fn ranges(&mut self, [one, other]: [(u8, u8); 2]) -> Option<()> {
        let block = self.blocks.get_mut(self.fixed / BLOCK)?;
        let n = self.fixed % BLOCK;
        (block.first[n], block.more[n]) = (one.0, one.1 - one.0);
        (block.other_first[n], block.other_more[n]) = (other.0, other.1 - other.0);
        self.fixed += 1;
        Some(())
    }

    /// Whether the attribute at this place of a response is surely a key of the template.
    pub(crate) fn takes(&self, answer: &[u8], place: usize) -> bool {
        if self.after == After::Unknown {
            return false;
        }
        let Some(start) = plain_text(answer, place) else {
            return false;
        };
        let mut at = start;
        let end = start + self.fixed;
        for block in &self.blocks {
            if at >= end {
                break;
            }
            let bytes = answer.get(at..).and_then(<[u8]>::first_chunk);
            if !bytes.is_some_and(|bytes| block.takes(bytes)) {
                return false;
            }
            at += BLOCK;
        }
        let last = match self.after {
            After::Nothing => end,
            After::Text => first_of(answer, end, self.delimiter),
            After::Rest | After::Unknown => first_of(answer, end, b'"'),
        };
        let is_there = last > end || self.after == After::Nothing;
        is_there && matches!(answer.get(last..), Some([b'"', b'}', ..]))
    }
}
