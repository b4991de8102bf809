//! Can two templates produce the same string?

use super::field::{LIT, LONG, REST};
use super::nfa::Nfa;
use super::overlap::compare_fields;
use super::search::{Relation, search, write_common};
use super::{ConstString, Kind, Template};

/// Can both templates produce the same string?
#[must_use]
pub const fn intersect(a: &Template, b: &Template) -> bool {
    !matches!(compare(a, b), Relation::Disjoint)
}

/// Would `begins_with` on the first `n` fields of `a` and a delimiter return a key of `b`?
///
/// With `n == 0` there is no condition: always. With all fields of `a` the condition is equality.
#[must_use]
pub const fn prefix_intersects(a: &Template, n: usize, b: &Template) -> bool {
    if n == 0 {
        return true;
    }
    if n >= a.fields.len() {
        return intersect(a, b);
    }
    let aligned = a.delimiter == b.delimiter;
    let mut i = 0;
    while i < n {
        if i >= b.fields.len() {
            return false;
        }
        if !aligned || (a.fields[i].code | b.fields[i].code) & REST != 0 {
            if takes_all(b, i) {
                return true; // a prefix is never empty
            }
            let prefix = Nfa::fields(a, i, n).and_more(a.delimiter);
            return !matches!(search(&prefix, &nfa_from(b, i)).answer, Relation::Disjoint);
        }
        if let Relation::Disjoint = compare_fields(&a.fields[i], &b.fields[i], a.delimiter) {
            return false;
        }
        i += 1;
    }
    b.fields.len() > n
}

/// A shortest string that both templates can produce, to show to people.
///
/// Empty if there is none, or if the templates are too long to look for one.
#[must_use]
pub const fn witness(a: &Template, b: &Template) -> ConstString {
    let mut out = ConstString::new();
    if write_witness(a, b, &mut out) {
        out
    } else {
        ConstString::new()
    }
}

const fn write_witness(a: &Template, b: &Template, out: &mut ConstString) -> bool {
    let aligned = a.delimiter == b.delimiter;
    let mut i = 0;
    while i < a.fields.len() && i < b.fields.len() {
        let (left, right) = (&a.fields[i], &b.fields[i]);
        if i > 0 {
            out.push_ascii(a.delimiter);
        }
        if left.is_opaque() && right.is_opaque() {
            out.push("0");
            return true;
        }
        if !aligned || (left.code | right.code) & REST != 0 {
            return write_common(&nfa_from(a, i), &nfa_from(b, i), out);
        }
        if !matches!(
            compare_fields(left, right, a.delimiter),
            Relation::Intersecting
        ) {
            return false;
        }
        match (left.kind, right.kind) {
            (Kind::Lit(text), _) | (_, Kind::Lit(text)) => out.push(text),
            _ => {
                let left = Nfa::field(left, a.delimiter);
                let right = Nfa::field(right, b.delimiter);
                if !write_common(&left, &right, out) {
                    return false;
                }
            }
        }
        i += 1;
    }
    a.fields.len() == b.fields.len()
}

/// [`intersect`], telling proof from doubt.
pub(super) const fn compare(a: &Template, b: &Template) -> Relation {
    let (left, right) = (a.fields, b.fields);
    let aligned = a.delimiter == b.delimiter;
    let (mut answer, mut i) = (Relation::Intersecting, 0);
    while i < left.len() && i < right.len() {
        let (code, other) = (left[i].code, right[i].code);
        // A `<rest..>` may run over delimiters: from here on, fields no longer line up.
        if !aligned || (code | other) & REST != 0 {
            return answer.and(compare_tails(a, b, i));
        }
        if code == other && code & LONG == 0 {
            i += 1;
            continue;
        }
        if code & other & LIT != 0 && code != other {
            return Relation::Disjoint;
        }
        answer = answer.and(compare_fields(&left[i], &right[i], a.delimiter));
        if let Relation::Disjoint = answer {
            return Relation::Disjoint;
        }
        i += 1;
    }
    if left.len() == right.len() {
        answer
    } else {
        Relation::Disjoint
    }
}

/// Everything from field `i` on.
const fn compare_tails(a: &Template, b: &Template, i: usize) -> Relation {
    if takes_all(a, i) {
        return Relation::intersecting_if(!is_empty_from(b, i));
    }
    if takes_all(b, i) {
        return Relation::intersecting_if(!is_empty_from(a, i));
    }
    search(&nfa_from(a, i), &nfa_from(b, i)).answer
}

const fn nfa_from(t: &Template, i: usize) -> Nfa {
    Nfa::fields(t, i, t.fields.len())
}

/// Is field `i` a final placeholder that can be any text?
const fn takes_all(t: &Template, i: usize) -> bool {
    let lone = matches!(t.fields[i].kind, Kind::Part(_));
    lone && t.fields[i].code & REST != 0 && i + 1 == t.fields.len()
}

/// Is nothing the only thing that can follow?
const fn is_empty_from(t: &Template, i: usize) -> bool {
    i + 1 == t.fields.len() && t.fields[i].lengths().1 == 0
}
