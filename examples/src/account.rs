//! An account of requests and results that reads well in a terminal.

use crate::Contents;
use dyna_runtime::{Explain, Page};
use std::fmt::{self, Display, Write};

/// The columns of the terminal that an account is written for.
pub const COLUMNS: usize = 100;

/// The lines of a result that an account shows.
const LINES: usize = 8;

/// Runs a request; shows it as it is written and as DynamoDB gets it, and what came back.
#[macro_export]
macro_rules! show {
    ($to:expr, $title:literal: $request:expr => $run:expr) => {{
        $to.title($title);
        $crate::show!($to, $request => $run)
    }};
    ($to:expr, $request:expr => $run:expr) => {{
        let result = $run.await?;
        $to.code(stringify!($request));
        $to.asks(&$crate::compact(&$request.explain()));
        $to.gets(&result);
        result
    }};
}

/// The same in two lines, for requests that are all alike.
#[macro_export]
macro_rules! brief {
    ($to:expr, $title:literal: $request:expr => $run:expr) => {{
        let result = $run.await?;
        $to.brief($title, &$request.explain(), &result);
    }};
}

/// What a program asked of its table and what it got, as text.
#[derive(Debug, Default)]
pub struct Account {
    text: String,
}

impl Account {
    /// The start of a part, with a line under it.
    pub fn heading(&mut self, title: &str) {
        let line = "=".repeat(title.chars().count());
        self.line(format_args!("{title}\n{line}\n"));
    }

    /// A paragraph in plain words.
    pub fn say(&mut self, text: &str) {
        self.wrapped("", "", text);
        self.line(format_args!(""));
    }

    /// What is there before anything is asked: each entity with its number of items and its key.
    pub fn contents(&mut self, found: &[Contents]) {
        let width = |of: fn(&Contents) -> &str| {
            let widths = found.iter().map(|it| of(it).chars().count());
            widths.max().unwrap_or_default()
        };
        let (entity, pk) = (
            width(|it| it.entity).max("entity".len()),
            width(|it| it.keys[0]).max("partition key".len()),
        );
        let mut row = |items: &dyn Display, name: &str, [first, second]: [&str; 2]| {
            let row = format!("  {items:>5}  {name:entity$}  {first:pk$}  {second}");
            self.wrapped("", &" ".repeat(entity + 11), row.trim_end());
        };
        let has_sort_key = found.iter().any(|it| !it.keys[1].is_empty());
        let sort_key = if has_sort_key { "sort key" } else { "" };
        row(&"items", "entity", ["partition key", sort_key]);
        for Contents {
            items,
            entity,
            keys,
        } in found
        {
            row(items, entity, *keys);
        }
        let all: usize = found.iter().map(|it| it.items).sum();
        row(&all, "in all", ["", ""]);
        self.line(format_args!(""));
    }

    /// The name of what is asked next.
    pub fn title(&mut self, title: &str) {
        self.line(format_args!("{title}"));
    }

    /// A request as the program writes it, or several, each on a line.
    pub fn code(&mut self, code: &str) {
        self.labelled("Rust", code.lines().map(str::trim));
    }

    /// What DynamoDB is asked.
    pub fn asks(&mut self, request: &str) {
        self.labelled("asks", request.lines());
    }

    /// What comes back.
    pub fn gets(&mut self, result: &impl Show) {
        self.result(result);
        self.line(format_args!(""));
    }

    /// A request that its title and its key say all about, and what comes back. The next one may follow on the next line.
    pub fn brief(&mut self, title: &str, request: &Explain, result: &impl Show) {
        let request = compact(request);
        self.wrapped("", "        ", &format!("{title}  {}", request.trim_end()));
        self.result(result);
    }

    fn result(&mut self, result: &impl Show) {
        let mut lines = result.lines();
        if lines.is_empty() {
            lines.push("nothing".to_owned());
        }
        if lines.len() > LINES {
            let more = lines.len() - (LINES - 1);
            lines.truncate(LINES - 1);
            lines.push(format!("and {more} more"));
        }
        self.labelled("gets", lines.iter().map(String::as_str));
    }

    /// A paragraph about what has come back.
    pub fn remark(&mut self, text: &str) {
        self.wrapped("    ", "    ", text);
        self.line(format_args!(""));
    }

    fn labelled<'l>(&mut self, label: &str, lines: impl IntoIterator<Item = &'l str>) {
        for (at, line) in lines.into_iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            self.wrapped(&format!("    {label:4}  "), "            ", line);
        }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// Breaks a text at its spaces. The first line starts with `first`, the others with `rest`.
    fn wrapped(&mut self, first: &str, rest: &str, text: &str) {
        let mut line = first.to_owned();
        let mut start = true;
        for word in text.split(' ') {
            if !start && line.chars().count() + 1 + word.chars().count() > COLUMNS {
                self.line(format_args!("{line}"));
                rest.clone_into(&mut line);
                start = true;
            }
            if !start {
                line.push(' ');
            }
            line.push_str(word);
            start = false;
        }
        self.line(format_args!("{line}"));
    }
}

impl Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

/// A result that an account can show, one line per item.
pub trait Show {
    /// Its lines.
    fn lines(&self) -> Vec<String>;
}

impl<T: Display> Show for Option<T> {
    fn lines(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

impl<T: Display> Show for Vec<T> {
    fn lines(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

impl<T: Display> Show for Page<T> {
    fn lines(&self) -> Vec<String> {
        let mut lines = self.items.lines();
        lines.push(match self.next {
            Some(_) => "and a cursor: there is more".to_owned(),
            None => "and no cursor: this is the last page".to_owned(),
        });
        lines
    }
}

/// A request with the values in their places: the key on one line, then each expression, then whatever else it says. A query over several
/// partitions has the one or the other.
pub fn compact(request: &Explain) -> String {
    let value_of = |word: &str| {
        let values = request.parameters().iter().filter(|(name, _)| name == word);
        let values: Vec<_> = values.map(|(_, value)| value.as_str()).collect();
        match values.as_slice() {
            [] => None,
            [value] => Some((*value).to_owned()),
            _ => Some(format!("({})", values.join(" or "))),
        }
    };
    let mut head = request.operation().to_owned();
    let (mut key, mut expressions, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in request.parameters() {
        match (name.as_str(), name.strip_prefix("Key.")) {
            ("IndexName", _) => head = format!("{head} {value}"),
            ("KeyConditionExpression", _) => key.push(filled(value, value_of)),
            (_, Some(attribute)) => key.push(format!("{attribute} = {value}")),
            (name, _) if name.starts_with([':', '#']) => {}
            (name, _) if name.ends_with("Expression") => {
                expressions.push(format!("{name}: {}", filled(value, value_of)));
            }
            (name, _) => rest.push(format!("{name} = {value}")),
        }
    }
    let mut lines = vec![format!("{head}: {}", key.join(", "))];
    lines.extend(expressions);
    if !rest.is_empty() {
        lines.push(rest.join(", "));
    }
    lines.join("\n")
}

/// An expression with the names and values that its placeholders stand for.
pub fn filled(expression: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let separators = [' ', ',', '(', ')', '.', '['];
    expression
        .split_inclusive(separators)
        .map(|piece| {
            let word = piece.trim_end_matches(separators);
            let value = value(word).unwrap_or_else(|| word.to_owned());
            value + &piece[word.len()..]
        })
        .collect()
}
