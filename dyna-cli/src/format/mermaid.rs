//! An entity-relationship diagram for Mermaid.
//!
//! An entity belongs to another one if it carries the field that identifies that one: `channel_id` of `Channel`, or the only
//! field of its key. A field that is only called `id` says nothing of whose it is.

use crate::catalog::Catalog;
use crate::identifier::snake;
use dyna_runtime::entity::{EntityMeta, FieldMeta};
use dyna_runtime::shape::Template;

pub(super) fn diagram(catalog: &Catalog) -> String {
    let entities = catalog.tables.iter().flat_map(|table| table.entities);
    let entities: Vec<&EntityMeta> = entities.copied().collect();
    let blocks = entities
        .iter()
        .map(|entity| block(entity, &name(entity, &entities)));
    let blocks: String = blocks.collect();
    format!("erDiagram\n{blocks}{}", relations(&entities))
}

/// In quotes, because `Class` and `One` mean something to Mermaid; with its table if that of another has the same name.
fn name(entity: &EntityMeta, all: &[&EntityMeta]) -> String {
    let same = all.iter().filter(|other| other.name == entity.name);
    match same.count() {
        1 => format!("\"{}\"", entity.name),
        _ => format!("\"{} ({})\"", entity.name, entity.schema.name),
    }
}

fn block(entity: &EntityMeta, name: &str) -> String {
    let mut out = format!("    {name} {{\n");
    for field in entity.fields {
        let key = if key_fields(entity).contains(&field.name) {
            " PK"
        } else {
            ""
        };
        let (ty, optional) = type_of(field);
        let optional = if optional { " \"optional\"" } else { "" };
        out += &format!("        {ty} {}{key}{optional}\n", word(field.name));
    }
    // The type of a field within a field is not known here.
    for path in key_fields(entity).iter().filter(|path| path.contains('.')) {
        out += &format!("        key {} PK\n", word(path));
    }
    out + "    }\n"
}

/// The fields of the primary key, each once: `data.user_id` by its path.
fn key_fields(entity: &EntityMeta) -> Vec<&'static str> {
    let templates = entity.key.pk.iter().chain(entity.key.sk);
    let mut fields = Vec::new();
    for part in templates.flat_map(Template::parts) {
        if !fields.contains(&part.name) {
            fields.push(part.name);
        }
    }
    fields
}

/// The fields of the primary key without the way to them.
fn key_names(entity: &EntityMeta) -> Vec<&'static str> {
    let fields = key_fields(entity).into_iter();
    fields
        .map(|path| path.rsplit('.').next().unwrap_or(path))
        .collect()
}

fn relations(entities: &[&EntityMeta]) -> String {
    let mut out = String::new();
    for (at, owner) in entities.iter().enumerate() {
        let Some(id) = identity(owner) else {
            continue;
        };
        for (other_at, other) in entities.iter().enumerate() {
            let key = key_names(other);
            let carries = key.contains(&id) || other.fields.iter().any(|field| field.name == id);
            let is_one = key == [id];
            // Two that have the same key belong to each other, which is said once.
            let is_said = is_one && key_names(owner) == [id] && other_at < at;
            if other_at == at || !carries || is_said {
                continue;
            }
            let relation = if is_one { "||--||" } else { "||--o{" };
            let (owner, other) = (name(owner, entities), name(other, entities));
            out += &format!("    {owner} {relation} {other} : \"{id}\"\n");
        }
    }
    out
}

/// The field that identifies an entity.
fn identity(entity: &EntityMeta) -> Option<&'static str> {
    let key = key_names(entity);
    let own = format!("{}_id", snake(entity.name));
    let named = key.iter().find(|field| **field == own);
    match (named, key.as_slice()) {
        (Some(field), _) => Some(field),
        (None, [field]) if *field != "id" => Some(field),
        _ => None,
    }
}

/// `Option<Vec<Role>>` to `Role[]`, and whether it may be missing.
fn type_of(field: &FieldMeta) -> (String, bool) {
    let inner = |ty: &'static str, outer: &str| {
        let inner = ty.strip_prefix(outer)?.strip_prefix('<')?;
        inner.strip_suffix('>')
    };
    let (ty, optional) = match inner(field.ty, "Option") {
        Some(ty) => (ty, true),
        None => (field.ty, false),
    };
    match inner(ty, "Vec") {
        Some(ty) => (word(ty) + "[]", optional),
        None => (word(ty), optional),
    }
}

/// What Mermaid takes as the type or the name of an attribute: letters, digits and `_`, and none of its own words.
fn word(text: &str) -> String {
    let (path, generics) = text.split_at(text.find('<').unwrap_or(text.len()));
    let short = path.rsplit("::").next().unwrap_or(path);
    let is_letter = |c: char| {
        c.is_ascii_alphanumeric() || c.is_alphanumeric() && ('\u{c0}'..='\u{ffff}').contains(&c)
    };
    let chars = short.chars().chain(generics.chars());
    let word: String = chars.map(|c| if is_letter(c) { c } else { '_' }).collect();
    let word = word.trim_end_matches('_');
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("t{word}");
    }
    if ["pk", "fk", "uk"].contains(&word.to_ascii_lowercase().as_str()) {
        return format!("{word}_");
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_are_those_that_mermaid_takes() {
        for (text, expected) in [
            ("String", "String"),
            (
                "std::collections::BTreeMap<String, u8>",
                "BTreeMap_String__u8",
            ),
            ("(u8, u16)", "_u8__u16"),
            ("()", "t"),
            ("[u8; 4]", "_u8__4"),
            ("größe", "größe"),
            ("pk", "pk_"),
            ("UK", "UK_"),
            ("pk_x", "pk_x"),
            ("_x", "_x"),
        ] {
            assert_eq!(word(text), expected);
        }
    }
}
