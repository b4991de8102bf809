//! What is proved of entities and tables before the program runs.
//!
//! Each check is a `const fn` that panics with a message for the user; the derives call them in `const _`, at the place
//! they are about.

#![expect(clippy::missing_panics_doc, reason = "to panic is what they are for")]

mod collection;
mod foreign;
mod kept;
mod projection;

pub use collection::check_member;
pub use foreign::Foreign;
pub use kept::is_derived;
pub use projection::{check_fits, check_selected};

use crate::entity::{EntityMeta, FieldMeta};
use crate::key::KeyTemplates;
use crate::schema::StoredAs;
use crate::schema::{IndexSchema, KeyAttribute, ScalarType, TableSchema};
use crate::shape;
use crate::shape::{
    Keys, Kind as FieldKind, Shape, Template, Text, assert_disjoint, assert_sortable,
    assert_unambiguous,
};
use foreign::{Writer, greater, reach_of, reach_of_sentinels};
use kept::{check_kept, check_sentinels};

/// Proves that attribute `at` of a partition key is read back in exactly one way.
#[track_caller]
pub const fn check_partition(meta: &'static EntityMeta, space: usize, at: usize) {
    assert_unambiguous(meta.name, &meta.keys_of(space).pk[at]);
}

/// Proves that attribute `at` of a sort key is read back in exactly one way, and sorts by value.
#[track_caller]
pub const fn check_sort(meta: &'static EntityMeta, space: usize, at: usize) {
    let template = &meta.keys_of(space).sk[at];
    assert_unambiguous(meta.name, template);
    assert_sortable(meta.name, template);
}

/// An entity separates the fields of its keys as its table does.
#[track_caller]
const fn check_delimiter(meta: &EntityMeta) {
    let (own, table) = (meta.key.pk[0].delimiter, meta.schema.delimiter);
    if own != table {
        let text = Text::new()
            .with("`")
            .with(meta.name)
            .with("` separates the fields of its keys by ");
        let text = text
            .delimiter(own)
            .with(", and its table `")
            .with(meta.schema.type_name);
        let text = text.with("` by ").delimiter(table);
        panic!(
            "{}",
            text.with("\n\nwrite the same `delimiter = \"..\"` on both")
                .as_str()
        )
    }
}

/// Proves that the attributes of an entity do not get into each other's way.
#[track_caller]
pub const fn check_entity(meta: &'static EntityMeta) {
    // A table with errors has no name, and enough errors.
    if meta.schema.type_name.is_empty() {
        return;
    }
    check_delimiter(meta);
    check_key_only(meta);
    check_aliases(meta);
    check_kept(meta);
    let mut space = 0;
    while space <= meta.indexes.len() {
        let (schema, keys) = (meta.schema_of(space), meta.keys_of(space));
        check_counts(meta, schema, keys);
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((attribute, template)) = slot(meta, space, at) {
                check_attribute(meta, space, attribute, template);
            }
            at += 1;
        }
        space += 1;
    }
    check_undeclared(meta);
    if let Some(tag) = &meta.schema.tag
        && let Some(field) = FieldMeta::stored_in(meta.fields, tag.attribute.name)
    {
        let text = of(meta).with("field `").with(field.name);
        let text = text.with("` is stored as `").with(field.attribute);
        let text = text.with("`, where the table writes the name of the entity");
        panic!(
            "{}",
            text.with(
                "\n\nremove the field, or give it another name with `#[serde(rename = \"..\")]`"
            )
            .as_str()
        )
    }
}

/// A field that is stored in the key attribute of an index has the type of that key, whether the entity declares the index or not:
/// DynamoDB refuses the item otherwise. Where the type does not tell, it is looked at when it is written.
#[track_caller]
const fn check_undeclared(meta: &'static EntityMeta) {
    let mut at = 0;
    while at < meta.fields.len() {
        let field = &meta.fields[at];
        if let Some(index) = meta.undeclared(field) {
            let mut key = 0;
            while key < index.pk.len() + index.sk.len() {
                let attribute = match key.checked_sub(index.pk.len()) {
                    None => &index.pk[key],
                    Some(key) => &index.sk[key],
                };
                if shape::same(attribute.name, field.attribute) {
                    check_kind(meta, field, index, attribute);
                }
                key += 1;
            }
        }
        at += 1;
    }
}

/// An alias is removed when its field is set, so it is nothing that Dyna writes.
#[track_caller]
const fn check_aliases(meta: &'static EntityMeta) {
    let mut at = 0;
    while at < meta.fields.len() {
        let mut alias = 0;
        while alias < meta.fields[at].aliases.len() {
            let name = meta.fields[at].aliases[alias].attribute;
            if is_written(meta.schema, name) {
                let text = of(meta).with("the alias `").with(name);
                let text = text.with("` of field `").with(meta.fields[at].name);
                let text = text.with("` is an attribute that the table writes itself: a key, the tag or the time of expiry");
                panic!("{}", text.with("\n\nremove the alias").as_str())
            }
            alias += 1;
        }
        at += 1;
    }
}

#[track_caller]
const fn check_kind(
    meta: &EntityMeta,
    field: &FieldMeta,
    index: &IndexSchema,
    attribute: &KeyAttribute,
) {
    let fits = match field.stored_as {
        StoredAs::Unknown => true,
        StoredAs::Other => false,
        StoredAs::Key(ScalarType::S) => matches!(attribute.kind, ScalarType::S),
        StoredAs::Key(ScalarType::N) => matches!(attribute.kind, ScalarType::N),
        StoredAs::Key(ScalarType::B) => matches!(attribute.kind, ScalarType::B),
    };
    if fits {
        return;
    }
    let text = stored_in(meta, field.name, attribute)
        .with(" of the index `")
        .with(index.name);
    let text = text.with(match attribute.kind {
        ScalarType::S => "`, which is text",
        ScalarType::N => "`, which is a number",
        ScalarType::B => "`, which is binary",
    });
    let text = text.with(
        "\n\nDynamoDB refuses an item with another type there: give the field another name with ",
    );
    panic!("{}", text.with("`#[serde(rename = \"..\")]`").as_str())
}

/// Whether an attribute is one that Dyna writes: of a key, the tag, or the time of expiry.
const fn is_written(schema: &TableSchema, attribute: &str) -> bool {
    let mut index = 0;
    while index < schema.indexes.len() {
        if schema.indexes[index].has_key(attribute) {
            return true;
        }
        index += 1;
    }
    let is_tag = matches!(&schema.tag, Some(tag) if shape::same(tag.attribute.name, attribute));
    let is_ttl = matches!(&schema.ttl, Some(ttl) if shape::same(ttl.name, attribute));
    schema.key.has_key(attribute) || is_tag || is_ttl
}

/// Bytes are not taken apart into fields.
#[track_caller]
const fn check_key_only(meta: &EntityMeta) {
    let binary = matches!(meta.schema.pk().kind, ScalarType::B)
        || matches!(meta.schema.sk(), Some(sk) if matches!(sk.kind, ScalarType::B));
    if !binary {
        return;
    }
    let mut at = 0;
    while at < meta.fields.len() {
        if meta.fields[at].key_only {
            let text = of(meta).with("field `").with(meta.fields[at].name);
            let text = text.with("` cannot be read back from a key with a binary attribute");
            panic!("{}", text.with("\n\nremove `key_only`").as_str())
        }
        at += 1;
    }
}

/// An entity gives a template for each attribute of a key.
#[track_caller]
const fn check_counts(meta: &EntityMeta, schema: &IndexSchema, keys: &KeyTemplates) {
    match (schema.sk, keys.sk) {
        ([attribute], []) => {
            let text = key_of(meta, schema)
                .with(" has the sort key `")
                .with(attribute.name)
                .with("`, and no template is given for it");
            panic!("{}", text.with("\n\nwrite `sk = \"..\"`").as_str())
        }
        ([], [template, ..]) => {
            let text = key_of(meta, schema)
                .with(" has no sort key, and the template \"")
                .with(template.text)
                .with("\" is given for one");
            panic!(
                "{}",
                text.with("\n\nleave `sk` out, or declare it on the table")
                    .as_str()
            )
        }
        _ => {}
    }
    if schema.pk.len() != keys.pk.len() {
        wrong_count(key_of(meta, schema), "pk", schema.pk, keys.pk.len());
    }
    if schema.sk.len() != keys.sk.len() {
        wrong_count(key_of(meta, schema), "sk", schema.sk, keys.sk.len());
    }
}

/// How a message about an entity begins. Messages are only put together where they are shown: that is slow in `const`.
const fn of(meta: &EntityMeta) -> Text {
    Text::new().with("`").with(meta.name).with("`: ")
}

/// The entity, and the table or the index that is meant.
const fn key_of(meta: &EntityMeta, schema: &IndexSchema) -> Text {
    let text = of(meta);
    if schema.name.is_empty() {
        text.with("the table `")
            .with(meta.schema.type_name)
            .with("`")
    } else {
        text.with("the index `").with(schema.name).with("`")
    }
}

/// What a key may have of attributes: the derives refuse more.
const fn count(n: usize) -> &'static str {
    match n {
        0 => "0",
        1 => "1",
        2 => "2",
        3 => "3",
        4 => "4",
        _ => "more",
    }
}

#[track_caller]
const fn wrong_count(text: Text, key: &str, attributes: &[KeyAttribute], templates: usize) -> ! {
    let text = text
        .with(" has ")
        .with(count(attributes.len()))
        .with(if attributes.len() == 1 {
            " attribute in its `"
        } else {
            " attributes in its `"
        })
        .with(key)
        .with("`, and ")
        .with(count(templates))
        .with(if templates == 1 {
            " template is given"
        } else {
            " templates are given"
        });
    let text = text.with("\n\nwrite `").with(key);
    if let [attribute] = attributes {
        let text = text.with(" = \"..\"` for `").with(attribute.name);
        panic!("{}", text.with("`").as_str())
    }
    let mut text = text.with(" = [");
    let mut at = 0;
    while at < attributes.len() {
        text = text.with(if at == 0 { "\"..\"" } else { ", \"..\"" });
        at += 1;
    }
    let mut text = text.with("]`, one for each of `");
    let mut at = 0;
    while at < attributes.len() {
        text = text
            .with(if at == 0 { "" } else { "`, `" })
            .with(attributes[at].name);
        at += 1;
    }
    panic!("{}", text.with("`").as_str())
}

/// A key attribute has one template, is a field only if it is exactly that field, and is text if it has more than one part.
#[track_caller]
const fn check_attribute(
    meta: &'static EntityMeta,
    space: usize,
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
    while earlier < space {
        let schema = meta.schema_of(earlier);
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((other, other_template)) = slot(meta, earlier, at) {
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
    if shape::same(a.name, b.name) && !shape::same(x.text, y.text) {
        let text = Text::new()
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

const fn stored_in(meta: &EntityMeta, field: &str, attribute: &KeyAttribute) -> Text {
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

/// Proves that entity `at` of a table writes no key, and has no tag, that a later one has too.
#[track_caller]
pub const fn check_listed(entities: &[&'static EntityMeta], at: usize) {
    let a = entities[at];
    check_sentinels(entities, at);
    let mut other = at + 1;
    while other < entities.len() {
        let b = entities[other];
        // An entity with errors has no name, and enough errors.
        if !a.name.is_empty() && !b.name.is_empty() {
            assert_disjoint(a.schema.type_name, &keys_of(a), &keys_of(b));
            if a.schema.tag.is_some() && shape::same(a.tag, b.tag) {
                let text = Text::new()
                    .with("`")
                    .with(a.name)
                    .with("` and `")
                    .with(b.name);
                let text = text
                    .with("` have the same tag \"")
                    .with(a.tag)
                    .with("\" in table `")
                    .with(a.schema.type_name);
                panic!(
                    "{}",
                    text.with("`\n\ngive one of them another with `#[dyna(tag = \"..\")]`")
                        .as_str()
                )
            }
        }
        other += 1;
    }
}

const fn keys_of(meta: &EntityMeta) -> Keys {
    Keys {
        entity: meta.name,
        pk: meta.key.pk[0],
        sk: match meta.key.sk {
            [] => None,
            [sk, ..] => Some(*sk),
        },
    }
}

/// Attribute `at` of a key and its template: those of the partition key come first. None, if too few templates are given:
/// [`check_counts`] says so, and no other proof that is made of the same mistake.
const fn slot(
    meta: &'static EntityMeta,
    space: usize,
    at: usize,
) -> Option<(&'static KeyAttribute, &'static Template)> {
    let (schema, keys) = (meta.schema_of(space), meta.keys_of(space));
    let (attributes, templates, at) = match at.checked_sub(schema.pk.len()) {
        None => (schema.pk, keys.pk, at),
        Some(at) => (schema.sk, keys.sk, at),
    };
    if at < attributes.len() && at < templates.len() {
        Some((&attributes[at], &templates[at]))
    } else {
        None
    }
}
