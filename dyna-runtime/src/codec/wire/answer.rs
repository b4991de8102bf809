//! Answers with items in them: where the items are, and the rest, which is left to the SDK.

use std::ops::Range;

use super::cursor::malformed;
use super::{Cursor, Found, Watch, strings};
use crate::codec::error::DecodeError;

/// Where an answer has its items.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// One, in this member.
    One(&'static str),
    /// A list of them, in this member.
    Many(&'static str),
    /// A list of them for each table: `Responses` of a batch.
    PerTable,
    /// A list of objects that may have one: `Responses` of a transaction.
    Each,
}

impl Place {
    fn member(self) -> &'static str {
        match self {
            Self::One(member) | Self::Many(member) => member,
            Self::PerTable | Self::Each => "Responses",
        }
    }
}

/// An answer whose items are found.
#[derive(Debug)]
pub(crate) struct Split {
    /// Where each item is, its braces included; `None` where a transaction found none.
    pub(crate) items: Vec<Option<Range<usize>>>,
    /// The answer without them.
    pub(crate) rest: Rest,
}

/// What an answer says beside its items.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// How many items there are.
    pub(crate) count: Option<i32>,
    /// How many were looked at.
    pub(crate) scanned: Option<i32>,
    /// All else, as JSON without the braces.
    pub(crate) members: String,
}

/// Finds the items of an answer. All of it is read closely: an item that is found can be read, as far as its type allows.
pub(crate) fn split(answer: &str, place: Place) -> Read<Split> {
    let mut items = Vec::new();
    let rest = walk(answer, place, None, &mut |step| {
        items.push(match step {
            Step::Count(count) => {
                items.reserve(count);
                return Ok(());
            }
            Step::Missing => None,
            Step::Item(cursor) => {
                let start = start(cursor);
                cursor.skip_attributes()?;
                Some(start..cursor.place())
            }
        });
        Ok(())
    })?;
    Ok(Split { items, rest })
}

/// Takes the items of an answer as they come.
pub(crate) trait Take {
    /// So many will come.
    fn expect(&mut self, count: usize);

    /// Reads an item. Why one cannot be read is found out in another way.
    fn take(&mut self, item: Found<'_, '_>) -> Result<(), Failed>;
}

/// An item could not be read.
pub(crate) struct Failed;

/// Reads the items of an answer as they come, and notes where attributes are that are watched for. Where the first item is, if there
/// is one.
pub(crate) fn read(
    answer: &str,
    place: Place,
    watch: Option<&Watch>,
    taker: &mut dyn Take,
) -> Read<(Rest, Option<Range<usize>>)> {
    let mut first = None;
    let rest = walk(answer, place, watch, &mut |step| {
        match step {
            Step::Count(count) => taker.expect(count),
            Step::Missing => {}
            Step::Item(cursor) => {
                let start = start(cursor);
                taker
                    .take(Found::at(cursor))
                    .map_err(|Failed| malformed())?;
                first.get_or_insert(start..cursor.place());
            }
        }
        Ok(())
    })?;
    Ok((rest, first))
}

/// Where an item begins whose brace is read.
fn start(cursor: &Cursor<'_>) -> usize {
    cursor.place().saturating_sub(1)
}

type Read<T> = Result<T, DecodeError>;

/// What is met on the way through an answer.
enum Step<'s, 'de> {
    /// How many items will come.
    Count(usize),
    /// An item whose brace is read, to be read to its end.
    Item(&'s Cursor<'de>),
    /// No item, where a transaction found none.
    Missing,
}

type Steps<'t> = &'t mut dyn FnMut(Step<'_, '_>) -> Read<()>;

/// Goes through an answer.
fn walk<'de>(
    answer: &'de str,
    place: Place,
    watch: Option<&'de Watch>,
    step: Steps<'_>,
) -> Read<Rest> {
    // DynamoDB writes none, not even as white space, and the SDK takes none in strings: so they need not be looked for there.
    if strings::has_control(answer.as_bytes()) {
        return Err(malformed());
    }
    let cursor = Cursor::new(answer).watching(watch);
    let mut rest = Rest::default();
    let mut found = false;
    cursor.token(b'{')?;
    let mut first = true;
    loop {
        let start = cursor.place();
        let Some(name) = cursor.key(first)? else {
            break;
        };
        first = false;
        if name == place.member() && matches!(cursor.peek(), b'{' | b'[') {
            // The SDK would take the last of several.
            if std::mem::replace(&mut found, true) {
                return Err(malformed());
            }
            each(&cursor, place, step)?;
            continue;
        }
        cursor.peek();
        let value = cursor.place();
        cursor.skip_json()?;
        let value = cursor.between(value, cursor.place())?;
        match (&*name, count(value)) {
            ("Count", Some(count)) if rest.count.is_none() => {
                rest.count = Some(count);
                // An item has some bytes at least, so a wrong count cannot ask for much.
                let most = answer.len().div_euclid(16);
                step(Step::Count(usize::try_from(count).unwrap_or(0).min(most)))?;
            }
            ("ScannedCount", Some(count)) if rest.scanned.is_none() => rest.scanned = Some(count),
            // The SDK would take the last of several.
            ("Count" | "ScannedCount", _) => return Err(malformed()),
            _ => {
                let member = cursor.between(start, cursor.place())?;
                if !rest.members.is_empty() {
                    rest.members.push(',');
                }
                let member = member.trim_start_matches([' ', '\n', '\r', '\t', ',']);
                rest.members.push_str(member);
            }
        }
    }
    if cursor.peek() != 0 || cursor.place() < answer.len() {
        return Err(malformed());
    }
    Ok(rest)
}

/// A number as JSON writes it.
fn count(text: &str) -> Option<i32> {
    let count = text.parse().ok()?;
    (itoa::Buffer::new().format(count) == text).then_some(count)
}

fn each(cursor: &Cursor<'_>, place: Place, step: Steps<'_>) -> Read<()> {
    match place {
        Place::One(_) => item(cursor, step),
        Place::Many(_) => list(cursor, |cursor| item(cursor, step)),
        Place::PerTable => {
            cursor.token(b'{')?;
            let mut first = true;
            while cursor.key(first)?.is_some() {
                first = false;
                list(cursor, |cursor| item(cursor, step))?;
            }
            Ok(())
        }
        Place::Each => list(cursor, |cursor| {
            cursor.token(b'{')?;
            match cursor.key(true)? {
                None => return step(Step::Missing),
                Some(name) if name == "Item" => item(cursor, step)?,
                Some(_) => return Err(malformed()),
            }
            cursor.token(b'}')
        }),
    }
}

fn list(cursor: &Cursor<'_>, mut element: impl FnMut(&Cursor<'_>) -> Read<()>) -> Read<()> {
    cursor.token(b'[')?;
    let mut first = true;
    while cursor.element(first)? {
        first = false;
        element(cursor)?;
    }
    Ok(())
}

fn item(cursor: &Cursor<'_>, step: Steps<'_>) -> Read<()> {
    cursor.token(b'{')?;
    step(Step::Item(cursor))
}
