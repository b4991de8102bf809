//! Answers with items in them: where the items are, and the rest, which is left to the SDK.

use std::ops::Range;

use super::Cursor;
use super::cursor::malformed;
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
    pub(crate) rest: String,
}

/// Finds the items of an answer. All of it is read closely: an item that is found can be read, as far as its type allows.
pub(crate) fn split(answer: &str, place: Place) -> Result<Split, DecodeError> {
    let cursor = Cursor::new(answer);
    let mut out = Split {
        items: Vec::new(),
        rest: String::from("{"),
    };
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
            find(&cursor, place, &mut out.items)?;
            continue;
        }
        cursor.skip_json()?;
        let value = cursor.between(start, cursor.place())?;
        if name == "Count" {
            // An item has some bytes at least, so a wrong count cannot ask for much.
            let count = value.parse().unwrap_or(0);
            out.items.reserve(answer.len().div_euclid(16).min(count));
        }
        if out.rest.len() > 1 {
            out.rest.push(',');
        }
        super::strings::write(&mut out.rest, &name);
        out.rest.push(':');
        out.rest.push_str(value);
    }
    if cursor.peek() != 0 || cursor.place() < answer.len() {
        return Err(malformed());
    }
    out.rest.push('}');
    Ok(out)
}

type Items = Vec<Option<Range<usize>>>;

fn find(cursor: &Cursor<'_>, place: Place, items: &mut Items) -> Result<(), DecodeError> {
    match place {
        Place::One(_) => item(cursor, items),
        Place::Many(_) => list(cursor, |cursor| item(cursor, items)),
        Place::PerTable => {
            cursor.token(b'{')?;
            let mut first = true;
            while cursor.key(first)?.is_some() {
                first = false;
                list(cursor, |cursor| item(cursor, items))?;
            }
            Ok(())
        }
        Place::Each => list(cursor, |cursor| {
            cursor.token(b'{')?;
            match cursor.key(true)? {
                None => {
                    items.push(None);
                    return Ok(());
                }
                Some(name) if name == "Item" => item(cursor, items)?,
                Some(_) => return Err(malformed()),
            }
            cursor.token(b'}')
        }),
    }
}

fn list(
    cursor: &Cursor<'_>,
    mut element: impl FnMut(&Cursor<'_>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    cursor.token(b'[')?;
    let mut first = true;
    while cursor.element(first)? {
        first = false;
        element(cursor)?;
    }
    Ok(())
}

fn item(cursor: &Cursor<'_>, items: &mut Items) -> Result<(), DecodeError> {
    cursor.token(b'{')?;
    // The brace itself is before the place.
    let start = cursor.place().saturating_sub(1);
    cursor.skip_attributes()?;
    items.push(Some(start..cursor.place()));
    Ok(())
}
