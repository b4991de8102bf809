//! A template, taken apart.

use std::ops::Range;

/// A key template, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    /// The pieces in order. No two literals stand side by side.
    pub(crate) pieces: Vec<Piece>,
}

/// One piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text that goes into the key as it is. Never empty.
    Literal(String),
    /// A place that a field fills.
    Placeholder(Placeholder),
}

/// `<path:format|function|function>`, or `<(path, path)|function>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placeholder {
    /// The field, or the fields from the outside in; never empty. Raw identifiers keep their `r#`.
    ///
    /// Beyond ASCII the identifier rule of `std` is a little wider than Rust's: make tokens of a name with
    /// `syn::parse_str`, which reports, and not with `Ident::new`, which panics.
    pub(crate) path: Vec<String>,
    /// The other fields of a function of several.
    pub(crate) others: Vec<Vec<String>>,
    /// `<path?>`: nothing if the field has no value.
    pub(crate) optional: bool,
    /// How the value is written.
    pub(crate) format: Option<Format>,
    /// What is applied to the value before it is written, in this order.
    pub(crate) functions: Vec<Function>,
    /// `<path..>`: text that may contain the delimiter.
    pub(crate) rest: bool,
    /// The bytes of `<..>` in the text.
    pub(crate) at: Range<usize>,
    /// The bytes of the path in the text, without the `..` of a rest.
    pub(crate) path_at: Range<usize>,
}

/// How a value is written into the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Format {
    /// `:013`: an unsigned integer, zero-padded to 1..=39 digits.
    Width(u8),
    /// `:plain`: an unsigned integer without zeros in front.
    Plain,
    /// `:len=24`: text of exactly 1..=2048 bytes.
    Len(u16),
    /// `:%Y-%m`: a date or time. Adjacent literals are merged, and at least one item is not a literal.
    Layout(Vec<LayoutItem>),
}

/// One item of a date or time layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LayoutItem {
    /// Text that goes into the key as it is.
    Literal(String),
    /// `%Y`, four digits.
    Year,
    /// `%m`, 01 to 12.
    Month,
    /// `%d`, 01 to 31.
    Day,
    /// `%H`, 00 to 23.
    Hour,
    /// `%M`, 00 to 59.
    Minute,
    /// `%S`, 00 to 60.
    Second,
    /// `%3f`, three digits of the second's fraction.
    Millis,
    /// `%6f`, six digits of the second's fraction.
    Micros,
    /// `%9f`, nine digits of the second's fraction.
    Nanos,
    /// `%j`, 001 to 366.
    DayOfYear,
}

impl LayoutItem {
    /// Whether it names a day.
    pub(crate) fn is_day(&self) -> bool {
        matches!(self, Self::Day | Self::DayOfYear)
    }
}

/// What is applied to a value before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Function {
    /// `|sha256`
    Sha256,
    /// `|lower`
    Lower,
    /// `|upper`
    Upper,
    /// `|trim`
    Trim,
    /// `|shard(16)`: one of that many buckets, 1..=65535.
    Shard(u16),
    /// `|shard(16, with = a::b::f)`: the bucket of that many that a function of the user's returns.
    ShardBy(u16, String),
    /// `|a::b::f`: a function of the user's, as written.
    Path(String),
}

impl Placeholder {
    /// What the argument of the placeholder is called by: the field, or the function of several fields.
    pub(crate) fn named(&self) -> Vec<String> {
        match self.functions.as_slice() {
            [Function::Path(path)] if !self.others.is_empty() => {
                vec![path.rsplit("::").next().unwrap_or(path).to_owned()]
            }
            _ => self.path.clone(),
        }
    }
}

impl Function {
    /// How many buckets it has.
    pub(crate) fn buckets(&self) -> Option<u16> {
        match self {
            Self::Shard(buckets) | Self::ShardBy(buckets, _) => Some(*buckets),
            _ => None,
        }
    }

    /// Whether it makes text of text, so that ranges and prefixes go through it.
    pub(crate) fn is_of_text(&self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Trim)
    }

    /// Whether it is a function of the user's, which is given a value and not its text.
    pub(crate) fn takes_value(&self) -> bool {
        matches!(self, Self::ShardBy(..) | Self::Path(_))
    }
}

impl Template {
    /// The placeholders in order.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(_) => None,
            Piece::Placeholder(placeholder) => Some(placeholder),
        })
    }
}
