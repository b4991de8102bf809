//! An entity-relationship diagram for Mermaid.
//!
//! An entity belongs to another one if it carries the field that identifies that one: `channel_id` of `Channel`, or the only
//! field of its key. A field that is only called `id` says nothing of whose it is.

use super::names::snake;
use super::tables::{Catalog, Entry};
use crate::entity::{EntityMeta, FieldMeta};
use crate::shape::Template;

pub(super) fn diagram(catalog: &Catalog) -> String {
    let mut out = "erDiagram\n".to_owned();
    for entry in &catalog.entries {
        for entity in entry.entities {
            out += &entity_block(entity);
        }
    }
    for entry in &catalog.entries {
        out += &relations(entry);
    }
    out
}

fn entity_block(entity: &EntityMeta) -> String {
    let mut out = format!("    {} {{\n", name(entity.name));
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
    out + "    }\n"
}

/// The fields of the primary key, each once.
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

fn relations(entry: &Entry) -> String {
    let mut out = String::new();
    for owner in entry.entities {
        let Some(id) = identity(owner) else {
            continue;
        };
        for other in entry.entities {
            let carries = other.fields.iter().any(|field| field.name == id);
            if other.name == owner.name || !carries {
                continue;
            }
            let one = if key_fields(other) == [id] {
                "||--||"
            } else {
                "||--o{"
            };
            let (owner, other) = (name(owner.name), name(other.name));
            out += &format!("    {owner} {one} {other} : \"{id}\"\n");
        }
    }
    out
}

/// The field that identifies an entity.
fn identity(entity: &EntityMeta) -> Option<&'static str> {
    let key = key_fields(entity);
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

/// What Mermaid takes as a word of an attribute: letters first, then also digits, `_` and `-`.
fn word(text: &str) -> String {
    let path = text.split('<').next().unwrap_or(text);
    let start = text.len() - text.strip_prefix(path).unwrap_or(text).len();
    let short = path.rsplit("::").next().unwrap_or(path);
    let word: String = format!("{short}{}", text.get(start..).unwrap_or_default())
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let word = word.trim_end_matches('_');
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        word.to_owned()
    } else {
        format!("t{word}")
    }
}

fn name(entity: &str) -> String {
    if entity.is_ascii() {
        entity.to_owned()
    } else {
        format!("\"{entity}\"")
    }
}
