//! Fields that are stored in the key attributes of indexes while their items are not in these: the entity does not declare the index, or
//! another field that its key is made of has no value.

use super::{EntityMeta, FieldMeta};
use crate::codec::EncodeError;
use crate::entity::KeyRef;
use crate::key;
use crate::schema::{IndexSchema, KeyAttribute, ScalarType};
use aws_sdk_dynamodb::types::AttributeValue;

impl EntityMeta {
    /// The first index of the table, declared by the entity or not, that has this attribute in its key.
    pub(crate) const fn index_with(&self, attribute: &str) -> Option<&'static IndexSchema> {
        let mut at = 0;
        while at < self.schema.indexes.len() {
            let index = self.schema.indexes[at];
            if index.has_key(attribute) {
                return Some(index);
            }
            at += 1;
        }
        None
    }

    /// The index whose key a field is stored in, if the entity declares no key with this attribute: what is there is not proved to be a
    /// key.
    pub(crate) const fn undeclared(
        &'static self,
        field: &FieldMeta,
    ) -> Option<&'static IndexSchema> {
        if field.key_only {
            return None;
        }
        let mut n = 0;
        while n < self.key_count() {
            if self.index(KeyRef::nth(n)).has_key(field.attribute) {
                return None;
            }
            n += 1;
        }
        self.index_with(field.attribute)
    }

    /// The index whose key a field is stored in while no key is made of it: the entity does not declare the index, or the item may not be
    /// in it.
    const fn outside(&'static self, field: &FieldMeta) -> Option<&'static IndexSchema> {
        // Most fields are in no key.
        if self.index_with(field.attribute).is_none() {
            return None;
        }
        if let Some(index) = self.undeclared(field) {
            return Some(index);
        }
        if field.key_only || self.schema.key.has_key(field.attribute) {
            return None;
        }
        let mut at = 0;
        while at < self.indexes.len() {
            let index = self.indexes[at].schema;
            if index.has_key(field.attribute) && index.pk.len() + index.sk.len() > 1 {
                return Some(index);
            }
            at += 1;
        }
        None
    }

    /// Whether a field may be stored in the key of an index that the item is not in.
    pub(crate) const fn has_outside(&'static self) -> bool {
        let mut at = 0;
        while at < self.fields.len() {
            if self.outside(&self.fields[at]).is_some() {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Fails if the value of a field cannot be in the key of an index, whether the item is in that index or not.
    pub(crate) fn check_outside(
        &'static self,
        field: &FieldMeta,
        value: &AttributeValue,
    ) -> Result<(), EncodeError> {
        let Some(index) = self.outside(field) else {
            return Ok(());
        };
        let is_it = |key: &&KeyAttribute| key.name == field.attribute;
        let (pk, max) = match index.pk.iter().find(is_it) {
            Some(key) => (Some(key), key::MAX_PK),
            None => (index.sk.iter().find(is_it), key::MAX_SK),
        };
        let problem = match (pk.map(|key| key.kind), value) {
            (Some(ScalarType::S), AttributeValue::S(text)) => length(text.len(), max),
            (Some(ScalarType::B), AttributeValue::B(bytes)) => length(bytes.as_ref().len(), max),
            (Some(ScalarType::N), AttributeValue::N(_)) | (None, _) => None,
            (Some(ScalarType::S), _) => Some("is not text"),
            (Some(ScalarType::B), _) => Some("is not bytes"),
            (Some(ScalarType::N), _) => Some("is not a number"),
        };
        match problem {
            None => Ok(()),
            Some(problem) => Err(EncodeError::new(format!(
                "{problem}, and is stored in a key attribute of the index `{}`",
                index.name
            ))
            .in_field(field.attribute)),
        }
    }
}

/// The problem of a key of this length.
fn length(length: usize, max: usize) -> Option<&'static str> {
    match length {
        0 => Some("is empty"),
        length if length > max => Some("is longer than DynamoDB allows"),
        _ => None,
    }
}
