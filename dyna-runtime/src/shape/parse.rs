//! Reading keys back at run time.

use super::overlap::text_fits;
use super::{Field, Kind, Seg, Shape, Template};

/// The text of every placeholder in order, if the key fits the template.
#[must_use]
pub fn split<'k>(t: &Template, key: &'k str) -> Option<Vec<&'k str>> {
    let mut found = Vec::new();
    walk(Scanner::new(t), key, Some(&mut found)).then_some(found)
}

/// Does the key fit the template? Does not allocate.
#[must_use]
pub fn matches(t: &Template, key: &str) -> bool {
    walk(Scanner::new(t), key, None)
}

/// Does the key certainly fit the template? Says so of most keys that do, at a fraction of the price of [`matches`].
pub(crate) fn surely_matches(t: &Template, key: &str) -> bool {
    let Some((last, before)) = t.fields.split_last() else {
        return false;
    };
    let mut rest = key.as_bytes();
    for field in before {
        let Some(end) = sure_end(field, t.delimiter, rest) else {
            return false;
        };
        match rest.get(end..) {
            Some([delimiter, after @ ..]) if *delimiter == t.delimiter => rest = after,
            _ => return false,
        }
    }
    match last.kind {
        Kind::Part(part) if matches!(part.shape, Shape::Text) => {
            // Without a call: such texts are short.
            let found = rest
                .iter()
                .fold(0, |found, byte| found | u8::from(*byte == t.delimiter));
            !rest.is_empty() && found == 0
        }
        _ => sure_end(last, t.delimiter, rest) == Some(rest.len()),
    }
}

/// Where a field of a usual kind ends that the key begins with.
fn sure_end(field: &Field, delimiter: u8, key: &[u8]) -> Option<usize> {
    match field.kind {
        Kind::Lit(text) => key.starts_with(text.as_bytes()).then_some(text.len()),
        Kind::Part(part) => match part.shape {
            Shape::Digits(n) => {
                let n = usize::from(n);
                let digits = key.get(..n)?;
                let others = digits
                    .iter()
                    .fold(0, |all, byte| all | u8::from(byte.wrapping_sub(b'0') > 9));
                (others == 0).then_some(n)
            }
            Shape::Text => {
                let end = key.iter().position(|byte| *byte == delimiter);
                end.filter(|end| *end > 0)
            }
            _ => None,
        },
        Kind::Mixed(_) => None,
    }
}

/// Does this text have this shape, in a key with this delimiter? A number has no zeros in front: two keys would be read as one.
#[must_use]
pub fn fits(shape: Shape, delimiter: u8, text: &str) -> bool {
    let is_number = matches!(shape.of_value(), Shape::Number(_));
    let has_zeros = is_number && text.len() > 1 && text.starts_with('0');
    !has_zeros && text_fits(text, shape, delimiter)
}

/// A place in a template.
#[derive(Clone, Copy)]
struct Scanner {
    delimiter: u8,
    fields: &'static [Field],
    seg: usize,
}

enum ParsedSegment {
    Lit(&'static str),
    Part(Shape),
    Delimiter,
}

impl Scanner {
    fn new(t: &Template) -> Scanner {
        Scanner {
            delimiter: t.delimiter,
            fields: t.fields,
            seg: 0,
        }
    }

    /// The next piece of the template, and the place after it.
    fn piece(self) -> Option<(ParsedSegment, Scanner)> {
        let (field, later) = self.fields.split_first()?;
        let piece = match field.kind {
            Kind::Lit(text) if self.seg == 0 => ParsedSegment::Lit(text),
            Kind::Part(part) if self.seg == 0 => ParsedSegment::Part(part.shape),
            Kind::Mixed(segs) if self.seg < segs.len() => match segs[self.seg] {
                Seg::Lit(text) => ParsedSegment::Lit(text),
                Seg::Part(part) => ParsedSegment::Part(part.shape),
            },
            _ if later.is_empty() => return None,
            _ => {
                let after = Scanner {
                    fields: later,
                    seg: 0,
                    ..self
                };
                return Some((ParsedSegment::Delimiter, after));
            }
        };
        let seg = self.seg + 1;
        Some((piece, Scanner { seg, ..self }))
    }
}

impl Scanner {
    /// The bytes that follow here, if they are always equally many.
    fn width(mut self, stop: Stop) -> Option<usize> {
        let mut width = 0;
        while let Some((piece, after)) = self.piece() {
            width += match piece {
                ParsedSegment::Lit(text) => text.len(),
                ParsedSegment::Part(shape) => shape.width()?.into(),
                ParsedSegment::Delimiter if stop == Stop::AtDelimiter => break,
                ParsedSegment::Delimiter => 1,
            };
            self = after;
        }
        Some(width)
    }
}

fn walk<'k>(at: Scanner, key: &'k str, found: Option<&mut Vec<&'k str>>) -> bool {
    match at.piece() {
        None => key.is_empty(),
        Some((ParsedSegment::Lit(text), next)) => key
            .strip_prefix(text)
            .is_some_and(|key| walk(next, key, found)),
        Some((ParsedSegment::Delimiter, next)) => key
            .strip_prefix(char::from(at.delimiter))
            .is_some_and(|key| walk(next, key, found)),
        Some((ParsedSegment::Part(shape), next)) => walk_part(shape, next, key, found),
    }
}

/// Tries every end the placeholder can have, the last one first. There is only one unless the
/// template is ambiguous or a word begins another.
fn walk_part<'k>(
    shape: Shape,
    next: Scanner,
    key: &'k str,
    mut found: Option<&mut Vec<&'k str>>,
) -> bool {
    let (first, last) = ends(shape, next, key);
    (first..=last).rev().any(|end| {
        let Some((text, rest)) = key.split_at_checked(end) else {
            return false;
        };
        if !fits(shape, next.delimiter, text) {
            return false;
        }
        let before = found.as_ref().map_or(0, |found| found.len());
        if let Some(found) = found.as_deref_mut() {
            found.push(text);
        }
        let fitting = walk(next, rest, found.as_deref_mut());
        if !fitting && let Some(found) = found.as_deref_mut() {
            found.truncate(before);
        }
        fitting
    })
}

/// The first and the last place where a placeholder at the start of `key` can end.
fn ends(shape: Shape, next: Scanner, key: &str) -> (usize, usize) {
    let delimiter = char::from(next.delimiter);
    match next.piece() {
        None => (key.len(), key.len()),
        Some((ParsedSegment::Delimiter, _)) if !shape.can_contain(next.delimiter) => {
            let end = key.find(delimiter).unwrap_or(key.len());
            (end, end)
        }
        Some((ParsedSegment::Lit(_), _)) if matches!(shape, Shape::Number(_)) => {
            let digits = key.bytes().take_while(u8::is_ascii_digit).count();
            (1, digits)
        }
        Some(_) => {
            // What follows may tell where it ends.
            let (until, stop) = match shape {
                Shape::Rest | Shape::Opaque => (key.len(), Stop::AtEnd),
                _ if next.fields.len() > 1 => {
                    (key.find(delimiter).unwrap_or(key.len()), Stop::AtDelimiter)
                }
                _ => (key.len(), Stop::AtDelimiter),
            };
            if let Some(width) = next.width(stop) {
                let end = until.checked_sub(width);
                return end.map_or((1, 0), |end| (end, end));
            }
            let (least, most) = shape.lengths();
            (least.into(), key.len().min(most.into()))
        }
    }
}

/// Where a width is no longer counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    AtDelimiter,
    AtEnd,
}
