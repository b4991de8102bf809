//! From the text of a key back to the values of its template.

use super::templates::KeyTemplates;
use super::{KeyArg, KeyBuf, KeyError, KeyErrorKind};
use crate::schema::{IndexSchema, KeyAttribute, TableSchema};
use crate::shape;
use crate::shape::Template;

/// A stored primary key, taken apart.
#[derive(Debug)]
pub struct ParsedKey<'k> {
    entity: &'static str,
    attributes: [&'static str; 2],
    pk: Vec<&'k str>,
    sk: Vec<&'k str>,
}

impl<'k> ParsedKey<'k> {
    /// Takes the partition key and the sort key of an entity apart.
    pub(crate) fn new(
        entity: &'static str,
        schema: &TableSchema,
        keys: &KeyTemplates,
        [pk, sk]: [&'k str; 2],
    ) -> Result<Self, KeyError> {
        let foreign = |attribute| KeyError::new(entity, attribute, KeyErrorKind::TemplateMismatch);
        let pk_attribute = schema.pk().name;
        let sk_attribute = schema.sk().map_or("", |attribute| attribute.name);
        let pk = shape::split(&keys.pk[0], pk).ok_or_else(|| foreign(pk_attribute))?;
        let sk = match keys.sk.first() {
            Some(template) => shape::split(template, sk).ok_or_else(|| foreign(sk_attribute))?,
            None => Vec::new(),
        };
        Ok(Self {
            entity,
            attributes: [pk_attribute, sk_attribute],
            pk,
            sk,
        })
    }

    /// Takes the key of an index apart: the texts of its attributes, in their order.
    pub(crate) fn of_index(
        entity: &'static str,
        schema: &IndexSchema,
        keys: &KeyTemplates,
        texts: &'k [String],
    ) -> Result<Self, KeyError> {
        let name = |attributes: &[KeyAttribute]| attributes.first().map_or("", |one| one.name);
        let attributes = [name(schema.pk), name(schema.sk)];
        let half = |attributes: &[KeyAttribute], templates: &[Template], texts: &'k [String]| {
            let mut parts = Vec::new();
            for ((attribute, template), text) in attributes.iter().zip(templates).zip(texts) {
                let foreign =
                    || KeyError::new(entity, attribute.name, KeyErrorKind::TemplateMismatch);
                parts.extend(shape::split(template, text).ok_or_else(foreign)?);
            }
            Ok(parts)
        };
        let internal = || KeyError::new(entity, attributes[0], KeyErrorKind::Internal);
        let (pk, sk) = texts
            .split_at_checked(schema.pk.len())
            .ok_or_else(internal)?;
        Ok(Self {
            entity,
            attributes,
            pk: half(schema.pk, keys.pk, pk)?,
            sk: half(schema.sk, keys.sk, sk)?,
        })
    }

    /// Placeholder `n` of the partition key.
    pub fn pk(&self, n: usize) -> ParsedPart<'k> {
        self.found(self.attributes[0], self.pk.get(n))
    }

    /// Placeholder `n` of the sort key.
    pub fn sk(&self, n: usize) -> ParsedPart<'k> {
        self.found(self.attributes[1], self.sk.get(n))
    }

    fn found(&self, attribute: &'static str, text: Option<&&'k str>) -> ParsedPart<'k> {
        ParsedPart {
            entity: self.entity,
            attribute,
            text: text.copied(),
        }
    }
}

/// The text of a placeholder of a stored key.
#[derive(Debug)]
pub struct ParsedPart<'k> {
    entity: &'static str,
    attribute: &'static str,
    pub(super) text: Option<&'k str>,
}

impl ParsedPart<'_> {
    /// Whether the key has nothing in its place.
    pub(crate) fn is_empty(&self) -> bool {
        self.text == Some("")
    }

    /// The error that the text is not one of the field's.
    pub(super) fn foreign(&self) -> KeyError {
        KeyError::new(self.entity, self.attribute, KeyErrorKind::TemplateMismatch)
    }
}

/// The text itself, for a placeholder that writes the same.
impl KeyArg for ParsedPart<'_> {
    fn put(&self, out: &mut KeyBuf) {
        match self.text {
            Some(text) => out.text(text),
            None => out.fail(KeyErrorKind::TemplateMismatch),
        }
    }
}
