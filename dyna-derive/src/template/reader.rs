//! Reads a template piece by piece, and goes on after a bad one.

use super::format::is_layout;
use super::part::{Part, is_identifier, is_keyword};
use super::{Piece, Placeholder, Problem, Template};
use std::ops::Range;

/// The last character of all: queries close their ranges with it, so no key may hold it.
const LAST_CHAR: char = '\u{10FFFF}';

const EMPTY_TEMPLATE: &str = "write the text of the key, such as `USER#<user_id>`";
const NO_FIELD: &str =
    "write the name of a field, such as `<user_id>`; the character `<` itself is written `<<`";
const FIELD_NAME: &str =
    "write the field as the struct does: letters, digits and `_`, a digit never first";
const WHITESPACE: &str =
    "remove it: a placeholder is written `<field>`, `<field:013>` or `<field|lower>`";
const ONE_REST: &str =
    "remove the `..` of one of them, or give it a fixed length, such as `:len=24`";
const REST_PLACE: &str = "`..` stands right after the field: write `<field..>`";

/// Takes a template apart.
///
/// # Errors
///
/// All problems of the text in the order of their places, never an empty list: a bad placeholder does not hide the next.
pub(crate) fn parse(text: &str) -> Result<Template, Vec<Problem>> {
    let mut reader = TemplateReader::default();
    if text.is_empty() {
        reader.report("the template is empty", EMPTY_TEMPLATE, 0..0);
    }
    let mut rest = Part { text, start: 0 };
    while !rest.text.is_empty() {
        rest = if rest.text.starts_with('<') {
            reader.angle(rest)
        } else {
            reader.literal(rest)
        };
    }
    reader.finish()
}

/// What has been read so far.
#[derive(Default)]
pub(super) struct TemplateReader {
    pieces: Vec<Piece>,
    pub(super) problems: Vec<Problem>,
    /// Where the `<path..>` stand, those with problems of their own among them.
    rests: Vec<Range<usize>>,
}

impl TemplateReader {
    pub(super) fn report(
        &mut self,
        message: impl Into<String>,
        help: impl Into<String>,
        at: Range<usize>,
    ) {
        self.problems.push(Problem {
            message: message.into(),
            help: Some(help.into()),
            at,
        });
    }

    fn finish(mut self) -> Result<Template, Vec<Problem>> {
        for at in std::mem::take(&mut self.rests).into_iter().skip(1) {
            self.report(
                "only one placeholder of a template can have `..`",
                ONE_REST,
                at,
            );
        }
        if self.problems.is_empty() {
            return Ok(Template {
                pieces: self.pieces,
            });
        }
        self.problems.sort_by_key(|problem| problem.at.start);
        Err(self.problems)
    }

    fn push_literal(&mut self, text: &str) {
        if let Some(Piece::Literal(last)) = self.pieces.last_mut() {
            last.push_str(text);
        } else {
            self.pieces.push(Piece::Literal(text.to_owned()));
        }
    }

    /// Reads up to the next `<`, and returns what is left.
    fn literal<'a>(&mut self, text: Part<'a>) -> Part<'a> {
        let (literal, rest) = text.split_at(text.text.find('<').unwrap_or(text.text.len()));
        self.refuse_last_char(literal);
        self.refuse_braces(literal);
        self.push_literal(literal.text);
        rest
    }

    pub(super) fn refuse_last_char(&mut self, literal: Part<'_>) {
        for (i, found) in literal.text.match_indices(LAST_CHAR) {
            self.report(
                "U+10FFFF cannot stand in a key",
                "remove it: it closes the ranges of queries",
                literal.slice(i..i + found.len()).at(),
            );
        }
    }

    /// `{user_id}` and `{}` are almost surely meant as placeholders; as literals they would give every item one key.
    fn refuse_braces(&mut self, literal: Part<'_>) {
        for (open, _) in literal.text.match_indices('{') {
            let Some(len) = literal.text[open..].find('}') else {
                break;
            };
            let braces = literal.slice(open..open + len + 1);
            let inside = &braces.text[1..len];
            let name = inside.split([':', '|']).next().unwrap_or_default().trim();
            if name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
            {
                let field = if name.is_empty() { "field" } else { name };
                self.report(
                    format!("`{}` is not a placeholder", braces.text),
                    format!("placeholders are written `<{field}>`"),
                    braces.at(),
                );
            }
        }
    }

    /// Reads what a `<` opens, and returns what is left.
    fn angle<'a>(&mut self, text: Part<'a>) -> Part<'a> {
        if text.text.starts_with("<<") {
            self.push_literal("<");
            return text.split_at(2).1;
        }
        let inside = text.split_at(1).1;
        let end = inside.text.find(['<', '>']);
        if let Some(end) = end.filter(|end| inside.text[*end..].starts_with('>')) {
            let (whole, rest) = text.split_at(end + 2);
            if let Some(placeholder) = self.placeholder(whole) {
                self.pieces.push(Piece::Placeholder(placeholder));
            }
            return rest;
        }
        let name_len = inside
            .text
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        let (open, rest) = text.split_at(1 + name_len.unwrap_or(inside.text.len()));
        let field = if open.text == "<" {
            "<field"
        } else {
            open.text
        };
        let help = format!("write `{field}>`, or `<<` for the character `<` itself");
        self.report("this `<` is never closed", help, open.at());
        rest
    }

    fn placeholder(&mut self, whole: Part<'_>) -> Option<Placeholder> {
        let body = whole.slice(1..whole.text.len() - 1);
        let (head, functions) = body.split_once('|');
        if head.text.starts_with('(') {
            return self.several(head, functions, whole);
        }
        let functions: Vec<Part<'_>> = functions.map_or(Vec::new(), |all| all.split("|").collect());
        let (path, format) = head.split_once(':');
        let layout = format.is_some_and(is_layout);
        // Spaces may stand between the parts of a layout and between the arguments of a function.
        let names = functions.iter().map(|function| function.split_once('(').0);
        let mut spaced = [Some(path), format.filter(|_| !layout)]
            .into_iter()
            .flatten()
            .chain(names);
        if let Some(at) = spaced.find_map(|part| part.find_run(char::is_whitespace)) {
            self.report("whitespace inside a placeholder", WHITESPACE, at);
            return None;
        }
        let (path, rest) = path.strip_suffix("..");
        let (path, optional) = path.strip_suffix("?");
        if rest {
            self.rests.push(whole.at());
        }
        if rest && optional {
            self.report(
                "a placeholder has `?` or `..`, not both",
                format!("write `<{}?>`, or `<{}..>`", path.text, path.text),
                whole.at(),
            );
        }
        if rest && format.is_some() {
            self.report(
                "`..` takes text of any length, a format fixes it: a placeholder has one of the two",
                format!("write `<{}..>`", path.text),
                whole.at(),
            );
        }
        // Each part is read whatever became of the others, so that all their problems are told at once.
        let fields = self.path(path, whole);
        let format = format.map_or(Some(None), |text| self.format(text, whole).map(Some));
        let functions: Vec<_> = functions
            .into_iter()
            .map(|one| self.function(one, head, whole))
            .collect();
        Some(Placeholder {
            path: fields?,
            others: Vec::new(),
            optional,
            format: format?,
            functions: functions.into_iter().collect::<Option<Vec<_>>>()?,
            rest,
            at: whole.at(),
            path_at: path.at(),
        })
    }

    pub(super) fn path(&mut self, path: Part<'_>, whole: Part<'_>) -> Option<Vec<String>> {
        if path.text.is_empty() {
            self.report("the placeholder names no field", NO_FIELD, whole.at());
            return None;
        }
        let before = self.problems.len();
        if path.text.split('.').any(str::is_empty) {
            self.report(
                "a field name is missing beside the `.`",
                "write `<outer.inner>` for a nested field, `<field..>` for text that may contain the delimiter",
                path.at(),
            );
        }
        for name in path.split(".").filter(|name| !name.text.is_empty()) {
            self.field_name(name);
        }
        let good = self.problems.len() == before;
        good.then(|| path.text.split('.').map(str::to_owned).collect())
    }

    fn field_name(&mut self, name: Part<'_>) {
        let Part { text, .. } = name;
        if text == "self" {
            let help = "leave it out: fields are named directly, such as `<user_id>`";
            self.report("`self` is not a field name", help, name.at());
        } else if is_keyword(text) {
            let help = format!("write `r#{text}`");
            self.report(format!("`{text}` is a Rust keyword"), help, name.at());
        } else if !is_identifier(text) {
            self.report(
                format!("`{text}` is not a field name"),
                FIELD_NAME,
                name.at(),
            );
        }
    }

    /// Tells of a `..` at the end of a format or a function; true if there was one.
    pub(super) fn refuse_rest_at_end(&mut self, part: Part<'_>) -> bool {
        let misplaced = part.text.ends_with("..");
        if misplaced {
            let end = part.text.len();
            self.report(
                "`..` is in the wrong place",
                REST_PLACE,
                part.slice(end - 2..end).at(),
            );
        }
        misplaced
    }
}
