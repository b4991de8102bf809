//! Proofs about one attribute of a key, and the field that is stored in it.

use crate::entity::{EntityMeta, FieldMeta, KeyRef};
use crate::proof::common::of;
use crate::proof::common::slot;
use crate::schema::{KeyAttribute, ScalarType};
use crate::shape;
use crate::shape::{ConstString, Kind as FieldKind, Shape, Template};

/// A key attribute has one template, is a field only if it is exactly that field, and is text if it has more than one part.
#[track_caller]
pub(super) const fn check_attribute(
    meta: &'static EntityMeta,
    key: KeyRef,
    attribute: &KeyAttribute,
    template: &'static Template,
) {
    if !matches!(attribute.kind, ScalarType::S) && !is_opaque(template) {
        let text = of(meta)
            .with("`")
            .with(attribute.name)
            .with("` is a number or binary key, so its template is exactly one field");
        let text = text.with("\n\n    \"").with(template.text).with("\"\n\n");
        panic!(
            "{}",
            text.with("write \"<field>\", or declare the attribute as a string on the table")
                .as_str()
        )
    }
    if let Some(tag) = &meta.schema.tag
        && shape::same(tag.attribute.name, attribute.name)
        && !shape::same(template.text, meta.tag)
    {
        let text = of(meta)
            .with("the key attribute `")
            .with(attribute.name)
            .with("` is also the tag of the table, so its template is \"");
        let text = text
            .with(meta.tag)
            .with("\" and not \"")
            .with(template.text);
        panic!("{}", text.with("\"").as_str())
    }
    let mut earlier = 0;
    while earlier < key.place() {
        let schema = meta.index(KeyRef::nth(earlier));
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((other, other_template)) = slot(meta, KeyRef::nth(earlier), at) {
                check_same(meta, attribute, template, other, other_template);
            }
            at += 1;
        }
        earlier += 1;
    }
    if let Some(field) = FieldMeta::stored_in(meta.fields, attribute.name)
        && !field.key_only
    {
        check_native(meta, field.name, attribute, template);
    }
}

#[track_caller]
const fn check_same(
    meta: &EntityMeta,
    a: &KeyAttribute,
    x: &Template,
    b: &KeyAttribute,
    y: &Template,
) {
    if !shape::same(a.name, b.name) {
        return;
    }
    if !shape::same(x.text, y.text) {
        let text = ConstString::new()
            .with("`")
            .with(meta.name)
            .with("` writes two different keys to the attribute `")
            .with(a.name)
            .with("`");
        let text = text
            .with("\n\n    \"")
            .with(y.text)
            .with("\"\n    \"")
            .with(x.text)
            .with("\"\n\n");
        panic!(
            "{}",
            text.with("an attribute that several keys share has the same template in all of them")
                .as_str()
        )
    }
    if x.delimiter != y.delimiter && x.fields.len() + y.fields.len() > 2 {
        let text = of(meta).with("the attribute `").with(a.name);
        let text = text.with("` is split at ").delimiter(y.delimiter);
        let text = text.with(" in one key and at ").delimiter(x.delimiter);
        let text = text.with(" in another\n\n    \"").with(x.text);
        let text = text.with("\"\n\ngive both keys the same `delimiter`");
        panic!("{}", text.as_str())
    }
}

/// A field that is stored in a key attribute must be that key.
#[track_caller]
const fn check_native(
    meta: &EntityMeta,
    field: &str,
    attribute: &KeyAttribute,
    template: &Template,
) {
    match lone(template) {
        Some(part) if shape::same(part.name, field) && is_verbatim(template.text, field) => {
            if let (ScalarType::S, Shape::Number(_) | Shape::Digits(_)) =
                (attribute.kind, part.shape)
            {
                let text = stored_in(meta, field, attribute);
                let text = text.with(" as a number, and the attribute is declared as a string");
                let text = text
                    .with("\n\ndeclare it as `number(\"")
                    .with(attribute.name);
                panic!("{}", text.with("\")` on the table, or give the field another name with `#[serde(rename = \"..\")]`").as_str())
            }
        }
        _ => {
            let text = stored_in(meta, field, attribute)
                .with(", which holds \"")
                .with(template.text)
                .with("\"");
            let text = text.with("\n\nmark the field `#[dyna(key_only)]`, give it another name with `#[serde(rename = \"..\")]`, or make the template \"<");
            panic!("{}", text.with(field).with(">\"").as_str())
        }
    }
}

pub(super) const fn stored_in(
    meta: &EntityMeta,
    field: &str,
    attribute: &KeyAttribute,
) -> ConstString {
    let text = of(meta).with("field `").with(field);
    let text = text.with("` is stored in the key attribute `");
    text.with(attribute.name).with("`")
}

/// Whether the template writes the field as it is: `<field>`, `<field..>`, `<field:len=..>` or `<r#type>`.
const fn is_verbatim(template: &str, field: &str) -> bool {
    let ([b'<', b'r', b'#', name @ ..] | [b'<', name @ ..]) = template.as_bytes() else {
        return false;
    };
    if name.len() <= field.len() {
        return false;
    }
    matches!(
        name.split_at(field.len()).1,
        [b'>'] | [b'.', ..] | [b':', b'l', ..]
    )
}

/// Whether the template is a whole number or binary key.
const fn is_opaque(template: &Template) -> bool {
    matches!(lone(template), Some(part) if matches!(part.shape, Shape::Opaque))
}

/// The placeholder that is the whole template.
const fn lone(template: &Template) -> Option<shape::Part> {
    match template.fields {
        [field] => match field.kind() {
            FieldKind::Part(part) => Some(part),
            _ => None,
        },
        _ => None,
    }
}
