//! What follows the `|` of a placeholder: a built-in function, or the path to one of the user's.

use super::Function;
use super::part::{Part, is_path_segment, number};
use super::reader::Reader;

const BUILT_IN: &[&str] = &["sha256", "lower", "upper", "shard"];

const OWN_FUNCTION: &str =
    "a function of yours is written with its path, such as `|crate::keys::bucket`";
const ONE_FUNCTION: &str =
    "write one function of yours that does both, such as `|crate::keys::bucket`";
const SHARDS: &str = "write `|shard(1)` to `|shard(65535)`";

impl Reader {
    pub(super) fn function(
        &mut self,
        function: Part<'_>,
        head: Part<'_>,
        whole: Part<'_>,
    ) -> Option<Function> {
        let text = function.text;
        if text.is_empty() {
            let help =
                format!("write `|sha256`, `|lower`, `|upper` or `|shard(16)`; {OWN_FUNCTION}");
            self.report("the function after `|` is missing", help, whole.at());
            return None;
        }
        if text.contains('|') {
            self.report(
                "a placeholder takes one function",
                ONE_FUNCTION,
                function.at(),
            );
            return None;
        }
        if self.refuse_rest_at_end(function) || self.refuse_late_format(function, head) {
            return None;
        }
        let (name, arguments) = function.split_once('(');
        match (name.text, arguments) {
            ("shard", arguments) => self.shard(function, arguments),
            (name, Some(_)) if name.contains("::") || BUILT_IN.contains(&name) => {
                let help = format!("write `|{name}`");
                self.report(
                    format!("`{name}` takes no argument here"),
                    help,
                    function.at(),
                );
                None
            }
            ("sha256", None) => Some(Function::Sha256),
            ("lower", None) => Some(Function::Lower),
            ("upper", None) => Some(Function::Upper),
            (path, None) if path.contains("::") => self.function_path(function),
            (word, _) => {
                self.report(unknown(word), OWN_FUNCTION, function.at());
                None
            }
        }
    }

    /// `<a|lower:013>`: a format where none can be.
    fn refuse_late_format(&mut self, function: Part<'_>, head: Part<'_>) -> bool {
        let colon = function.text.replace("::", "  ").find(':');
        let Some(colon) = colon.filter(|colon| *colon > 0 && !head.text.contains(':')) else {
            return false;
        };
        let name = function.text.split_at(colon).0;
        let help = format!("write `<{}|{name}>`", head.text);
        self.report(
            "a function is given the value itself, so it has no format",
            help,
            function.at(),
        );
        true
    }

    fn shard(&mut self, function: Part<'_>, arguments: Option<Part<'_>>) -> Option<Function> {
        let Some(arguments) = arguments else {
            let help = "write the number of shards, such as `|shard(16)`";
            self.report("`shard` needs an argument", help, function.at());
            return None;
        };
        let shards = arguments.text.strip_suffix(')').and_then(number);
        let shards = shards.filter(|shards| *shards > 0);
        if shards.is_none() {
            self.report(
                "`shard` takes one number, 1 to 65535",
                SHARDS,
                function.at(),
            );
        }
        shards.map(Function::Shard)
    }

    fn function_path(&mut self, path: Part<'_>) -> Option<Function> {
        let inner = path.text.strip_prefix("::").unwrap_or(path.text);
        if inner.contains("::") && inner.split("::").all(is_path_segment) {
            return Some(Function::Path(path.text.to_owned()));
        }
        let message = format!("`{}` is not the path of a function", path.text);
        self.report(message, OWN_FUNCTION, path.at());
        None
    }
}

fn unknown(word: &str) -> String {
    let lower = word.to_lowercase();
    let near = |name: &&&str| lower.starts_with(**name) || distance(&lower, name) <= 2;
    match BUILT_IN
        .iter()
        .filter(near)
        .min_by_key(|name| distance(&lower, name))
    {
        Some(name) => format!("`{word}` is not a built-in function, did you mean `{name}`?"),
        None => {
            format!("`{word}` is not a built-in function: `sha256`, `lower`, `upper`, `shard(16)`")
        }
    }
}

/// The number of characters to insert, remove or replace to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}
