//! The SDK's attributes as JSON.

use super::strings;
use crate::codec::json::nested_writers::separate;
use crate::codec::json::writer::JsonWriter;
use crate::codec::json::writer::NULL;
use crate::codec::json::writer::Unsupported;
use crate::codec::json::writer::ValuePosition;
use crate::codec::json::writer::WriteResult;
use crate::codec::readback::PlaceId;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64ct::{Base64, Encoding};
use serde::ser::{self, Serializer};
use std::borrow::Borrow;

pub(super) fn binary(out: &mut String, bytes: &[u8]) {
    out.push_str(r#"{"B":""#);
    out.push_str(&Base64::encode_string(bytes));
    out.push_str(r#""}"#);
}

/// Writes an attribute that there is already.
pub(super) fn attribute(out: &mut String, value: &AttributeValue) -> WriteResult {
    let at = ValuePosition::attribute(true, PlaceId::UNKNOWN);
    match value {
        AttributeValue::S(text) => JsonWriter { out, at }.text(text),
        AttributeValue::N(digits) => strings::between(out, r#"{"N":""#, digits, r#""}"#),
        AttributeValue::B(bytes) => binary(out, bytes.as_ref()),
        AttributeValue::Bool(value) => {
            return JsonWriter { out, at }.serialize_bool(*value);
        }
        AttributeValue::Null(_) => out.push_str(NULL),
        AttributeValue::Ss(texts) => elements(out, r#"{"SS":["#, texts, strings::write),
        AttributeValue::Ns(digits) => elements(out, r#"{"NS":["#, digits, strings::write),
        AttributeValue::Bs(blobs) => elements(out, r#"{"BS":["#, blobs, |out, bytes: &Blob| {
            strings::write(out, &Base64::encode_string(bytes.as_ref()));
        }),
        AttributeValue::L(list) => {
            let mut writer = JsonWriter { out, at }.list(None)?;
            for element in list {
                separate(writer.out, &mut writer.first);
                attribute(writer.out, element)?;
            }
            return ser::SerializeSeq::end(writer);
        }
        AttributeValue::M(map) => {
            let mut writer = JsonWriter { out, at }.fields("", None)?;
            for (name, value) in map {
                writer.name(name);
                attribute(writer.out, value)?;
            }
            return ser::SerializeStruct::end(writer);
        }
        _ => return Err(Unsupported),
    }
    Ok(())
}

fn elements<B: ?Sized, T: Borrow<B>>(
    out: &mut String,
    open: &str,
    set: &[T],
    write: impl Fn(&mut String, &B),
) {
    out.push_str(open);
    let mut first = true;
    for element in set {
        separate(out, &mut first);
        write(out, element.borrow());
    }
    out.push_str("]}");
}
