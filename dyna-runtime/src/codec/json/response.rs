//! Responses with items: finds the items, and leaves the rest to the SDK.

use std::ops::Range;

use super::lexer::malformed;
use super::{ItemSource, Lexer, Watch, strings};
use crate::codec::error::DecodeError;

/// Where a response has its items.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ItemLocation {
    /// One, in this member.
    One(&'static str),
    /// A list of them, in this member.
    Many(&'static str),
    /// A list of them for each table: `Responses` of a batch.
    PerTable,
    /// A list of objects that may have one: `Responses` of a transaction.
    Each,
}

impl ItemLocation {
    fn member(self) -> &'static str {
        match self {
            Self::One(member) | Self::Many(member) => member,
            Self::PerTable | Self::Each => "Responses",
        }
    }
}

/// A response whose items are found.
#[derive(Debug)]
pub(crate) struct SplitResponse {
    /// Where each item is, its braces included; `None` where a transaction found none.
    pub(crate) items: Vec<Option<Range<usize>>>,
    /// The response without them.
    pub(crate) rest: ResponseRest,
}

/// The members of a response beside its items.
#[derive(Debug, Default)]
pub(crate) struct ResponseRest {
    /// How many items there are.
    pub(crate) count: Option<i32>,
    /// How many were looked at.
    pub(crate) scanned: Option<i32>,
    /// All else, as JSON without the braces.
    pub(crate) members: String,
}

/// Finds the items of a response, and notes where attributes are that are watched for. All of it is read closely: an item that is found
/// can be read, as far as its type allows.
pub(crate) fn split(
    answer: &str,
    place: ItemLocation,
    watch: Option<&Watch>,
) -> ReadResult<SplitResponse> {
    let mut items = Vec::new();
    let rest = walk(answer, place, watch, &mut |step| {
        items.push(match step {
            ResponseStep::Count(count) => {
                items.reserve(count);
                return Ok(());
            }
            ResponseStep::Missing => None,
            ResponseStep::Item(lexer) => {
                let start = start(lexer);
                lexer.skip_item()?;
                Some(start..lexer.place())
            }
        });
        Ok(())
    })?;
    Ok(SplitResponse { items, rest })
}

/// Takes the items of a response as they come.
pub(crate) trait ItemSink {
    /// So many will come.
    fn expect(&mut self, count: usize);

    /// Reads an item. Why one cannot be read is found out in another way.
    fn take(&mut self, item: ItemSource<'_, '_>) -> Result<(), DecodeFailed>;
}

/// An item could not be read.
pub(crate) struct DecodeFailed;

/// Reads the items of a response as they come, and notes where attributes are that are watched for. Where the first item is, if there
/// is one.
pub(crate) fn read(
    answer: &str,
    place: ItemLocation,
    watch: Option<&Watch>,
    taker: &mut dyn ItemSink,
) -> ReadResult<(ResponseRest, Option<Range<usize>>)> {
    let mut first = None;
    let rest = walk(answer, place, watch, &mut |step| {
        match step {
            ResponseStep::Count(count) => taker.expect(count),
            ResponseStep::Missing => {}
            ResponseStep::Item(lexer) => {
                let start = start(lexer);
                taker
                    .take(ItemSource::at(lexer))
                    .map_err(|DecodeFailed| malformed())?;
                first.get_or_insert(start..lexer.place());
            }
        }
        Ok(())
    })?;
    Ok((rest, first))
}

/// Where an item begins whose brace is read.
fn start(lexer: &Lexer<'_>) -> usize {
    lexer.place().saturating_sub(1)
}

type ReadResult<T> = Result<T, DecodeError>;

/// A step on the way through a response.
enum ResponseStep<'s, 'de> {
    /// How many items will come.
    Count(usize),
    /// An item whose brace is read, to be read to its end.
    Item(&'s Lexer<'de>),
    /// No item, where a transaction found none.
    Missing,
}

type StepVisitor<'t> = &'t mut dyn FnMut(ResponseStep<'_, '_>) -> ReadResult<()>;

/// Goes through a response.
fn walk<'de>(
    answer: &'de str,
    place: ItemLocation,
    watch: Option<&'de Watch>,
    step: StepVisitor<'_>,
) -> ReadResult<ResponseRest> {
    // DynamoDB writes none, not even as white space, and the SDK takes none in strings: so they need not be looked for there.
    if strings::has_control(answer.as_bytes()) {
        return Err(malformed());
    }
    let lexer = Lexer::new(answer).watching(watch);
    let mut rest = ResponseRest::default();
    let mut found = false;
    lexer.token(b'{')?;
    let mut first = true;
    loop {
        let start = lexer.place();
        let Some(name) = lexer.key(first)? else {
            break;
        };
        first = false;
        if name == place.member() && matches!(lexer.peek(), b'{' | b'[') {
            // The SDK would take the last of several.
            if std::mem::replace(&mut found, true) {
                return Err(malformed());
            }
            each(&lexer, place, step)?;
            continue;
        }
        lexer.peek();
        let value = lexer.place();
        lexer.skip_json()?;
        let value = lexer.between(value, lexer.place())?;
        match (&*name, count(value)) {
            ("Count", Some(count)) if rest.count.is_none() => {
                rest.count = Some(count);
                // An item has some bytes at least, so a wrong count cannot ask for much.
                let most = answer.len().div_euclid(16);
                step(ResponseStep::Count(
                    usize::try_from(count).unwrap_or(0).min(most),
                ))?;
            }
            ("ScannedCount", Some(count)) if rest.scanned.is_none() => rest.scanned = Some(count),
            // The SDK would take the last of several.
            ("Count" | "ScannedCount", _) => return Err(malformed()),
            _ => {
                let member = lexer.between(start, lexer.place())?;
                if !rest.members.is_empty() {
                    rest.members.push(',');
                }
                let member = member.trim_start_matches([' ', '\n', '\r', '\t', ',']);
                rest.members.push_str(member);
            }
        }
    }
    if lexer.peek() != 0 || lexer.place() < answer.len() {
        return Err(malformed());
    }
    Ok(rest)
}

/// A number as JSON writes it.
fn count(text: &str) -> Option<i32> {
    let count = text.parse().ok()?;
    (itoa::Buffer::new().format(count) == text).then_some(count)
}

fn each(lexer: &Lexer<'_>, place: ItemLocation, step: StepVisitor<'_>) -> ReadResult<()> {
    match place {
        ItemLocation::One(_) => item(lexer, step),
        ItemLocation::Many(_) => list(lexer, |lexer| item(lexer, step)),
        ItemLocation::PerTable => {
            lexer.token(b'{')?;
            let mut first = true;
            while lexer.key(first)?.is_some() {
                first = false;
                list(lexer, |lexer| item(lexer, step))?;
            }
            Ok(())
        }
        ItemLocation::Each => list(lexer, |lexer| {
            lexer.token(b'{')?;
            match lexer.key(true)? {
                None => return step(ResponseStep::Missing),
                Some(name) if name == "Item" => item(lexer, step)?,
                Some(_) => return Err(malformed()),
            }
            lexer.token(b'}')
        }),
    }
}

fn list(
    lexer: &Lexer<'_>,
    mut element: impl FnMut(&Lexer<'_>) -> ReadResult<()>,
) -> ReadResult<()> {
    lexer.token(b'[')?;
    let mut first = true;
    while lexer.element(first)? {
        first = false;
        element(lexer)?;
    }
    Ok(())
}

fn item(lexer: &Lexer<'_>, step: StepVisitor<'_>) -> ReadResult<()> {
    lexer.token(b'{')?;
    step(ResponseStep::Item(lexer))
}
