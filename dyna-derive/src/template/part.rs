//! Pieces of the template's text that know where they stand in it, and what counts as a name.

use std::ops::Range;

/// Words that are no identifiers without `r#` in any edition from 2018 on.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
    "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Keywords that may stand in a path, and that `r#` does not make identifiers.
const PATH_KEYWORDS: &[&str] = &["Self", "crate", "self", "super"];

/// A part of the template's text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// Where it begins, in bytes of the whole.
    pub(super) start: usize,
}

impl<'a> Part<'a> {
    pub(super) fn at(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub(super) fn slice(self, range: Range<usize>) -> Self {
        Part {
            start: self.start + range.start,
            text: &self.text[range],
        }
    }

    pub(super) fn split_at(self, index: usize) -> (Self, Self) {
        (self.slice(0..index), self.slice(index..self.text.len()))
    }

    pub(super) fn split_once(self, separator: char) -> (Self, Option<Self>) {
        match self.text.find(separator) {
            None => (self, None),
            Some(i) => {
                let after = self.slice(i + separator.len_utf8()..self.text.len());
                (self.slice(0..i), Some(after))
            }
        }
    }

    pub(super) fn split(self, separator: &str) -> impl Iterator<Item = Part<'a>> {
        let mut start = self.start;
        self.text.split(separator).map(move |text| {
            let part = Part { text, start };
            start += text.len() + separator.len();
            part
        })
    }

    /// The part without the spaces around it.
    pub(super) fn trim(self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        self.slice(start..start + self.text.trim().len())
    }

    /// The part without that end, and whether it had it.
    pub(super) fn strip_suffix(self, suffix: &str) -> (Self, bool) {
        match self.text.strip_suffix(suffix) {
            None => (self, false),
            Some(text) => (Part { text, ..self }, true),
        }
    }

    /// Where the first run of such characters stands.
    pub(super) fn find_run(self, wanted: fn(char) -> bool) -> Option<Range<usize>> {
        let from = self.text.find(wanted)?;
        let found = &self.text[from..];
        let len = found.find(|c| !wanted(c)).unwrap_or(found.len());
        Some(self.slice(from..from + len).at())
    }
}

/// A number in digits and nothing else: `parse` alone would take a `+` too.
pub(super) fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// A Rust identifier that can name a field, possibly raw.
pub(super) fn is_identifier(text: &str) -> bool {
    let (raw, name) = match text.strip_prefix("r#") {
        Some(name) => (true, name),
        None => (false, text),
    };
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && name != "_"
        && !PATH_KEYWORDS.contains(&name)
        && (raw || !is_keyword(name))
}

/// A word that becomes an identifier with `r#`.
pub(super) fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

/// A segment of the path to a function.
pub(super) fn is_path_segment(text: &str) -> bool {
    is_identifier(text) || PATH_KEYWORDS.contains(&text)
}
