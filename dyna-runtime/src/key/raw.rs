//! Keys as they are stored: from a scan, a log or a stream, and from other software.

use crate::codec::number::StoredNumber;
use crate::key::{KeyError, KeyErrorKind, KeyId, KeyValue, MAX_PK, MAX_SK};
use crate::schema::{
    BinaryKey, IndexSchema, KeyAttribute, NoSort, NumberKey, ScalarType, StringKey,
};
use aws_sdk_dynamodb::types::AttributeValue;

/// The value of a key attribute as it is stored: text for a string key, a number for a number key, bytes for a binary key, `()` for the
/// sort key of a table that has none. An `AttributeValue` does for all of them, and is compared with the type of the key when it is used.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what this key attribute stores",
    label = "the table declares the attribute as `{K}`",
    note = "text for a string key, a number for a number key, bytes for a binary key, `()` if the table has no sort key, or an `AttributeValue`"
)]
pub trait RawKeyPart<K> {
    /// The value; nothing if there is no such attribute.
    #[doc(hidden)]
    fn into_attribute(self) -> Option<AttributeValue>;
}

macro_rules! raw {
    ($($key:ty: $value:ident => $attribute:expr, $($ty:ty)*;)*) => {$($(
        impl RawKeyPart<$key> for $ty {
            fn into_attribute(self) -> Option<AttributeValue> {
                let $value = self;
                $attribute
            }
        }
    )*)*};
}

raw! {
    StringKey: text => Some(AttributeValue::S(text)), String;
    StringKey: text => Some(AttributeValue::S(text.to_owned())), &str &String;
    NumberKey: number => Some(AttributeValue::N(number.to_string())), u8 u16 u32 u64 u128 i8 i16 i32 i64 i128;
    NumberKey: number => Some(AttributeValue::N(number.to_string())), f32 f64;
    BinaryKey: bytes => Some(AttributeValue::B(bytes.into())), &[u8] Vec<u8>;
    NoSort: nothing => { let () = nothing; None }, ();
    StringKey: value => Some(value), AttributeValue;
    NumberKey: value => Some(value), AttributeValue;
    BinaryKey: value => Some(value), AttributeValue;
}

#[cfg(feature = "rust_decimal")]
raw! {
    NumberKey: number => Some(AttributeValue::N(number.to_string())), rust_decimal::Decimal;
}

/// A key of a table as it is stored, looked at by the key schema alone.
pub(crate) fn raw_key(
    entity: &'static str,
    schema: &IndexSchema,
    pk: Option<AttributeValue>,
    sk: Option<AttributeValue>,
) -> Result<KeyId, Box<KeyError>> {
    let checked = |attribute: Option<&KeyAttribute>, value: Option<AttributeValue>, max| {
        let Some(attribute) = attribute else {
            return Ok(None);
        };
        let value = check(attribute, value.as_ref(), max);
        let failed = |kind| Box::new(KeyError::new(entity, attribute.name, kind));
        value.map(Some).map_err(failed)
    };
    let pk = checked(schema.pk.first(), pk, MAX_PK)?;
    let sk = checked(schema.sk.first(), sk, MAX_SK)?;
    let internal = || {
        Box::new(KeyError::new(
            entity,
            "partition key",
            KeyErrorKind::Internal,
        ))
    };
    Ok(KeyId::new(pk.ok_or_else(internal)?, sk))
}

fn check(
    attribute: &KeyAttribute,
    value: Option<&AttributeValue>,
    max: usize,
) -> Result<KeyValue, KeyErrorKind> {
    let value = value.and_then(KeyValue::of_attribute);
    let (value, length) = match (attribute.kind, value) {
        (ScalarType::S, Some(KeyValue::S(text))) => {
            let length = text.len();
            (KeyValue::S(text), length)
        }
        (ScalarType::B, Some(KeyValue::B(bytes))) => {
            let length = bytes.len();
            (KeyValue::B(bytes), length)
        }
        (ScalarType::N, Some(KeyValue::N(digits)))
            if StoredNumber::parse(&digits).is_some_and(|number| number.is_key()) =>
        {
            return Ok(KeyValue::N(digits));
        }
        (kind, _) => return Err(KeyErrorKind::WrongType { expected: kind }),
    };
    match length {
        0 => Err(KeyErrorKind::Empty),
        length if length > max => Err(KeyErrorKind::TooLong { length, max }),
        _ => Ok(value),
    }
}
