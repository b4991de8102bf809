//! What is proved of entities and tables before the program runs.
//!
//! Each check is a `const fn` that panics with a message for the user; the derives call them in `const _`, at the place
//! they are about.

#![expect(clippy::missing_panics_doc, reason = "to panic is what they are for")]

mod collection;
mod projection;

pub use collection::check_member;
pub use projection::{check_fits, check_selected};

use crate::entity::{EntityMeta, KeyTemplates};
use crate::kept::UNIQUE_SORT_KEY;
use crate::schema::{Attribute, IndexSchema, Kind};
use crate::shape::{
    self, Keys, Kind as FieldKind, Seg, Shape, Template, Text, assert_disjoint, assert_sortable,
    assert_unambiguous, in_prefix, meet,
};

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
    check_kept(meta);
    let mut space = 0;
    while space <= meta.indexes.len() {
        let (schema, keys) = (meta.schema_of(space), meta.keys_of(space));
        check_counts(meta, schema, keys);
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            let (attribute, template) = slot(meta, space, at);
            check_attribute(meta, space, attribute, template);
            at += 1;
        }
        space += 1;
    }
    if let Some(tag) = &meta.schema.tag {
        let mut at = 0;
        while at < meta.fields.len() {
            let field = &meta.fields[at];
            if shape::same(field.attribute, tag.attribute.name) {
                let text = Text::new()
                    .with("`")
                    .with(meta.name)
                    .with("`: field `")
                    .with(field.name);
                let text = text.with("` is stored as `").with(field.attribute);
                let text = text.with("`, where the table writes the name of the entity");
                panic!("{}", text.with("\n\nremove the field, or give it another name with `#[serde(rename = \"..\")]`").as_str())
            }
            at += 1;
        }
    }
}

/// What every write fills in does not make a key stale, and has a place in the table.
#[track_caller]
const fn check_kept(meta: &'static EntityMeta) {
    let kept = &meta.kept;
    if let Some(name) = kept.version {
        check_filled_in(meta, name.attribute);
    }
    if let Some(stamp) = kept.created_at {
        check_filled_in(meta, stamp.name.attribute);
    }
    if let Some(stamp) = kept.updated_at {
        check_filled_in(meta, stamp.name.attribute);
    }
    let start = Text::new().with("`").with(meta.name).with("`: ");
    match (&kept.expiry, &meta.schema.ttl) {
        (Some(expiry), None) => {
            let text = start
                .with("field `")
                .with(field_of(meta, expiry.name.attribute));
            let text = text
                .with("` is `ttl`, and the table `")
                .with(meta.schema.type_name);
            let text = text.with("` has no time of expiry");
            panic!(
                "{}",
                text.with(
                    "\n\nwrite `ttl = \"ttl\"` on the table: the attribute that DynamoDB looks at"
                )
                .as_str()
            )
        }
        (Some(expiry), Some(ttl))
            if shape::same(expiry.name.attribute, ttl.name) && !expiry.is_seconds =>
        {
            let text = start.with("field `").with(field_of(meta, ttl.name));
            let text = text.with("` is stored as `").with(ttl.name);
            let text = text.with("`, where DynamoDB expects seconds since 1970");
            panic!("{}", text.with("\n\nmake it a `u64`, or give it another name with `#[serde(rename = \"..\")]`: the seconds are then stored beside it").as_str())
        }
        _ => {}
    }
    let text = matches!(meta.schema.pk().kind, Kind::S)
        && !matches!(meta.schema.sk(), Some(sk) if !matches!(sk.kind, Kind::S));
    if !kept.unique.is_empty() && !text {
        let text = start.with("a unique value has an item of its own, whose key is text");
        panic!(
            "{}",
            text.with("\n\ndeclare the key attributes of the table as strings, or remove `unique`")
                .as_str()
        )
    }
}

#[track_caller]
const fn check_filled_in(meta: &'static EntityMeta, attribute: &str) {
    let field = field_of(meta, attribute);
    if is_derived(meta, field) {
        let text = Text::new()
            .with("`")
            .with(meta.name)
            .with("`: field `")
            .with(field);
        let text = text.with(
            "` is filled in by every write, and an index key that contains it could not follow",
        );
        panic!("{}", text.with("\n\nlet the attribute be the key itself, remove it from the template, or remove the option and set the field yourself").as_str())
    }
}

/// The field that is stored in an attribute, as Rust names it.
const fn field_of(meta: &EntityMeta, attribute: &str) -> &'static str {
    let mut at = 0;
    while at < meta.fields.len() {
        if shape::same(meta.fields[at].attribute, attribute) {
            return meta.fields[at].name;
        }
        at += 1;
    }
    ""
}

/// Bytes are not taken apart into fields.
#[track_caller]
const fn check_key_only(meta: &EntityMeta) {
    let binary = matches!(meta.schema.pk().kind, Kind::B)
        || matches!(meta.schema.sk(), Some(sk) if matches!(sk.kind, Kind::B));
    let mut at = 0;
    while at < meta.fields.len() {
        if binary && meta.fields[at].key_only {
            let text = Text::new()
                .with("`")
                .with(meta.name)
                .with("`: field `")
                .with(meta.fields[at].name);
            let text = text.with("` cannot be read back from a key with a binary attribute");
            panic!("{}", text.with("\n\nremove `key_only`").as_str())
        }
        at += 1;
    }
}

/// An entity gives a template for each attribute of a key.
#[track_caller]
const fn check_counts(meta: &EntityMeta, schema: &IndexSchema, keys: &KeyTemplates) {
    let text = start(meta, schema);
    match (schema.sk, keys.sk) {
        ([attribute], []) => {
            let text = text
                .with(" has the sort key `")
                .with(attribute.name)
                .with("`, and no template is given for it");
            panic!("{}", text.with("\n\nwrite `sk = \"..\"`").as_str())
        }
        ([], [template, ..]) => {
            let text = text
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
    check_count(start(meta, schema), "pk", schema.pk, keys.pk.len());
    check_count(text, "sk", schema.sk, keys.sk.len());
}

/// The entity, and the table or the index that is meant.
const fn start(meta: &EntityMeta, schema: &IndexSchema) -> Text {
    let text = Text::new().with("`").with(meta.name).with("`: ");
    if schema.name.is_empty() {
        text.with("the table `")
            .with(meta.schema.type_name)
            .with("`")
    } else {
        text.with("the index `").with(schema.name).with("`")
    }
}

/// What a key may have of attributes: the derives refuse more.
const COUNTS: [&str; 5] = ["0", "1", "2", "3", "4"];

#[track_caller]
const fn check_count(text: Text, key: &str, attributes: &[Attribute], templates: usize) {
    if attributes.len() == templates {
        return;
    }
    let text = text
        .with(" has ")
        .with(COUNTS[attributes.len()])
        .with(" attributes in its `")
        .with(key)
        .with("`, and ")
        .with(COUNTS[templates])
        .with(if templates == 1 {
            " template is given"
        } else {
            " templates are given"
        });
    let mut text = text.with("\n\nwrite `").with(key).with(" = [");
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
    attribute: &Attribute,
    template: &'static Template,
) {
    let start = Text::new().with("`").with(meta.name).with("`: ");
    if !matches!(attribute.kind, Kind::S) && !is_opaque(template) {
        let text = start
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
        let text = start
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
            let (other, other_template) = slot(meta, earlier, at);
            check_same(meta, attribute, template, other, other_template);
            at += 1;
        }
        earlier += 1;
    }
    let mut at = 0;
    while at < meta.fields.len() {
        let field = &meta.fields[at];
        if shape::same(field.attribute, attribute.name) && !field.key_only {
            check_native(meta, field.name, attribute, template);
        }
        at += 1;
    }
}

#[track_caller]
const fn check_same(meta: &EntityMeta, a: &Attribute, x: &Template, b: &Attribute, y: &Template) {
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
const fn check_native(meta: &EntityMeta, field: &str, attribute: &Attribute, template: &Template) {
    let start = Text::new()
        .with("`")
        .with(meta.name)
        .with("`: field `")
        .with(field)
        .with("` is stored in the key attribute `");
    let start = start.with(attribute.name).with("`");
    match lone(template) {
        Some(part) if shape::same(part.name, field) && is_verbatim(template.text, field) => {
            if let (Kind::S, Shape::Number(_) | Shape::Digits(_)) = (attribute.kind, part.shape) {
                let text = start.with(" as a number, and the attribute is declared as a string");
                let text = text
                    .with("\n\ndeclare it as `number(\"")
                    .with(attribute.name);
                panic!("{}", text.with("\")` on the table, or give the field another name with `#[serde(rename = \"..\")]`").as_str())
            }
        }
        _ => {
            let text = start
                .with(", which holds \"")
                .with(template.text)
                .with("\"");
            let text = text.with("\n\nmark the field `#[dyna(key_only)]`, give it another name with `#[serde(rename = \"..\")]`, or make the template \"<");
            panic!("{}", text.with(field).with(">\"").as_str())
        }
    }
}

/// Whether the template writes the field as it is: `<field>`, `<field..>` or `<field:len=..>`.
const fn is_verbatim(template: &str, field: &str) -> bool {
    let (text, field) = (template.as_bytes(), field.as_bytes());
    if text.len() < field.len() + 2 {
        return false;
    }
    matches!(
        text.split_at(field.len() + 1).1,
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
    check_sentinels(entities, a);
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

/// Proves that no entity can write the key of an item that stands for a unique value.
#[track_caller]
const fn check_sentinels(entities: &[&'static EntityMeta], owner: &'static EntityMeta) {
    if !matches!(owner.schema.pk().kind, Kind::S) {
        return;
    }
    let mut unique = 0;
    while unique < owner.kept.unique.len() {
        let sentinel = Keys {
            entity: "the unique values",
            pk: owner.kept.unique[unique].template,
            sk: match owner.schema.key.sk {
                [] => None,
                [_, ..] => Some(UNIQUE_SORT_KEY),
            },
        };
        let mut other = 0;
        while other < entities.len() {
            if !entities[other].name.is_empty() {
                assert_disjoint(owner.schema.type_name, &keys_of(entities[other]), &sentinel);
            }
            other += 1;
        }
        unique += 1;
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

/// How far the items of other entities reach into the queries of one.
#[derive(Debug, Clone, Copy)]
pub struct Foreign([u8; Foreign::SPACES]);

impl Foreign {
    /// The primary key, 20 global and 5 local indexes: what DynamoDB allows.
    const SPACES: usize = 26;
    /// No sort key is specific enough.
    const ALWAYS: u8 = u8::MAX;

    /// Nothing is foreign to a whole table.
    pub const NONE: Self = Self([0; Self::SPACES]);

    /// Finds for each key of entity `at` how many fields of the sort key must be fixed until a query returns no other entity's items.
    pub const fn of(entities: &[&'static EntityMeta], at: usize) -> Self {
        let mut reach = [0; Self::SPACES];
        if at >= entities.len() {
            return Self(reach);
        }
        let entity = entities[at];
        let mut space = 0;
        while space <= entity.indexes.len() && space < Self::SPACES {
            let mut other = 0;
            while other < entities.len() {
                if other != at {
                    let found = reach_of(entity, space, entities[other]);
                    if found > reach[space] {
                        reach[space] = found;
                    }
                }
                other += 1;
            }
            space += 1;
        }
        Self(reach)
    }

    /// Whether a query with this many fields of the sort key fixed may meet other entities' items.
    pub(crate) fn reach(self, space: usize, fixed_fields: usize) -> bool {
        self.0
            .get(space)
            .is_none_or(|needed| fixed_fields < usize::from(*needed))
    }
}

/// Attribute `at` of a key and its template: those of the partition key come first.
const fn slot(
    meta: &'static EntityMeta,
    space: usize,
    at: usize,
) -> (&'static Attribute, &'static Template) {
    let (schema, keys) = (meta.schema_of(space), meta.keys_of(space));
    match at.checked_sub(schema.pk.len()) {
        None => (&schema.pk[at], &keys.pk[at]),
        Some(at) => (&schema.sk[at], &keys.sk[at]),
    }
}

/// Whether a field, as Rust names it, is part of an index key that is stored apart from it and has to follow it.
pub const fn is_derived(meta: &'static EntityMeta, field: &str) -> bool {
    let mut space = 1;
    while space <= meta.indexes.len() {
        let schema = meta.schema_of(space);
        let (mut at, mut names_it, mut apart) = (0, false, false);
        while at < schema.pk.len() + schema.sk.len() {
            let (attribute, template) = slot(meta, space, at);
            names_it |= names(template, field);
            apart |= !is_stored_otherwise(meta, attribute.name);
            at += 1;
        }
        if names_it && apart {
            return true;
        }
        space += 1;
    }
    false
}

/// Whether an attribute is there for another reason than an index: it is of the primary key, the tag, or a field.
const fn is_stored_otherwise(meta: &'static EntityMeta, attribute: &str) -> bool {
    let key = &meta.schema.key;
    let mut at = 0;
    while at < key.pk.len() + key.sk.len() {
        if shape::same(slot(meta, 0, at).0.name, attribute) {
            return true;
        }
        at += 1;
    }
    let mut at = 0;
    while at < meta.fields.len() {
        let field = &meta.fields[at];
        if shape::same(field.attribute, attribute) && !field.key_only {
            return true;
        }
        at += 1;
    }
    matches!(&meta.schema.tag, Some(tag) if shape::same(tag.attribute.name, attribute))
}

/// Whether a template has a placeholder for a field, or for something inside of it.
const fn names(template: &Template, field: &str) -> bool {
    let mut at = 0;
    while at < template.fields.len() {
        match template.fields[at].kind() {
            FieldKind::Lit(_) => {}
            FieldKind::Part(part) => {
                if is_inside(part.name, field) {
                    return true;
                }
            }
            FieldKind::Mixed(segs) => {
                let mut seg = 0;
                while seg < segs.len() {
                    if let Seg::Part(part) = segs[seg]
                        && is_inside(part.name, field)
                    {
                        return true;
                    }
                    seg += 1;
                }
            }
        }
        at += 1;
    }
    false
}

/// Whether a path is a field, or goes on from it: `data.email` is inside of `data`.
const fn is_inside(path: &str, field: &str) -> bool {
    let (path, field) = (path.as_bytes(), field.as_bytes());
    let mut at = 0;
    while at < field.len() {
        if at >= path.len() || path[at] != field[at] {
            return false;
        }
        at += 1;
    }
    path.len() == field.len() || path[field.len()] == b'.'
}

/// What an entity writes to an attribute.
enum Written {
    Nothing,
    Key(&'static Template),
    /// Its tag, which no other entity has.
    Tag,
    Anything,
}

/// An entity is in every index whose attributes it writes, whether it declares the index or not.
const fn written(meta: &'static EntityMeta, attribute: &str) -> Written {
    let mut space = 0;
    while space <= meta.indexes.len() {
        let schema = meta.schema_of(space);
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            let (key, template) = slot(meta, space, at);
            if shape::same(key.name, attribute) {
                return Written::Key(template);
            }
            at += 1;
        }
        space += 1;
    }
    let mut at = 0;
    while at < meta.fields.len() {
        if shape::same(meta.fields[at].attribute, attribute) {
            return Written::Anything;
        }
        at += 1;
    }
    let is_tag = match &meta.schema.tag {
        Some(tag) => shape::same(tag.attribute.name, attribute),
        None => false,
    };
    if is_tag {
        Written::Tag
    } else {
        Written::Nothing
    }
}

/// How many fields of the sort key must be fixed until the items of `other` are out of reach.
const fn reach_of(entity: &'static EntityMeta, space: usize, other: &'static EntityMeta) -> u8 {
    let (schema, keys) = (entity.schema_of(space), entity.keys_of(space));
    let mut at = 0;
    while at < schema.pk.len() {
        match written(other, schema.pk[at].name) {
            Written::Nothing | Written::Tag => return 0,
            Written::Key(pk) if !meet(&keys.pk[at], pk) => return 0,
            Written::Key(_) | Written::Anything => {}
        }
        at += 1;
    }
    let mut before: u8 = 0;
    let mut apart = Foreign::ALWAYS;
    let mut at = 0;
    while at < schema.sk.len() {
        let fields = match written(other, schema.sk[at].name) {
            // Without one of its attributes an item is not in the index.
            Written::Nothing => return 0,
            // The sort key is the entity's own tag.
            Written::Tag => 1,
            Written::Key(template) => fields_until_apart(&keys.sk[at], template),
            Written::Anything => Foreign::ALWAYS,
        };
        if fields != Foreign::ALWAYS && apart == Foreign::ALWAYS {
            apart = before.saturating_add(fields);
        }
        let mut field = 0;
        while field < keys.sk[at].fields.len() {
            before = before.saturating_add(1);
            field += 1;
        }
        at += 1;
    }
    apart
}

const fn fields_until_apart(a: &Template, b: &Template) -> u8 {
    let mut fixed: u8 = 0;
    while (fixed as usize) <= a.fields.len() {
        if !in_prefix(a, fixed as usize, b) {
            return fixed;
        }
        fixed += 1;
    }
    Foreign::ALWAYS
}
