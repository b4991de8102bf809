//! An item's JSON as the SDK's map of attributes.

use super::cursor::malformed;
use super::{Cursor, Type};
use crate::codec::Item;
use crate::codec::error::DecodeError;
use crate::codec::sets::SetKind;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

type Read<T> = Result<T, DecodeError>;

/// The attributes of an item whose JSON this is.
pub(crate) fn to_item(json: &str) -> Read<Item> {
    let cursor = Cursor::new(json);
    cursor.token(b'{')?;
    let item = attributes(&cursor)?;
    if cursor.peek() != 0 || cursor.place() < json.len() {
        return Err(malformed());
    }
    Ok(item)
}

/// The attributes of a map or an item, from behind its brace.
fn attributes(cursor: &Cursor<'_>) -> Read<Item> {
    let mut item = Item::new();
    let mut first = true;
    while let Some(name) = cursor.key(first)? {
        item.insert(name.into_owned(), attribute(cursor)?);
        first = false;
    }
    Ok(item)
}

fn attribute(cursor: &Cursor<'_>) -> Read<AttributeValue> {
    let text = |cursor: &Cursor<'_>| Ok(cursor.string()?.into_owned());
    let blob = |cursor: &Cursor<'_>| Ok(Blob::new(cursor.binary()?));
    let value = match cursor.open()? {
        Type::S => AttributeValue::S(text(cursor)?),
        Type::N => AttributeValue::N(text(cursor)?),
        Type::B => AttributeValue::B(blob(cursor)?),
        Type::Bool => AttributeValue::Bool(cursor.boolean()?),
        Type::Null => AttributeValue::Null(cursor.boolean()?),
        Type::L => return Ok(AttributeValue::L(list(cursor, attribute)?)),
        Type::Set(SetKind::String) => return Ok(AttributeValue::Ss(list(cursor, text)?)),
        Type::Set(SetKind::Number) => return Ok(AttributeValue::Ns(list(cursor, text)?)),
        Type::Set(SetKind::Binary) => return Ok(AttributeValue::Bs(list(cursor, blob)?)),
        Type::M => {
            cursor.enter(b'{')?;
            let map = attributes(cursor)?;
            cursor.leave()?;
            return Ok(AttributeValue::M(map));
        }
    };
    cursor.token(b'}')?;
    Ok(value)
}

fn list<T>(cursor: &Cursor<'_>, element: impl Fn(&Cursor<'_>) -> Read<T>) -> Read<Vec<T>> {
    cursor.enter(b'[')?;
    let mut all = Vec::new();
    while cursor.element(all.is_empty())? {
        all.push(element(cursor)?);
    }
    cursor.leave()?;
    Ok(all)
}
