//! What follows the `|` of a placeholder: a built-in function, or the path to one of the user's.

use super::Function;
use super::part::{Part, is_path_segment, number};
use super::reader::TemplateReader;

const BUILT_IN: &[&str] = &["sha256", "lower", "upper", "trim", "shard"];

const OWN_FUNCTION: &str =
    "a function of yours is written with its path, such as `|crate::keys::bucket`";
const SHARDS: &str = "write `|shard(1)` to `|shard(65535)`, or with a function of yours that returns the bucket, from zero, \
    `|shard(4, with = crate::keys::bucket)`";

impl TemplateReader {
    pub(super) fn function(
        &mut self,
        function: Part<'_>,
        head: Part<'_>,
        whole: Part<'_>,
    ) -> Option<Function> {
        let text = function.text;
        if text.is_empty() {
            let help = format!(
                "write `|lower`, `|upper`, `|trim`, `|sha256` or `|shard(16)`; {OWN_FUNCTION}"
            );
            self.report("the function after `|` is missing", help, whole.at());
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
            ("trim", None) => Some(Function::Trim),
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
        let text = arguments.text.strip_suffix(')').unwrap_or_default();
        let (shards, with) = match text.split_once(',') {
            Some((shards, with)) => (shards, Some(with)),
            None => (text, None),
        };
        let Some(shards) = number(shards.trim()).filter(|shards| *shards > 0) else {
            self.report(
                "`shard` takes the number of shards first, 1 to 65535",
                SHARDS,
                function.at(),
            );
            return None;
        };
        let Some(with) = with else {
            return Some(Function::Shard(shards));
        };
        let path = with.trim().strip_prefix("with").map(str::trim_start);
        let path = path.and_then(|path| path.strip_prefix('=')).map(str::trim);
        match path {
            Some(path) if is_function_path(path) => {
                Some(Function::ShardBy(shards, path.to_owned()))
            }
            _ => {
                self.report(
                    "`shard` takes a function of yours by its path, after `with =`",
                    SHARDS,
                    function.at(),
                );
                None
            }
        }
    }

    fn function_path(&mut self, path: Part<'_>) -> Option<Function> {
        if is_function_path(path.text) {
            return Some(Function::Path(path.text.to_owned()));
        }
        let message = format!("`{}` is not the path of a function", path.text);
        self.report(message, OWN_FUNCTION, path.at());
        None
    }
}

fn is_function_path(path: &str) -> bool {
    let inner = path.strip_prefix("::").unwrap_or(path);
    inner.contains("::") && inner.split("::").all(is_path_segment)
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
            format!(
                "`{word}` is not a built-in function: `lower`, `upper`, `trim`, `sha256`, `shard(16)`"
            )
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
