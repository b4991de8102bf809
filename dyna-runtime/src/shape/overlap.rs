//! Can two fields produce the same text?

use super::field::PLAIN;
use super::lockstep::compare_in_step;
use super::search::Relation;
use super::{DIGIT, Field, Kind, Run, Shape, contains_byte, same, starts_with};

/// Two fields that cannot produce the delimiter.
pub(super) const fn compare_fields(a: &Field, b: &Field, delimiter: u8) -> Relation {
    if let (Kind::Lit(x), Kind::Lit(y)) = (a.kind, b.kind) {
        return Relation::intersecting_if(same(x, y));
    }
    let ((a_least, a_most), (b_least, b_most)) = (a.lengths(), b.lengths());
    if a_least > b_most || b_least > a_most {
        return Relation::Disjoint;
    }
    if a.code & b.code & PLAIN != 0 {
        return Relation::Intersecting;
    }
    match (a.kind, b.kind) {
        (Kind::Lit(text), Kind::Part(part)) | (Kind::Part(part), Kind::Lit(text)) => {
            Relation::intersecting_if(text_fits(text, part.shape, delimiter))
        }
        (Kind::Part(x), Kind::Part(y)) => {
            Relation::intersecting_if(shapes_meet(x.shape, y.shape, delimiter))
        }
        _ => compare_in_step(&a.kind, &b.kind, delimiter),
    }
}

/// Does this text have this shape?
pub(super) const fn text_fits(text: &str, shape: Shape, delimiter: u8) -> bool {
    let bytes = text.as_bytes();
    match shape {
        Shape::Rest | Shape::Opaque => !bytes.is_empty(),
        Shape::Optional(shape) => bytes.is_empty() || text_fits(text, *shape, delimiter),
        Shape::Text => !bytes.is_empty() && !contains_byte(text, delimiter),
        Shape::Sized(n) => bytes.len() == n as usize && !contains_byte(text, delimiter),
        Shape::Digits(n) => bytes.len() == n as usize && are_digits(bytes),
        Shape::Number(n) => !bytes.is_empty() && bytes.len() <= n as usize && are_digits(bytes),
        Shape::Fixed(runs) => follow_runs(bytes, runs),
        Shape::OneOf(words) => {
            let mut i = 0;
            while i < words.len() {
                if words[i].len() == bytes.len() && starts_with(words[i].as_bytes(), bytes) {
                    return true;
                }
                i += 1;
            }
            false
        }
    }
}

const fn are_digits(bytes: &[u8]) -> bool {
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_digit() {
            return false;
        }
        i += 1;
    }
    true
}

const fn follow_runs(bytes: &[u8], runs: &[Run]) -> bool {
    let (mut at, mut i) = (0, 0);
    while i < runs.len() {
        let mut k = 0;
        while k < runs[i].n {
            if at == bytes.len() || !runs[i].set.contains(bytes[at]) {
                return false;
            }
            at += 1;
            k += 1;
        }
        i += 1;
    }
    at == bytes.len()
}

/// Two placeholders whose lengths overlap.
pub(super) const fn shapes_meet(a: Shape, b: Shape, delimiter: u8) -> bool {
    match (a, b) {
        (Shape::Optional(_), Shape::Optional(_)) => return true,
        (Shape::Optional(inner), other) | (other, Shape::Optional(inner)) => {
            return text_fits("", other, delimiter)
                || lengths_meet(*inner, other) && shapes_meet(*inner, other, delimiter);
        }
        _ => {}
    }
    match (a, b) {
        (Shape::OneOf(words), other) | (other, Shape::OneOf(words)) => {
            let mut i = 0;
            while i < words.len() {
                if text_fits(words[i], other, delimiter) {
                    return true;
                }
                i += 1;
            }
            false
        }
        (Shape::Fixed(x), Shape::Fixed(y)) => runs_meet(x, y),
        (Shape::Fixed(runs), Shape::Digits(_) | Shape::Number(_))
        | (Shape::Digits(_) | Shape::Number(_), Shape::Fixed(runs)) => {
            let mut i = 0;
            while i < runs.len() {
                if runs[i].n > 0 && runs[i].set.and(DIGIT).is_empty() {
                    return false;
                }
                i += 1;
            }
            true
        }
        // All that is left is text against something of a fitting length.
        _ => true,
    }
}

/// Can two shapes have texts of one length?
const fn lengths_meet(a: Shape, b: Shape) -> bool {
    let ((a_least, a_most), (b_least, b_most)) = (a.lengths(), b.lengths());
    a_least <= b_most && b_least <= a_most
}

/// Two layouts of the same width.
const fn runs_meet(a: &[Run], b: &[Run]) -> bool {
    let (mut i, mut j, mut used_a, mut used_b) = (0, 0, 0, 0);
    while i < a.len() && j < b.len() {
        let (left_a, left_b) = (a[i].n - used_a, b[j].n - used_b);
        let step = if left_a < left_b { left_a } else { left_b };
        if step > 0 && a[i].set.and(b[j].set).is_empty() {
            return false;
        }
        used_a += step;
        used_b += step;
        if step == left_a {
            (i, used_a) = (i + 1, 0);
        }
        if step == left_b {
            (j, used_b) = (j + 1, 0);
        }
    }
    true
}
