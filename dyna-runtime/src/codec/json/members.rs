//! JSON around items: the members of an object, without reading their values.

use super::Lexer;
use super::lexer::malformed;
use crate::codec::error::DecodeError;
use std::borrow::Cow;

/// The members of a JSON object: each name, and the text of its value.
pub(crate) struct Members<'j>(Vec<(Cow<'j, str>, &'j str)>);

impl<'j> Members<'j> {
    /// The members of the object that is all of this text.
    pub(crate) fn of(json: &'j str) -> Result<Self, DecodeError> {
        let lexer = Lexer::new(json);
        let mut members = Vec::new();
        lexer.token(b'{')?;
        while let Some(name) = lexer.key(members.is_empty())? {
            members.push((name, value(&lexer)?));
        }
        end(&lexer, json)?;
        Ok(Self(members))
    }

    /// The text of a value, unless it is absent or `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&'j str> {
        let mut members = self.0.iter();
        let (_, value) = members.find(|(one, _)| one == name)?;
        Some(*value).filter(|value| *value != "null")
    }

    /// A value that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'j, str>> {
        let value = self.get(name)?;
        Lexer::new(value).string().ok()
    }
}

/// The elements of the JSON array that is all of this text.
pub(crate) fn elements(json: &str) -> Result<Vec<&str>, DecodeError> {
    let lexer = Lexer::new(json);
    let mut elements = Vec::new();
    lexer.token(b'[')?;
    while lexer.element(elements.is_empty())? {
        elements.push(value(&lexer)?);
    }
    end(&lexer, json)?;
    Ok(elements)
}

fn value<'j>(lexer: &Lexer<'j>) -> Result<&'j str, DecodeError> {
    lexer.peek();
    let start = lexer.place();
    lexer.skip_json()?;
    lexer.between(start, lexer.place())
}

fn end(lexer: &Lexer<'_>, json: &str) -> Result<(), DecodeError> {
    if lexer.peek() != 0 || lexer.place() < json.len() {
        return Err(malformed());
    }
    Ok(())
}
