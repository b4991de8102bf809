//! What follows the `:` of a placeholder: a width, a length, or a date layout.

use super::part::{Part, number};
use super::reader::TemplateReader;
use super::{Format, LayoutItem};

const WIDTHS: std::ops::RangeInclusive<u16> = 1..=39;
const LENGTHS: std::ops::RangeInclusive<u16> = 1..=2048;

const FORMATS: &str = "write `:013` for a number padded with zeros to 13 digits, `:plain` for a number without zeros in front, `:len=24` for text of exactly 24 bytes, \
    or a date layout such as `:%Y-%m`";
const WIDTH_RANGE: &str = "write `:01` to `:039`: 39 digits hold every `u128`";
const LEN_RANGE: &str = "write `:len=1` to `:len=2048`: a partition key holds 2048 bytes";
const SPECIFIERS: &str = "the supported ones are `%Y` `%m` `%d` `%H` `%M` `%S` `%3f` `%6f` `%9f` `%j`, and `%%` for `%` itself";

impl Format {
    /// Whether the written forms of two values sort as the values do (equal forms allowed: a layout may cut off its end).
    ///
    /// A layout does if its items run without a gap from the year down.
    #[must_use]
    pub(crate) fn keeps_order(&self) -> bool {
        use LayoutItem::{
            Day, DayOfYear, Hour, Micros, Millis, Minute, Month, Nanos, Second, Year,
        };
        let Format::Layout(items) = self else {
            // A number without zeros in front has no ranges.
            return true;
        };
        let parts: Vec<_> = items
            .iter()
            .filter(|item| !matches!(item, LayoutItem::Literal(_)))
            .collect();
        let time = match parts.as_slice() {
            [Year] | [Year, Month] => return true,
            [Year, Month, Day, time @ ..] | [Year, DayOfYear, time @ ..] => time,
            _ => return false,
        };
        matches!(
            time,
            [] | [Hour]
                | [Hour, Minute]
                | [Hour, Minute, Second]
                | [Hour, Minute, Second, Millis | Micros | Nanos]
        )
    }
}

/// Whether the text after the `:` is a date layout.
pub(super) fn is_layout(format: Part<'_>) -> bool {
    format.text.contains('%')
}

impl TemplateReader {
    pub(super) fn format(&mut self, format: Part<'_>, whole: Part<'_>) -> Option<Format> {
        let text = format.text;
        if text.is_empty() {
            self.report("the format after `:` is missing", FORMATS, whole.at());
            None
        } else if self.refuse_rest_at_end(format) {
            None
        } else if is_layout(format) {
            self.layout(format).map(Format::Layout)
        } else if text.bytes().all(|b| b.is_ascii_digit()) {
            self.width(format).map(Format::Width)
        } else if text == "plain" {
            Some(Format::Plain)
        } else if let Some(length) = text.strip_prefix("len") {
            self.length(length, format).map(Format::Len)
        } else {
            let help = match text.strip_prefix(':') {
                Some(_) => "a nested field is written with a dot, such as `<outer.inner>`",
                None => FORMATS,
            };
            self.report(format!("`:{text}` is not a format"), help, format.at());
            None
        }
    }

    fn width(&mut self, format: Part<'_>) -> Option<u8> {
        let digits = format.text.trim_start_matches('0');
        let Some(width) = number(digits).filter(|width| WIDTHS.contains(width)) else {
            self.report("a width is 1 to 39 digits", WIDTH_RANGE, format.at());
            return None;
        };
        if format.text.len() != digits.len() + 1 {
            let help = format!("write `:0{width}`");
            self.report(
                "a width is written with one leading zero",
                help,
                format.at(),
            );
            return None;
        }
        u8::try_from(width).ok()
    }

    fn length(&mut self, after_len: &str, format: Part<'_>) -> Option<u16> {
        let Some(digits) = after_len.strip_prefix('=') else {
            self.report(
                "a length is written with `=`",
                "write `:len=24`",
                format.at(),
            );
            return None;
        };
        let length = number(digits).filter(|length| LENGTHS.contains(length));
        if length.is_none() {
            self.report("a length is 1 to 2048 bytes", LEN_RANGE, format.at());
        }
        length
    }

    fn layout(&mut self, format: Part<'_>) -> Option<Vec<LayoutItem>> {
        let before = self.problems.len();
        self.refuse_last_char(format);
        if format.text.trim() != format.text {
            let help = "remove it: a space may stand only between the parts of a layout";
            self.report("whitespace around a layout", help, format.at());
        }
        let mut items = Vec::new();
        let mut rest = format;
        while !rest.text.is_empty() {
            let (item, after) = if rest.text.starts_with('%') {
                self.specifier(rest)
            } else {
                let (literal, after) =
                    rest.split_at(rest.text.find('%').unwrap_or(rest.text.len()));
                (Some(LayoutItem::Literal(literal.text.to_owned())), after)
            };
            rest = after;
            match (items.last_mut(), item) {
                (Some(LayoutItem::Literal(last)), Some(LayoutItem::Literal(text))) => {
                    last.push_str(&text);
                }
                (_, item) => items.extend(item),
            }
        }
        let good = self.problems.len() == before;
        if good
            && items
                .iter()
                .all(|item| matches!(item, LayoutItem::Literal(_)))
        {
            self.report(
                "the layout has no part of a date or time",
                SPECIFIERS,
                format.at(),
            );
            return None;
        }
        good.then_some(items)
    }

    /// Reads one `%..`, and returns what is left.
    fn specifier<'a>(&mut self, layout: Part<'a>) -> (Option<LayoutItem>, Part<'a>) {
        let flags = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_');
        let mut chars = layout
            .text
            .char_indices()
            .skip(1)
            .skip_while(|(_, c)| flags(*c));
        let len = chars
            .next()
            .map_or(layout.text.len(), |(i, c)| i + c.len_utf8());
        let (specifier, rest) = layout.split_at(len);
        let item = match specifier.text {
            "%Y" => LayoutItem::Year,
            "%m" => LayoutItem::Month,
            "%d" => LayoutItem::Day,
            "%H" => LayoutItem::Hour,
            "%M" => LayoutItem::Minute,
            "%S" => LayoutItem::Second,
            "%3f" => LayoutItem::Millis,
            "%6f" => LayoutItem::Micros,
            "%9f" => LayoutItem::Nanos,
            "%j" => LayoutItem::DayOfYear,
            "%%" => LayoutItem::Literal("%".to_owned()),
            text => {
                self.report(
                    format!("`{text}` is not a part of a layout"),
                    SPECIFIERS,
                    specifier.at(),
                );
                return (None, rest);
            }
        };
        (Some(item), rest)
    }
}
