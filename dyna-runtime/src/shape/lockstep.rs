//! Two fields, at least one of which mixes text and placeholders.
//!
//! They are walked in step as long as the next two pieces end at the same place in every common
//! text: `v<major>.<minor>` against `v<n>-x` needs no automaton. Only what is left goes to one.

use super::nfa::Nfa;
use super::overlap::shapes_meet;
use super::search::{Relation, search};
use super::{Bytes, DIGIT, Kind, Run, Seg, Shape, starts_with};

/// The rest of a field.
struct Walk {
    head: Head,
    later: &'static [Seg],
}

#[derive(Clone, Copy)]
enum Head {
    End,
    Text(&'static [u8]),
    Part(Shape),
}

/// Can two fields that cannot produce the delimiter produce the same text?
pub(super) const fn compare_in_step(a: &Kind, b: &Kind, delimiter: u8) -> Relation {
    let (mut left, mut right) = (Walk::new(a), Walk::new(b));
    loop {
        match (left.head, right.head) {
            (Head::End, Head::End) => return Relation::Intersecting,
            (Head::End, Head::Text(_)) | (Head::Text(_), Head::End) => return Relation::Disjoint,
            (Head::Text(x), Head::Text(y)) => {
                let both = if x.len() < y.len() { x.len() } else { y.len() };
                if !starts_with(x, y.split_at(both).0) {
                    return Relation::Disjoint;
                }
                (left, right) = (left.after(both), right.after(both));
            }
            (Head::Part(x), Head::Part(y)) if left.ends_with(&right) => {
                if !shapes_meet(x, y, delimiter) {
                    return Relation::Disjoint;
                }
                (left, right) = (left.after(0), right.after(0));
            }
            _ => break,
        }
    }
    if left.takes_all_of(&right) || right.takes_all_of(&left) {
        return Relation::Intersecting;
    }
    if left.first_byte().and(right.first_byte()).is_empty() {
        return Relation::Disjoint;
    }
    search(&left.nfa(delimiter), &right.nfa(delimiter)).answer
}

impl Walk {
    const fn new(kind: &Kind) -> Walk {
        match *kind {
            Kind::Lit(text) => Walk::text(text.as_bytes(), &[]),
            Kind::Part(part) => Walk {
                head: Head::Part(part.shape),
                later: &[],
            },
            Kind::Mixed(segs) => Walk::segs(segs),
        }
    }

    const fn segs(segs: &'static [Seg]) -> Walk {
        match segs {
            [] => Walk {
                head: Head::End,
                later: segs,
            },
            [Seg::Lit(text), later @ ..] => Walk::text(text.as_bytes(), later),
            [Seg::Part(part), later @ ..] => Walk {
                head: Head::Part(part.shape),
                later,
            },
        }
    }

    const fn text(text: &'static [u8], later: &'static [Seg]) -> Walk {
        if text.is_empty() {
            return Walk::segs(later);
        }
        Walk {
            head: Head::Text(text),
            later,
        }
    }

    /// The rest after `n` bytes of text, or after a placeholder.
    const fn after(self, n: usize) -> Walk {
        match self.head {
            Head::Text(text) => Walk::text(text.split_at(n).1, self.later),
            Head::End | Head::Part(_) => Walk::segs(self.later),
        }
    }

    /// Do two placeholders end at the same place in every common text?
    const fn ends_with(&self, other: &Walk) -> bool {
        let (Head::Part(x), Head::Part(y)) = (self.head, other.head) else {
            return false;
        };
        match (x.width(), y.width()) {
            (Some(x), Some(y)) => x == y,
            _ => self.is_whole_number() && other.is_whole_number(),
        }
    }

    /// Is this a number that ends where the digits end?
    const fn is_whole_number(&self) -> bool {
        let Head::Part(Shape::Number(_)) = self.head else {
            return false;
        };
        match self.later {
            [] => true,
            [Seg::Lit(text), ..] => match text.as_bytes() {
                [first, ..] => !first.is_ascii_digit(),
                [] => false,
            },
            [Seg::Part(_), ..] => false,
        }
    }

    /// Is this text up to the end, which can be whatever the other is?
    const fn takes_all_of(&self, other: &Walk) -> bool {
        let text = matches!((self.head, self.later), (Head::Part(Shape::Text), []));
        let something = match other.head {
            Head::End => false,
            Head::Text(_) => true,
            Head::Part(shape) => shape.lengths().0 > 0,
        };
        text && something
    }

    /// The possible first bytes; `ANY` where they are hard to compute.
    const fn first_byte(&self) -> Bytes {
        match self.head {
            Head::Text([first, ..]) => Bytes::one(*first),
            Head::Part(Shape::Digits(1..) | Shape::Number(_)) => DIGIT,
            Head::Part(Shape::Fixed([Run { set, n: 1.. }, ..])) => *set,
            _ => Bytes::ANY,
        }
    }

    const fn nfa(&self, delimiter: u8) -> Nfa {
        let nfa = match self.head {
            Head::End => Nfa::empty(),
            Head::Text(text) => Nfa::empty().and_text(text),
            Head::Part(shape) => Nfa::empty().and_shape(shape, delimiter),
        };
        nfa.and_segs(self.later, delimiter)
    }
}
