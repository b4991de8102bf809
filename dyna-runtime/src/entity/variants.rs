//! The variants of an entity that is an enum.

use super::{EntityMeta, FieldMeta, WhenAbsent};
use crate::codec::Item;
use aws_sdk_dynamodb::types::AttributeValue;

/// The variants of an entity that is an enum: `#[serde(tag = "type")]`.
#[derive(Debug)]
pub struct Variants {
    /// The attribute with the name of the variant.
    pub tag: &'static str,
    /// The variants, in the order of their declaration; there is at least one.
    pub list: &'static [Variant],
}

/// A variant of an entity.
#[derive(Debug)]
pub struct Variant {
    /// Its name, as it is stored in the tag.
    pub name: &'static str,
    /// The fields that not all variants have alike. The others are those of the [entity](EntityMeta::fields).
    pub fields: &'static [FieldMeta],
}

impl EntityMeta {
    /// The fields that only some variants have.
    pub(crate) fn fields_of_variants(&self) -> impl Iterator<Item = &'static FieldMeta> {
        let variants = self.variants.iter().flat_map(|variants| variants.list);
        variants.flat_map(|variant| variant.fields)
    }

    /// Whether a variant has a field of its own that may be read as something else where it is absent.
    pub(super) const fn has_defaults_in_variants(&self) -> bool {
        let Some(variants) = self.variants else {
            return false;
        };
        let mut has = false;
        let mut at = 0;
        while at < variants.list.len() {
            let mut fields = variants.list[at].fields;
            while let [field, rest @ ..] = fields {
                has |= matches!(field.when_absent, WhenAbsent::Defaulted);
                fields = rest;
            }
            at += 1;
        }
        has
    }
}

impl Variants {
    /// Makes an item one of a variant, whichever it is.
    pub(crate) fn mark(&self, item: &mut Item) {
        if let Some(variant) = self.list.first() {
            let name = AttributeValue::S(variant.name.to_owned());
            item.insert(self.tag.to_owned(), name);
        }
    }

    /// Whether a field is one of the first variant's own.
    pub(crate) fn has_first(&self, attribute: &str) -> bool {
        let mut fields = self.list.iter().take(1).flat_map(|variant| variant.fields);
        fields.any(|field| field.attribute == attribute)
    }
}
