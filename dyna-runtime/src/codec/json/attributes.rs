//! An item's JSON as the SDK's map of attributes.

use super::lexer::malformed;
use super::{Lexer, TypeTag};
use crate::codec::Item;
use crate::codec::error::DecodeError;
use crate::codec::sets::SetKind;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

type ReadResult<T> = Result<T, DecodeError>;

/// The attributes of an item whose JSON this is.
pub(crate) fn to_item(json: &str) -> ReadResult<Item> {
    let lexer = Lexer::new(json);
    lexer.token(b'{')?;
    let item = attributes(&lexer)?;
    if lexer.peek() != 0 || lexer.place() < json.len() {
        return Err(malformed());
    }
    Ok(item)
}

/// The attributes of a map or an item, from behind its brace.
fn attributes(lexer: &Lexer<'_>) -> ReadResult<Item> {
    let mut item = Item::new();
    let mut first = true;
    while let Some(name) = lexer.key(first)? {
        item.insert(name.into_owned(), attribute(lexer)?);
        first = false;
    }
    Ok(item)
}

fn attribute(lexer: &Lexer<'_>) -> ReadResult<AttributeValue> {
    let text = |lexer: &Lexer<'_>| Ok(lexer.string()?.into_owned());
    let blob = |lexer: &Lexer<'_>| Ok(Blob::new(lexer.binary()?));
    let value = match lexer.open()? {
        TypeTag::S => AttributeValue::S(text(lexer)?),
        TypeTag::N => AttributeValue::N(text(lexer)?),
        TypeTag::B => AttributeValue::B(blob(lexer)?),
        TypeTag::Bool => AttributeValue::Bool(lexer.boolean()?),
        TypeTag::Null => AttributeValue::Null(lexer.boolean()?),
        TypeTag::L => return Ok(AttributeValue::L(list(lexer, attribute)?)),
        TypeTag::Set(SetKind::String) => return Ok(AttributeValue::Ss(list(lexer, text)?)),
        TypeTag::Set(SetKind::Number) => return Ok(AttributeValue::Ns(list(lexer, text)?)),
        TypeTag::Set(SetKind::Binary) => return Ok(AttributeValue::Bs(list(lexer, blob)?)),
        TypeTag::M => {
            lexer.enter(b'{')?;
            let map = attributes(lexer)?;
            lexer.leave()?;
            return Ok(AttributeValue::M(map));
        }
    };
    lexer.token(b'}')?;
    Ok(value)
}

fn list<T>(lexer: &Lexer<'_>, element: impl Fn(&Lexer<'_>) -> ReadResult<T>) -> ReadResult<Vec<T>> {
    lexer.enter(b'[')?;
    let mut all = Vec::new();
    while lexer.element(all.is_empty())? {
        all.push(element(lexer)?);
    }
    lexer.leave()?;
    Ok(all)
}
