//! Answers with items in them: the items are read where they are, and the rest is left to the SDK.

use super::Cursor;
use super::cursor::malformed;
use super::item::{Found, WireItem};
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

/// Takes the items of an answer.
pub(crate) trait Take {
    /// About so many will come.
    fn expect(&mut self, _count: usize) {}

    /// Takes the next item, or `None` where a transaction found none.
    fn take(&mut self, item: Option<Found<'_, '_>>) -> Result<(), DecodeError>;
}

/// Reads the items of an answer, and returns the rest of it, which is JSON again if the answer was.
///
/// An error may come after some items: they are to be forgotten then.
pub(crate) fn items(
    answer: &str,
    place: Place,
    take: &mut dyn Take,
) -> Result<String, DecodeError> {
    let cursor = Cursor::new(answer);
    let mut rest = String::from("{");
    let mut found = false;
    cursor.token(b'{')?;
    let mut first = true;
    while let Some(name) = cursor.key(first)? {
        first = false;
        let start = cursor.place();
        if name == place.member() && matches!(cursor.peek(), b'{' | b'[') {
            // The SDK would take the last of several.
            if found {
                return Err(malformed());
            }
            found = true;
            read(&cursor, place, take)?;
            continue;
        }
        cursor.skip_json()?;
        let value = cursor.between(start, cursor.place())?;
        if name == "Count" {
            // An item has some bytes at least, so a wrong count cannot ask for much.
            let count = value.parse().unwrap_or(0);
            take.expect(answer.len().div_euclid(16).min(count));
        }
        if rest.len() > 1 {
            rest.push(',');
        }
        super::strings::write(&mut rest, &name);
        rest.push(':');
        rest.push_str(value);
    }
    if cursor.peek() != 0 || cursor.place() < answer.len() {
        return Err(malformed());
    }
    rest.push('}');
    Ok(rest)
}

fn read(cursor: &Cursor<'_>, place: Place, take: &mut dyn Take) -> Result<(), DecodeError> {
    match place {
        Place::One(_) => item(cursor, take),
        Place::Many(_) => list(cursor, &mut |cursor| item(cursor, take)),
        Place::PerTable => {
            cursor.token(b'{')?;
            let mut first = true;
            while cursor.key(first)?.is_some() {
                first = false;
                list(cursor, &mut |cursor| item(cursor, take))?;
            }
            Ok(())
        }
        Place::Each => list(cursor, &mut |cursor| {
            cursor.token(b'{')?;
            match cursor.key(true)? {
                None => return take.take(None),
                Some(name) if name == "Item" => item(cursor, take)?,
                Some(_) => return Err(malformed()),
            }
            cursor.token(b'}')
        }),
    }
}

fn list(
    cursor: &Cursor<'_>,
    element: &mut dyn FnMut(&Cursor<'_>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    cursor.token(b'[')?;
    let mut first = true;
    while cursor.element(first)? {
        first = false;
        element(cursor)?;
    }
    Ok(())
}

/// One item, which the taker may leave unread.
fn item(cursor: &Cursor<'_>, take: &mut dyn Take) -> Result<(), DecodeError> {
    cursor.token(b'{')?;
    let start = cursor.place();
    take.take(Some(Found::Wire(WireItem(cursor))))?;
    if cursor.place() == start {
        cursor.skip_attributes()?;
    }
    Ok(())
}
