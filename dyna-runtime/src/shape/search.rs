//! The search for a string that two automata accept.

use super::nfa::{NOWHERE, Nfa, STATES};
use super::{ConstString, short};

/// State pairs one search may visit.
const NODES: usize = 8192;
/// Bytes of the longest example.
const PATH: usize = 2048;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// No string fits both.
    Disjoint,
    /// Some string fits both.
    Intersecting,
    /// Too long to tell.
    Unknown,
}

impl Relation {
    pub(super) const fn intersecting_if(intersect: bool) -> Relation {
        if intersect {
            Relation::Intersecting
        } else {
            Relation::Disjoint
        }
    }

    /// For two pairs that must both meet.
    pub(super) const fn and(self, other: Relation) -> Relation {
        match (self, other) {
            (Relation::Disjoint, _) | (_, Relation::Disjoint) => Relation::Disjoint,
            (Relation::Unknown, _) | (_, Relation::Unknown) => Relation::Unknown,
            (Relation::Intersecting, Relation::Intersecting) => Relation::Intersecting,
        }
    }
}

/// A pair of states, and the step that led there.
#[derive(Clone, Copy)]
struct SearchNode {
    at: (u16, u16),
    by: (u16, u16),
    parent: u16,
}

/// A breadth-first search through pairs of states.
pub(super) struct Search {
    nodes: [SearchNode; NODES],
    /// The accepting node, if the result is `Intersecting`.
    found: usize,
    /// Text that both end with, left out of the search.
    tail: u16,
    pub(super) answer: Relation,
}

/// Looks for a shortest string that both automata accept.
#[expect(clippy::large_stack_arrays, reason = "lives in const evaluation")]
pub(super) const fn search(a: &Nfa, b: &Nfa) -> Search {
    let root = SearchNode {
        at: (0, 0),
        by: (0, 0),
        parent: 0,
    };
    let mut result = Search {
        nodes: [root; NODES],
        found: 0,
        tail: 0,
        answer: Relation::Unknown,
    };
    if a.full || b.full {
        return result;
    }
    let Some(tail) = a.common_tail(b) else {
        result.answer = Relation::Disjoint;
        return result;
    };
    result.tail = tail;
    let (end_a, end_b) = (a.len - tail, b.len - tail);
    let mut seen = [0u64; STATES * STATES / 64];
    seen[0] = 1;
    let (mut head, mut count) = (0, 1);
    while head < count {
        let (from_a, from_b) = result.nodes[head].at;
        let mut i = from_a;
        while i != NOWHERE {
            let mut j = from_b;
            while j != NOWHERE {
                if i == end_a && j == end_b {
                    result.found = head;
                    result.answer = Relation::Intersecting;
                    return result;
                }
                if i < end_a && j < end_b && a.agrees(i, b, j) {
                    let at = (a.next[i as usize], b.next[j as usize]);
                    let bit = at.0 as usize * STATES + at.1 as usize;
                    if seen[bit / 64] >> (bit % 64) & 1 == 0 {
                        seen[bit / 64] |= 1 << (bit % 64);
                        if count == NODES {
                            return result;
                        }
                        let parent = short(head);
                        let by = (i, j);
                        result.nodes[count] = SearchNode { at, by, parent };
                        count += 1;
                    }
                }
                j = b.alt[j as usize];
            }
            i = a.alt[i as usize];
        }
        head += 1;
    }
    result.answer = Relation::Disjoint;
    result
}

/// Appends a shortest string that both automata accept; `false` if none was found.
pub(super) const fn write_common(a: &Nfa, b: &Nfa, out: &mut ConstString) -> bool {
    let search = search(a, b);
    if !matches!(search.answer, Relation::Intersecting) {
        return false;
    }
    let mut path = [0; PATH];
    let (mut first, mut n) = (PATH, 0);
    while n < search.tail {
        n += 1;
        first -= 1;
        path[first] = a.text_byte(a.len - n);
    }
    let mut at = search.found;
    while at != 0 && first > 0 {
        let node = search.nodes[at];
        first -= 1;
        path[first] = a.shown(node.by.0, b, node.by.1);
        at = node.parent as usize;
    }
    match core::str::from_utf8(path.split_at(first).1) {
        Ok(text) if at == 0 => {
            out.push(text);
            true
        }
        _ => false,
    }
}
