//! The proofs that generated code asks for: each panics in const with a message for the user.

use super::meet::compare;
use super::search::Answer;
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
    !matches!(compare_keys(a, b), Answer::Apart)
}

const fn compare_keys(a: &Keys, b: &Keys) -> Answer {
    let pk = compare(&a.pk, &b.pk);
    if let Answer::Apart = pk {
        return Answer::Apart;
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
        Answer::Apart => {}
        Answer::Meet => panic!("{}", message::collision(table, a, b).as_str()),
        Answer::Unknown => panic!("{}", message::too_long(table, a, b).as_str()),
    }
}

/// Why a key could be read back in more than one way.
#[derive(Clone, Copy, Debug)]
pub enum Ambiguity {
    /// `<name..>` is followed by something.
    RestNotLast(Part),
    /// A number or binary key is not the whole key.
    OpaqueNotAlone(Part),
    /// The type's own text can contain the delimiter.
    Delimiter(Part),
    /// This word of the type contains the delimiter.
    DelimiterInWord(Part, &'static str),
    /// Nothing tells where the placeholder ends.
    VariableWidth(Part),
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
#[must_use]
pub const fn ambiguity(t: &Template) -> Option<Ambiguity> {
    let mut i = 0;
    while i < t.fields.len() {
        let last = i + 1 == t.fields.len();
        let end = if last { Next::End } else { Next::Delimiter };
        match t.fields[i].kind {
            Kind::Lit(_) => {}
            Kind::Part(part) => {
                let alone = t.fields.len() == 1;
                if let (Shape::Opaque, false) = (part.shape, alone) {
                    return Some(Ambiguity::OpaqueNotAlone(part));
                }
                if let Some(why) = part_ambiguity(part, end, t.delimiter) {
                    return Some(why);
                }
            }
            Kind::Mixed(segs) => {
                let mut k = 0;
                while k < segs.len() {
                    if let Seg::Part(part) = segs[k] {
                        let next = if k + 1 == segs.len() {
                            end
                        } else {
                            Next::Seg(segs[k + 1])
                        };
                        if let Shape::Opaque = part.shape {
                            return Some(Ambiguity::OpaqueNotAlone(part));
                        }
                        if let Some(why) = part_ambiguity(part, next, t.delimiter) {
                            return Some(why);
                        }
                    }
                    k += 1;
                }
            }
        }
        i += 1;
    }
    None
}

/// What follows a placeholder.
#[derive(Clone, Copy)]
enum Next {
    End,
    Delimiter,
    Seg(Seg),
}

const fn part_ambiguity(part: Part, next: Next, delimiter: u8) -> Option<Ambiguity> {
    match part.shape {
        Shape::Opaque => return None,
        Shape::Rest => {
            return match next {
                Next::End => None,
                _ => Some(Ambiguity::RestNotLast(part)),
            };
        }
        Shape::OneOf(words) => {
            if let Some(word) = word_containing(words, delimiter) {
                return Some(Ambiguity::DelimiterInWord(part, word));
            }
        }
        shape => {
            if shape.can_contain(delimiter) {
                return Some(Ambiguity::Delimiter(part));
            }
        }
    }
    let Next::Seg(seg) = next else {
        return None; // it ends where its field ends
    };
    let text = match seg {
        Seg::Lit(text) => text.as_bytes(),
        Seg::Part(_) => &[],
    };
    match part.shape {
        Shape::Number(_) => match text {
            [first, ..] if !first.is_ascii_digit() => None,
            _ => Some(Ambiguity::VariableWidth(part)),
        },
        Shape::OneOf(words) => words_ambiguity(part, words, text),
        shape if shape.is_fixed_width() => None,
        _ => Some(Ambiguity::VariableWidth(part)),
    }
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

/// Proves that the numbers in a sort key sort by value.
///
/// # Panics
///
/// If [`unsortable`] finds one that does not.
#[track_caller]
pub const fn assert_sortable(entity: &str, t: &Template) {
    if let Some(part) = unsortable(t) {
        panic!("{}", message::unsortable(entity, t, part).as_str())
    }
}

/// The first number of a template that has no fixed width and so sorts as text.
#[must_use]
pub const fn unsortable(t: &Template) -> Option<Part> {
    let mut i = 0;
    while i < t.fields.len() {
        match t.fields[i].kind {
            Kind::Lit(_) => {}
            Kind::Part(part) => {
                if let Shape::Number(_) = part.shape {
                    return Some(part);
                }
            }
            Kind::Mixed(segs) => {
                let mut k = 0;
                while k < segs.len() {
                    if let Seg::Part(part) = segs[k]
                        && let Shape::Number(_) = part.shape
                    {
                        return Some(part);
                    }
                    k += 1;
                }
            }
        }
        i += 1;
    }
    None
}
