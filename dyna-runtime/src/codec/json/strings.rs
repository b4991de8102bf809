//! The strings of JSON: where one ends, and its escapes.

use std::fmt;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many bytes of a text are looked at together.
pub(super) const NEAR: usize = 16;

/// The first quote or backslash from `at` on, in a text without control characters. The end of the text if there is none.
#[inline]
pub(super) fn end(text: &[u8], at: usize) -> usize {
    // Most strings are short: for those there is no loop.
    match text.get(at..).and_then(<[u8]>::first_chunk) {
        Some(near) => match first_special(near) {
            NEAR => far_end(text, at + NEAR),
            n => at + n,
        },
        None => far_end(text, at),
    }
}

#[inline(never)]
pub(super) fn far_end(text: &[u8], mut at: usize) -> usize {
    let (chunks, rest) = text.get(at..).unwrap_or(&[]).as_chunks();
    for chunk in chunks {
        match first_special(chunk) {
            NEAR => at += NEAR,
            n => return at + n,
        }
    }
    at + plain(rest)
}

/// The position of the first quote or backslash; [`NEAR`] if there is none.
#[inline]
pub(super) fn first_special(near: &[u8; NEAR]) -> usize {
    for (n, eight) in near.as_chunks::<8>().0.iter().enumerate() {
        let found = special(u64::from_le_bytes(*eight));
        if found != 0 {
            return 8 * n + place(found);
        }
    }
    NEAR
}

/// Where the text of the attribute at this place begins, if it is a string without white space around it: `{"S":"`.
#[inline]
pub(crate) fn plain_text(answer: &[u8], place: usize) -> Option<usize> {
    const OPEN: u64 = u64::from_le_bytes([b'{', b'"', b'S', b'"', b':', b'"', 0, 0]);
    // The shortest is `{"S":""}`, so there are eight bytes in any case.
    let next = u64::from_le_bytes(*answer.get(place..)?.first_chunk()?);
    (next << 16 == OPEN << 16).then_some(place + 6)
}

/// The first quote, backslash or byte of this kind, which is ASCII, from `at` on, in a text without control characters. The end of the
/// text if there is none.
#[inline]
pub(crate) fn first_of(text: &[u8], mut at: usize, other: u8) -> usize {
    let (eights, rest) = text.get(at..).unwrap_or(&[]).as_chunks::<8>();
    for eight in eights {
        let eight = u64::from_le_bytes(*eight);
        let other = eight ^ (ONES * u64::from(other));
        let found = special(eight) | (other.wrapping_sub(ONES) & !other & HIGHS);
        if found != 0 {
            return at + place(found);
        }
        at += 8;
    }
    let is_other = |byte: &u8| !is_plain_byte(*byte) || *byte == other;
    at + rest.iter().position(is_other).unwrap_or(rest.len())
}

/// The position of the first match among eight bytes.
#[inline]
fn place(found: u64) -> usize {
    (found.trailing_zeros() / 8) as usize
}

/// How many bytes stand for themselves, to the first that is escaped.
fn plain(text: &[u8]) -> usize {
    let (eights, rest) = text.as_chunks::<8>();
    for (n, eight) in eights.iter().enumerate() {
        let found = escaped_in(u64::from_le_bytes(*eight));
        if found != 0 {
            return 8 * n + place(found);
        }
    }
    let plain = rest.iter().take_while(|byte| is_plain_byte(**byte)).count();
    8 * eights.len() + plain
}

#[inline]
fn is_plain_byte(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// Whether a text has control characters. The least of many bytes is found without branches, which the compiler vectorises.
pub(super) fn has_control(text: &[u8]) -> bool {
    let least = |bytes: &[u8]| bytes.iter().fold(u8::MAX, |least, &byte| least.min(byte));
    text.chunks(1024).any(|chunk| least(chunk) < b' ')
}

/// The high bit of each of eight bytes that is a quote or a backslash; those behind the first may be wrong.
#[inline]
fn special(eight: u64) -> u64 {
    let all = |byte: u8| ONES * u64::from(byte);
    let quote = eight ^ all(b'"');
    let backslash = eight ^ all(b'\\');
    let is_zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
    (is_zero(quote) | is_zero(backslash)) & HIGHS
}

/// The high bit of each of eight bytes that has to be escaped; those behind the first may be wrong.
#[inline]
fn escaped_in(eight: u64) -> u64 {
    let control = eight.wrapping_sub(ONES * u64::from(b' ')) & !eight;
    special(eight) | (control & HIGHS)
}

/// The string that begins at `start` and whose first escape is at `escape`, and where it ends, its closing quote included.
pub(super) fn unescape(text: &str, start: usize, escape: usize) -> Option<(String, usize)> {
    let mut out = String::with_capacity(escape - start + 32);
    let mut plain = start;
    let mut at = escape;
    loop {
        out.push_str(text.get(plain..at)?);
        match text.as_bytes().get(at)? {
            b'"' => return Some((out, at + 1)),
            b'\\' => {}
            _ => return None,
        }
        let (character, length) = escaped(text.as_bytes().get(at + 1..)?)?;
        out.push(character);
        plain = at + 1 + length;
        at = end(text.as_bytes(), plain);
    }
}

/// The character of the escape behind a backslash, and how many bytes it takes.
fn escaped(escape: &[u8]) -> Option<(char, usize)> {
    Some(match escape.first()? {
        b'"' => ('"', 1),
        b'\\' => ('\\', 1),
        b'/' => ('/', 1),
        b'b' => ('\u{8}', 1),
        b'f' => ('\u{c}', 1),
        b'n' => ('\n', 1),
        b'r' => ('\r', 1),
        b't' => ('\t', 1),
        b'u' => {
            let unit = code_unit(escape.get(1..5)?)?;
            match char::from_u32(unit) {
                Some(character) => (character, 5),
                None => (pair(unit, escape.get(5..11)?)?, 11),
            }
        }
        _ => return None,
    })
}

/// The character of a high surrogate and the escape that follows it.
fn pair(high: u32, low: &[u8]) -> Option<char> {
    let low = code_unit(low.strip_prefix(br"\u")?)?;
    if !(0xD800..0xDC00).contains(&high) || !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

fn code_unit(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |unit, digit| {
        Some(unit << 4 | char::from(*digit).to_digit(16)?)
    })
}

/// Writes a string with its quotes, in the form that the SDK gives it.
#[inline]
pub(super) fn write(out: &mut String, text: &str) {
    between(out, "\"", text, "\"");
}

/// Writes what a string has between its quotes, between two texts that are JSON already.
#[expect(
    clippy::inline_always,
    reason = "the texts are short and known: each is a store instead of a call"
)]
#[inline(always)]
pub(super) fn between(out: &mut String, before: &str, text: &str, after: &str) {
    out.push_str(before);
    write_escaped(out, text);
    out.push_str(after);
}

#[inline]
fn write_escaped(out: &mut String, text: &str) {
    if is_plain(text.as_bytes()) {
        out.push_str(text);
    } else {
        escape_all(out, text);
    }
}

/// Whether all bytes stand for themselves. Some of them may be looked at twice.
#[inline(never)]
fn is_plain(text: &[u8]) -> bool {
    if let Some(last) = text.last_chunk::<16>() {
        return text.as_chunks::<16>().0.iter().all(are_plain) && are_plain(last);
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        let first = escaped_in(u64::from_le_bytes(*first));
        return first | escaped_in(u64::from_le_bytes(*last)) == 0;
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        let high = u64::from(u32::from_le_bytes(*last)) << 32;
        return escaped_in(high | u64::from(u32::from_le_bytes(*first))) == 0;
    }
    text.iter().all(|byte| is_plain_byte(*byte))
}

/// The same of sixteen bytes, without branches, which the compiler vectorises.
#[inline]
fn are_plain(sixteen: &[u8; 16]) -> bool {
    let escaped = sixteen.iter().map(|byte| !is_plain_byte(*byte));
    !escaped.fold(false, |all, one| all | one)
}

#[cold]
#[inline(never)]
fn escape_all(out: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let stop = plain(rest.as_bytes());
        let (before, from) = rest.split_at(stop);
        out.push_str(before);
        let Some(byte) = from.as_bytes().first() else {
            return;
        };
        escape(out, *byte);
        rest = from.get(1..).unwrap_or_default();
    }
}

/// Escapes what is formatted into it.
pub(super) struct Escaping<'o>(pub(super) &'o mut String);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write_escaped(self.0, text);
        Ok(())
    }
}

#[cold]
fn escape(out: &mut String, byte: u8) {
    match byte {
        b'"' => out.push_str(r#"\""#),
        b'\\' => out.push_str(r"\\"),
        0x08 => out.push_str(r"\b"),
        0x0C => out.push_str(r"\f"),
        b'\n' => out.push_str(r"\n"),
        b'\r' => out.push_str(r"\r"),
        b'\t' => out.push_str(r"\t"),
        _ => {
            let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
            out.push_str(r"\u00");
            out.push(digit(byte >> 4));
            out.push(digit(byte & 15));
        }
    }
}
