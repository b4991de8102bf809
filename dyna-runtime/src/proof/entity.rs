//! Proofs about one entity: its templates, key attributes and fields.

use crate::entity::{EntityMeta, FieldMeta, KeyRef, Variant, Variants};
use crate::key::KeyTemplates;
use crate::proof::attribute::check_attribute;
use crate::proof::attribute::stored_in;
use crate::proof::common::key_of;
use crate::proof::common::of;
use crate::proof::common::slot;
use crate::proof::managed::check_kept;
use crate::proof::shared::check_shared_indexes;
use crate::schema::StoredAs;
use crate::schema::{IndexKind, IndexSchema, KeyAttribute, ScalarType, TableSchema};
use crate::shape;
use crate::shape::{ConstString, assert_sortable, assert_unambiguous};

/// Proves that attribute `at` of a partition key is read back in exactly one way.
#[track_caller]
pub const fn check_partition(meta: &'static EntityMeta, key: KeyRef, at: usize) {
    assert_unambiguous(meta.name, &meta.templates(key).pk[at]);
}

/// Proves that attribute `at` of a sort key is read back in exactly one way, and sorts by value.
#[track_caller]
pub const fn check_sort(meta: &'static EntityMeta, key: KeyRef, at: usize) {
    let template = &meta.templates(key).sk[at];
    assert_unambiguous(meta.name, template);
    assert_sortable(meta.name, template, &[]);
}

/// The same, but some placeholders are numbers that need not sort: `<n:plain>`.
#[track_caller]
pub const fn check_sort_plain(meta: &'static EntityMeta, key: KeyRef, at: usize, plain: &[usize]) {
    let template = &meta.templates(key).sk[at];
    assert_unambiguous(meta.name, template);
    assert_sortable(meta.name, template, plain);
}

/// Whether the sort key up to placeholder `n` does not tell where that one ends.
pub const fn is_open(meta: &'static EntityMeta, key: KeyRef, mut n: usize) -> bool {
    let mut templates = meta.templates(key).sk;
    while let [template, rest @ ..] = templates {
        let parts = shape::KeyLayout::of(template).parts;
        if n < parts {
            return shape::is_open(template, n);
        }
        n -= parts;
        templates = rest;
    }
    false
}

/// Proves that index `n`, whose use gives no partition key, is local: it has that of the table.
#[track_caller]
pub const fn check_local(meta: &'static EntityMeta, n: usize) {
    let schema = meta.index(KeyRef::Index(n));
    if meta.schema.type_name.is_empty() || matches!(schema.kind, IndexKind::Local) {
        return;
    }
    let text = key_of(meta, schema)
        .with(" has a partition key of its own, and no template is given for it");
    panic!(
        "{}",
        text.with("\n\nwrite `pk = \"..\"`: only a local index has the partition key of its table")
            .as_str()
    )
}

/// An entity that says no delimiter has that of its table. Its derive cannot see what the table says, and takes the default.
#[track_caller]
const fn check_inherited_delimiter(meta: &EntityMeta) {
    let (own, table) = (meta.key.pk[0].delimiter, meta.schema.delimiter);
    if own != table {
        let text = of(meta)
            .with("its table `")
            .with(meta.schema.type_name)
            .with("` separates the fields of keys by ")
            .delimiter(table);
        let text = text.with(", which the derive of an entity cannot see\n\nwrite `delimiter = \"");
        let text = text.ascii(table).with("\"` on `").with(meta.name);
        let text = text.with("` too, or `delimiter = \"").ascii(own);
        panic!("{}", text.with("\"` to keep its own").as_str())
    }
}

/// Proves that the attributes of an entity do not get into each other's way.
#[track_caller]
pub const fn check_entity(meta: &'static EntityMeta) {
    // A table with errors has no name, and enough errors.
    if !meta.schema.type_name.is_empty() {
        check_inherited_delimiter(meta);
        check_delimited_entity(meta);
    }
}

/// The same of an entity that says its delimiter, which need not be that of its table.
#[track_caller]
pub const fn check_delimited_entity(meta: &'static EntityMeta) {
    if meta.schema.type_name.is_empty() {
        return;
    }
    check_key_only(meta);
    check_aliases(meta);
    check_kept(meta);
    check_shared_indexes(meta);
    check_partial(meta);
    if let Some(variants) = meta.variants {
        check_variants(meta, variants);
    }
    let mut n = 0;
    while n < meta.key_count() {
        let key = KeyRef::nth(n);
        let (schema, keys) = (meta.index(key), meta.templates(key));
        check_counts(meta, schema, keys);
        let mut at = 0;
        while at < schema.pk.len() + schema.sk.len() {
            if let Some((attribute, template)) = slot(meta, key, at) {
                check_attribute(meta, key, attribute, template);
            }
            at += 1;
        }
        n += 1;
    }
    check_undeclared(meta);
    if let Some(tag) = &meta.schema.tag
        && let Some(field) = FieldMeta::stored_in(meta.fields, tag.attribute.name)
    {
        let text = of(meta).with("field `").with(field.name);
        let text = text.with("` is stored as `").with(field.attribute);
        let text = text.with("`, the tag attribute of the table");
        panic!(
            "{}",
            text.with(
                "\n\nremove the field, or give it another name with `#[serde(rename = \"..\")]`"
            )
            .as_str()
        )
    }
}

/// An entity knows whether its table is declared in part: the derive makes no `put` of it then.
#[track_caller]
const fn check_partial(meta: &EntityMeta) {
    let table = meta.schema.type_name;
    match (meta.managed.partial, meta.schema.settings.partial) {
        (false, true) => {
            let text = of(meta).with("its table `").with(table);
            let text = text.with("` is declared `partial`, and writes of whole items would drop the attributes of others");
            let text = text.with("\n\nwrite `partial` on `").with(meta.name);
            panic!(
                "{}",
                text.with("` too: it then has no `put` and no `replace`")
                    .as_str()
            )
        }
        (true, false) => {
            let text = of(meta)
                .with("it is `partial`, and its table `")
                .with(table);
            let text = text
                .with("` is declared as a whole\n\nremove `partial`, or write it on the table too");
            panic!("{}", text.as_str())
        }
        _ => {}
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

/// The tag of an enum is no attribute of a key and not that of the table, and a key is not made of what only some variants have.
#[track_caller]
const fn check_variants(meta: &'static EntityMeta, variants: &'static Variants) {
    let tag = variants.tag;
    let is_tag = matches!(&meta.schema.tag, Some(of) if shape::same(of.attribute.name, tag));
    let mut is_key = false;
    let mut n = 0;
    while n < meta.key_count() {
        is_key |= meta.index(KeyRef::nth(n)).has_key(tag);
        n += 1;
    }
    if is_tag || is_key {
        let text = of(meta)
            .with("the name of the variant is stored as `")
            .with(tag);
        let text = text.with(if is_tag {
            "`, where the table writes the name of the entity"
        } else {
            "`, which is an attribute of a key"
        });
        let text = text.with("\n\ngive it another name with `#[serde(tag = \"..\")]`");
        panic!("{}", text.as_str())
    }
    let mut at = 0;
    while at < variants.list.len() {
        let mut fields = variants.list[at].fields;
        while let [field, rest @ ..] = fields {
            check_variant_field(meta, &variants.list[at], field, field.attribute);
            let mut alias = 0;
            while alias < field.aliases.len() {
                check_variant_field(
                    meta,
                    &variants.list[at],
                    field,
                    field.aliases[alias].attribute,
                );
                alias += 1;
            }
            fields = rest;
        }
        at += 1;
    }
}

#[track_caller]
const fn check_variant_field(
    meta: &'static EntityMeta,
    variant: &Variant,
    field: &FieldMeta,
    attribute: &str,
) {
    if !is_written(meta.schema, attribute) {
        return;
    }
    let text = of(meta).with("field `").with(field.name);
    let text = text.with("` of the variant `").with(variant.name);
    let text = text.with("` is stored as `").with(attribute);
    let text = text.with(
        "`: a key, the tag or the time of expiry of the table, which every variant has alike",
    );
    let text = text.with("\n\ngive every variant the field, with the same type and attributes, or give it another name with ");
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
        if meta.fields[at].key_only && !meta.fields[at].index_only {
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

/// The number of attributes of a key, as text: the derives refuse more.
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
const fn wrong_count(
    text: ConstString,
    key: &str,
    attributes: &[KeyAttribute],
    templates: usize,
) -> ! {
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
