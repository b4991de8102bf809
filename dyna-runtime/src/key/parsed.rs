//! From the text of a key back to the values of its template.

use super::templates::KeyTemplates;
use super::{Arg, KeyBuf, KeyError, KeyErrorKind};
use crate::schema::TableSchema;
use crate::shape;

/// A stored primary key, taken apart.
#[derive(Debug)]
pub struct Parsed<'k> {
    entity: &'static str,
    attributes: [&'static str; 2],
    pk: Vec<&'k str>,
    sk: Vec<&'k str>,
}

impl<'k> Parsed<'k> {
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

    /// Placeholder `n` of the partition key.
    pub fn pk(&self, n: usize) -> Found<'k> {
        self.found(self.attributes[0], self.pk.get(n))
    }

    /// Placeholder `n` of the sort key.
    pub fn sk(&self, n: usize) -> Found<'k> {
        self.found(self.attributes[1], self.sk.get(n))
    }

    fn found(&self, attribute: &'static str, text: Option<&&'k str>) -> Found<'k> {
        Found {
            entity: self.entity,
            attribute,
            text: text.copied(),
        }
    }
}

/// The text of a placeholder of a stored key.
#[derive(Debug)]
pub struct Found<'k> {
    entity: &'static str,
    attribute: &'static str,
    pub(super) text: Option<&'k str>,
}

impl Found<'_> {
    /// The error that the text is not one of the field's.
    pub(super) fn foreign(&self) -> KeyError {
        KeyError::new(self.entity, self.attribute, KeyErrorKind::TemplateMismatch)
    }
}

/// The text itself, for a placeholder that writes the same.
impl Arg for Found<'_> {
    fn put(&self, out: &mut KeyBuf) {
        out.text(self.text.unwrap_or_default());
    }
}
