//! The proofs that generated code asks for: each panics in const with a message for the user.

use super::intersect::compare;
use super::search::Relation;
use super::{Kind, Part, Seg, Shape, Template, contains_byte, message, starts_with};

/// The primary key of one entity.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The entity's name.
    pub entity: &'static str,
    /// Its partition key.
    pub pk: Template,
    /// Its sort key, if the table has one.
    pub sk: Option<Template>,
}

/// Can two entities write the same key?
#[must_use]
pub const fn collide(a: &Keys, b: &Keys) -> bool {
    !matches!(compare_keys(a, b), Relation::Disjoint)
}

const fn compare_keys(a: &Keys, b: &Keys) -> Relation {
    let pk = compare(&a.pk, &b.pk);
    if let Relation::Disjoint = pk {
        return Relation::Disjoint;
    }
    match (&a.sk, &b.sk) {
        (Some(x), Some(y)) => pk.and(compare(x, y)),
        _ => pk,
    }
}

/// Proves that two entities of a table never write the same key.
///
/// # Panics
///
/// If they can, or if that cannot be ruled out.
#[track_caller]
pub const fn assert_disjoint(table: &str, a: &Keys, b: &Keys) {
    match compare_keys(a, b) {
        Relation::Disjoint => {}
        Relation::Intersecting => panic!("{}", message::collision(table, a, b).as_str()),
        Relation::Unknown => panic!("{}", message::too_long(table, a, b).as_str()),
    }
}

/// Why a key could be read back in more than one way.
#[derive(Clone, Copy, Debug)]
pub enum Ambiguity {
    /// `<name..>` is followed by a placeholder without a fixed width, the second.
    RestBeforeOpen(Part, Part),
    /// A number or binary key is not the whole key.
    OpaqueNotAlone(Part),
    /// The type's own text can contain the delimiter.
    Delimiter(Part),
    /// This word of the type contains the delimiter.
    DelimiterInWord(Part, &'static str),
    /// Nothing tells where the placeholder ends: it has no fixed width, nor has all that follows it.
    VariableWidth(Part, &'static [Seg]),
    /// The first word begins the second, and what follows cannot tell them apart.
    WordsBeginAlike(Part, &'static str, &'static str),
}

/// Proves that every key is read back in exactly one way.
///
/// # Panics
///
/// If [`ambiguity`] finds something.
#[track_caller]
pub const fn assert_unambiguous(entity: &str, t: &Template) {
    if let Some(why) = ambiguity(t) {
        panic!("{}", message::ambiguous(entity, t, why).as_str())
    }
}

/// The first reason why a key of this template could be read back in more than one way.
///
/// A field between delimiters is read from the left as long as its placeholders tell where they end. One that does not is read from
/// the right: then everything after it in the field, or after a `<rest..>` in the key, has a fixed width.
#[must_use]
pub const fn ambiguity(t: &Template) -> Option<Ambiguity> {
    let mut i = 0;
    while i < t.fields.len() {
        match t.fields[i].kind {
            Kind::Lit(_) => {}
            Kind::Part(part) => {
                let alone = t.fields.len() == 1;
                if let (Shape::Opaque, false) = (part.shape, alone) {
                    return Some(Ambiguity::OpaqueNotAlone(part));
                }
                if let Some(why) = part_ambiguity(t, i, part, &[]) {
                    return Some(why);
                }
            }
            Kind::Mixed(segs) => {
                let mut later = segs;
                while let [seg, rest @ ..] = later {
                    if let Seg::Part(part) = *seg {
                        if let Shape::Opaque = part.shape {
                            return Some(Ambiguity::OpaqueNotAlone(part));
                        }
                        if let Some(why) = part_ambiguity(t, i, part, rest) {
                            return Some(why);
                        }
                    }
                    later = rest;
                }
            }
        }
        i += 1;
    }
    None
}

/// A placeholder of field `i`, and what follows it there.
const fn part_ambiguity(
    t: &Template,
    i: usize,
    part: Part,
    later: &'static [Seg],
) -> Option<Ambiguity> {
    match part.shape {
        Shape::Optional(shape) => {
            if let [_, ..] = later {
                return Some(Ambiguity::VariableWidth(part, later));
            }
            let part = Part {
                shape: *shape,
                ..part
            };
            return part_ambiguity(t, i, part, later);
        }
        Shape::Opaque => return None,
        Shape::Rest => {
            return match open_after(t, i, later) {
                Some(open) => Some(Ambiguity::RestBeforeOpen(part, open)),
                None => None,
            };
        }
        Shape::OneOf(words) => {
            if let Some(word) = word_containing(words, t.delimiter) {
                return Some(Ambiguity::DelimiterInWord(part, word));
            }
        }
        shape => {
            if shape.can_contain(t.delimiter) {
                return Some(Ambiguity::Delimiter(part));
            }
        }
    }
    if first_open(later).is_none() {
        return None; // it ends where its field ends, or so many bytes before
    }
    left_ambiguity(part, later)
}

/// Does the beginning of a field up to a placeholder not tell where the placeholder ends? What follows it is `later`.
const fn left_ambiguity(part: Part, later: &'static [Seg]) -> Option<Ambiguity> {
    let text = match later {
        [Seg::Lit(text), ..] => text.as_bytes(),
        _ => &[],
    };
    match part.shape {
        Shape::Number(_) => match text {
            [first, ..] if !first.is_ascii_digit() => None,
            _ => Some(Ambiguity::VariableWidth(part, later)),
        },
        Shape::OneOf(words) => words_ambiguity(part, words, text),
        shape if shape.is_fixed_width() => None,
        _ => Some(Ambiguity::VariableWidth(part, later)),
    }
}

/// Does a placeholder end somewhere that only the whole of its field, or of the key, tells? Then a prefix of the key does not fix it.
///
/// A placeholder that nothing follows but text ends with its field.
#[must_use]
pub const fn is_open(t: &Template, n: usize) -> bool {
    let (mut i, mut at) = (0, 0);
    while i < t.fields.len() {
        match t.fields[i].kind {
            Kind::Lit(_) => {}
            Kind::Part(part) => {
                if at == n {
                    return matches!(part.shape, Shape::Rest) && i + 1 < t.fields.len();
                }
                at += 1;
            }
            Kind::Mixed(segs) => {
                let mut later = segs;
                while let [seg, rest @ ..] = later {
                    if let Seg::Part(part) = *seg {
                        if at == n {
                            let runs_on =
                                matches!(part.shape, Shape::Rest) && i + 1 < t.fields.len();
                            return runs_on
                                || has_part(rest) && left_ambiguity(part, rest).is_some();
                        }
                        at += 1;
                    }
                    later = rest;
                }
            }
        }
        i += 1;
    }
    false
}

const fn has_part(mut segs: &[Seg]) -> bool {
    while let [seg, rest @ ..] = segs {
        if let Seg::Part(_) = seg {
            return true;
        }
        segs = rest;
    }
    false
}

/// The first placeholder without a fixed width.
const fn first_open(mut segs: &[Seg]) -> Option<Part> {
    while let [seg, rest @ ..] = segs {
        if let Seg::Part(part) = *seg
            && !part.shape.is_fixed_width()
        {
            return Some(part);
        }
        segs = rest;
    }
    None
}

/// The first placeholder without a fixed width after one of field `i`.
const fn open_after(t: &Template, i: usize, later: &[Seg]) -> Option<Part> {
    if let Some(part) = first_open(later) {
        return Some(part);
    }
    let mut i = i + 1;
    while i < t.fields.len() {
        let open = match t.fields[i].kind {
            Kind::Lit(_) => None,
            Kind::Part(part) => first_open(&[Seg::Part(part)]),
            Kind::Mixed(segs) => first_open(segs),
        };
        if open.is_some() {
            return open;
        }
        i += 1;
    }
    None
}

const fn word_containing(words: &[&'static str], byte: u8) -> Option<&'static str> {
    let mut i = 0;
    while i < words.len() {
        if contains_byte(words[i], byte) {
            return Some(words[i]);
        }
        i += 1;
    }
    None
}

/// A word that begins another is told apart only by what follows: after "a" comes the literal,
/// after the "a" of "ab" comes "b" and then the literal. The two must differ within the literal.
const fn words_ambiguity(part: Part, words: &[&'static str], literal: &[u8]) -> Option<Ambiguity> {
    let mut i = 0;
    while i < words.len() {
        let mut k = 0;
        while k < words.len() {
            let (a, b) = (words[i].as_bytes(), words[k].as_bytes());
            if a.len() < b.len() && starts_with(b, a) {
                let more = b.split_at(a.len()).1;
                if begins_both(literal, more) {
                    return Some(Ambiguity::WordsBeginAlike(part, words[i], words[k]));
                }
            }
            k += 1;
        }
        i += 1;
    }
    None
}

/// Does `more` followed by `literal` begin with `literal`?
const fn begins_both(literal: &[u8], more: &[u8]) -> bool {
    let mut i = 0;
    while i < literal.len() {
        let other = if i < more.len() {
            more[i]
        } else {
            literal[i - more.len()]
        };
        if literal[i] != other {
            return false;
        }
        i += 1;
    }
    true
}

/// Proves that the numbers in a sort key sort by value, but for the placeholders of these numbers.
///
/// # Panics
///
/// If [`unsortable`] finds one that does not.
#[track_caller]
pub const fn assert_sortable(entity: &str, t: &Template, plain: &[usize]) {
    if let Some(part) = unsortable(t, plain) {
        panic!("{}", message::unsortable(entity, t, part).as_str())
    }
}

/// The first number of a template that has no fixed width and so sorts as text, but for the placeholders of these numbers.
#[must_use]
pub const fn unsortable(t: &Template, plain: &[usize]) -> Option<Part> {
    let (mut i, mut n) = (0, 0);
    while i < t.fields.len() {
        match t.fields[i].kind {
            Kind::Lit(_) => {}
            Kind::Part(part) => {
                if let Shape::Number(_) = part.shape.of_value()
                    && !contains(plain, n)
                {
                    return Some(part);
                }
                n += 1;
            }
            Kind::Mixed(segs) => {
                let mut k = 0;
                while k < segs.len() {
                    if let Seg::Part(part) = segs[k] {
                        if let Shape::Number(_) = part.shape.of_value()
                            && !contains(plain, n)
                        {
                            return Some(part);
                        }
                        n += 1;
                    }
                    k += 1;
                }
            }
        }
        i += 1;
    }
    None
}

const fn contains(mut list: &[usize], n: usize) -> bool {
    while let [first, rest @ ..] = list {
        if *first == n {
            return true;
        }
        list = rest;
    }
    false
}
