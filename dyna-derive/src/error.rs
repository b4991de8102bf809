//! Collecting errors, so that one compilation shows them all; and the wording they share.

use crate::template::{self, Problem};
use proc_macro2::TokenStream;
use std::fmt::Display;
use syn::LitStr;
use syn::spanned::Spanned;

/// All errors of one derive. Whoever makes one says what becomes of it: one that is dropped unread panics in debug builds.
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    is_read: bool,
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(
            self.is_read || std::thread::panicking(),
            "errors are dropped unread"
        );
    }
}

impl Errors {
    /// An error at the tokens it is about.
    pub(crate) fn at(&mut self, tokens: &impl Spanned, message: impl Display) {
        self.push(syn::Error::new(tokens.span(), message));
    }

    /// An error with a second line that says what to write.
    pub(crate) fn help(
        &mut self,
        tokens: &impl Spanned,
        message: impl Display,
        help: impl Display,
    ) {
        self.at(tokens, format_args!("{message}\nhelp: {help}"));
    }

    /// Adds what another check has found.
    pub(crate) fn extend(&mut self, mut others: Self) {
        others.is_read = true;
        self.found.append(&mut others.found);
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// A problem inside of a template, drawn under its place: no stable span points inside of a literal.
    pub(crate) fn template(&mut self, literal: &LitStr, problem: &Problem) {
        let Problem { message, help, at } = problem;
        let drawing = template::caret(&literal.value(), at.clone()).replace('\n', "\n    ");
        let help = help
            .as_ref()
            .map(|help| format!("\nhelp: {help}"))
            .unwrap_or_default();
        self.at(literal, format_args!("{message}\n\n    {drawing}\n{help}"));
    }

    /// What was checked, if nothing is wrong with it. A check that yields nothing has reported why, or leaves it to another derive.
    pub(crate) fn into_result<T>(mut self, checked: Option<T>) -> Result<T, Self> {
        match checked {
            Some(checked) if self.is_empty() => {
                self.is_read = true;
                Ok(checked)
            }
            _ => Err(self),
        }
    }

    /// Whether there were any. They are not reported here: somebody else does.
    pub(crate) fn discard(mut self) -> bool {
        self.is_read = true;
        !self.is_empty()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// `compile_error!` for each of them.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.is_read = true;
        self.found
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}

/// The candidate that a mistyped name most likely stands for.
pub(crate) fn closest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean `x`?`, or nothing.
pub(crate) fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> String {
    closest(name, candidates)
        .map(|candidate| format!("; did you mean `{candidate}`?"))
        .unwrap_or_default()
}

/// Edits between two names: insert, delete, replace, or swap two neighbors.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(x != y);
            let mut best = replaced.min(row[j] + 1).min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Errors, closest, distance};

    #[test]
    #[should_panic(expected = "errors are dropped unread")]
    #[cfg(debug_assertions)]
    fn errors_that_nobody_reads_panic() {
        drop(Errors::default());
    }

    #[test]
    fn finishing_or_discarding_marks_errors_read() {
        assert!(Errors::default().into_result(Some(())).is_ok());
        assert!(!Errors::default().discard());
        let nothing = Errors::default().into_result(None::<()>);
        assert!(nothing.err().unwrap().into_tokens().is_empty());
    }

    #[test]
    fn distance_counts_edits() {
        for (a, b, edits) in [
            ("", "", 0),
            ("pk", "pk", 0),
            ("tabel", "table", 1),
            ("chanel_id", "channel_id", 1),
            ("a", "bc", 2),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
        assert_eq!(
            closest("chan_id", ["channel_id", "user_id"]),
            Some("channel_id")
        );
        assert_eq!(closest("zzz", ["channel_id", "user_id"]), None);
    }
}
