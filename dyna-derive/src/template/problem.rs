//! What is wrong with a template, and a drawing of where.

use std::ops::Range;

/// What is wrong with a template, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// What is wrong: starts in lower case, ends without a period.
    pub(crate) message: String,
    /// What to type instead.
    pub(crate) help: Option<String>,
    /// The bytes of the text that it is about; may be empty.
    pub(crate) at: Range<usize>,
}

/// Draws a range under its text: the text on one line, carets on the next.
///
/// An empty range gets one caret. Control characters are drawn as U+FFFD, so that the text stays on its line.
#[must_use]
pub(crate) fn caret(text: &str, at: Range<usize>) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { '\u{FFFD}' } else { c })
        .collect();
    let starts = |range: Range<usize>| {
        text.char_indices()
            .filter(|(i, _)| range.contains(i))
            .count()
    };
    let indent = starts(0..at.start);
    let width = starts(at).max(1);
    format!("{line}\n{:indent$}{:^<width$}", "", "")
}
