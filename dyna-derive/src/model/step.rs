//! The steps of queries over the fields of a sort key.

use super::{Key, Part, Piece, Template};
use crate::template::{Format, Function};

/// A step over a field of the sort key.
pub(crate) struct Step<'k> {
    pub(crate) n: usize,
    pub(crate) template: &'k Template,
    pub(crate) part: &'k Part,
    /// What a range over the field asks of its type, if it can have one.
    pub(crate) range: Option<StepRange>,
    pub(crate) starts_with: bool,
    /// Whether the text of the field may not tell by itself where it ends, so that the fields after it have to be given too.
    pub(crate) open: Open,
    /// If a field before it may be open: whether another one has to be given after this.
    pub(crate) closes: Option<Closes>,
}

/// Whether the key up to a field tells where the field ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    Never,
    /// If its type has no fixed width.
    ByType,
    Always,
}

/// A field after an open one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closes {
    /// The last that has to be given.
    All,
    NotYet,
}

/// A range over a field of the sort key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepRange {
    /// Every value has the same width.
    FixedWidth,
    /// Nothing follows.
    AtEnd,
    BeforeMore,
    /// Nothing follows, and its ends go through functions of text.
    OfText,
    /// A number without zeros in front, which does not sort: a range over it is an error that says so.
    OfPlain,
}

impl Key {
    /// The steps over the fields of the sort key.
    pub(crate) fn steps(&self) -> Vec<Step<'_>> {
        let steps = self.sk.iter().flat_map(Template::steps);
        steps
            .enumerate()
            .map(|(n, step)| Step { n, ..step })
            .collect()
    }
}

impl Template {
    /// The steps over its placeholders, numbered from zero.
    fn steps(&self) -> Vec<Step<'_>> {
        let is_part = |piece: &Piece| matches!(piece, Piece::Part(_));
        let (mut steps, mut after_rest): (Vec<Step<'_>>, bool) = (Vec::new(), false);
        for (at, field) in self.fields.iter().enumerate() {
            let is_last_field = at + 1 == self.fields.len();
            // A delimiter tells where a field ends, but not where a `<rest..>` does.
            let mut after_open = after_rest;
            for (n, piece) in field.iter().enumerate() {
                let Piece::Part(part) = piece else { continue };
                let is_at_end = n + 1 == field.len();
                let more_in_field = field[n + 1..].iter().any(is_part);
                let more = more_in_field || self.fields[at + 1..].iter().flatten().any(is_part);
                let open = match more_in_field {
                    _ if part.rest && more => Open::Always,
                    true if !part.is_fixed() => Open::ByType,
                    _ => Open::Never,
                };
                let goes_on = if after_rest { more } else { more_in_field };
                let closes = if goes_on { Closes::NotYet } else { Closes::All };
                let has_prefix = match part.format {
                    None => is_at_end && (is_last_field || !part.rest && !part.or_empty),
                    Some(Format::Len(_)) => true,
                    Some(_) => false,
                };
                steps.push(Step {
                    n: steps.len(),
                    template: self,
                    part,
                    range: part.range(is_at_end && is_last_field),
                    starts_with: has_prefix && part.has_text(is_at_end && is_last_field),
                    open,
                    closes: after_open.then_some(closes),
                });
                after_open |= open != Open::Never;
                after_rest |= part.rest;
            }
        }
        steps
    }
}

impl Part {
    /// Whether all texts of it are equally long, whatever its type is.
    fn is_fixed(&self) -> bool {
        match (self.functions.last(), &self.format) {
            (Some(Function::Sha256 | Function::Shard(_) | Function::ShardBy(..)), _) => true,
            (Some(_), _) | (None, None | Some(Format::Plain)) => false,
            (None, Some(_)) => true,
        }
    }

    /// Whether a prefix of its text can be given.
    fn has_text(&self, is_last: bool) -> bool {
        if self.inputs.is_empty() {
            self.keeps_text() && (!self.or_empty || self.functions.is_empty())
        } else {
            is_last
        }
    }

    /// What a range over it asks of its type.
    fn range(&self, is_last: bool) -> Option<StepRange> {
        match &self.format {
            Some(Format::Plain) => Some(StepRange::OfPlain),
            // What a function of several fields gives is given as text.
            _ if !self.inputs.is_empty() => is_last.then_some(StepRange::AtEnd),
            // Before something else, what has no value is not on one side of what has one.
            _ if self.or_empty && (!is_last || !self.functions.is_empty()) => None,
            _ if !self.functions.is_empty() => {
                (is_last && self.keeps_text()).then_some(StepRange::OfText)
            }
            Some(_) => Some(StepRange::FixedWidth),
            None if is_last => Some(StepRange::AtEnd),
            None => Some(StepRange::BeforeMore),
        }
    }
}
