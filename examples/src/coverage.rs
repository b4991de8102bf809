//! What of a document is in the code: entity by entity, index by index, pattern by pattern.

use crate::{Answer, Result};
use dyna_runtime::schema::{IndexSchema, Schema, TableSchema};
use dyna_runtime::{DynaTable, EntityMeta};
use serde_json::Value;
use std::fmt::Write;

/// The tables of a model, as its code declares them.
#[derive(Debug, Clone, Copy)]
pub struct Declared {
    schema: &'static TableSchema,
    entities: &'static [&'static EntityMeta],
}

impl Declared {
    /// The table `T`.
    pub fn of<T: DynaTable>() -> Self {
        Self {
            schema: <T::Schema as Schema>::SCHEMA,
            entities: T::ENTITIES,
        }
    }
}

/// The part of a model in the coverage table, or what of its document is missing in the code.
pub(crate) fn section(
    name: &str,
    document: &str,
    tables: &[Declared],
    answers: &[Answer],
) -> Result<String> {
    let mut rows = Rows {
        tables,
        answers,
        text: String::new(),
        missing: Vec::new(),
    };
    let of = |word| {
        let lines = document.lines();
        lines.filter_map(move |line: &str| line.strip_prefix(word)?.strip_prefix(' '))
    };
    rows.entities(of("entity"));
    rows.indexes(of("index"));
    rows.patterns(of("pattern"));
    if rows.missing.is_empty() {
        Ok(format!("## {name}\n{}", rows.text))
    } else {
        Err(format!("not in the code: {}", rows.missing.join(", ")).into())
    }
}

struct Rows<'a> {
    tables: &'a [Declared],
    answers: &'a [Answer],
    text: String,
    missing: Vec<String>,
}

impl Rows<'_> {
    fn head(&mut self, columns: &[&str]) {
        let line = "|---".repeat(columns.len());
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "\n| {} |\n{line}|", columns.join(" | "));
    }

    fn row(&mut self, cells: &[&str]) {
        let _ = writeln!(self.text, "| {} |", cells.join(" | "));
    }

    /// Lines such as `Infrastructure Config = Config: vpcEndpoint updatedAt`: the document's name, ours, and its attributes.
    fn entities<'d>(&mut self, lines: impl Iterator<Item = &'d str>) {
        self.head(&[
            "entity",
            "struct",
            "attributes",
            "not in the document",
            "indexes",
        ]);
        let lines: Vec<_> = lines.filter_map(entity_line).collect();
        for (title, name, wanted) in &lines {
            let mut entities = self.tables.iter().flat_map(|table| table.entities);
            let Some(entity) = entities.find(|entity| entity.name == *name) else {
                self.missing.push(format!("entity `{name}`"));
                continue;
            };
            let stored = stored(entity);
            let lacks = wanted.iter().filter(|wanted| !stored.contains(wanted));
            let lacks = lacks.map(|attribute| format!("`{attribute}` of `{name}`"));
            self.missing.extend(lacks);
            // A struct may stand for several entities of the document.
            let same = lines.iter().filter(|(_, other, _)| other == name);
            let known: Vec<_> = same.flat_map(|(_, _, attributes)| attributes).collect();
            let beyond = stored.iter().filter(|found| !known.contains(found));
            let beyond: Vec<_> = beyond.map(|attribute| format!("`{attribute}`")).collect();
            let indexes = entity.indexes.iter().map(|index| index.schema.name);
            let indexes: Vec<_> = indexes.collect();
            let count = format!("all {}", wanted.len());
            let (name, beyond) = (format!("`{name}`"), beyond.join(", "));
            self.row(&[title, &name, &count, &beyond, &indexes.join(", ")]);
        }
    }

    fn indexes<'d>(&mut self, lines: impl Iterator<Item = &'d str>) {
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            return;
        }
        self.head(&["index", "entities in it"]);
        for name in lines {
            let tables = self.tables.iter();
            let known = tables
                .flat_map(|table| table.schema.indexes)
                .any(|index| index.name == name);
            if !known {
                self.missing.push(format!("index `{name}`"));
            }
            let entities = self.tables.iter().flat_map(|table| table.entities);
            let within = entities
                .filter(|entity| entity.indexes.iter().any(|index| index.schema.name == name));
            let within: Vec<_> = within.map(|entity| format!("`{}`", entity.name)).collect();
            self.row(&[name, &within.join(", ")]);
        }
    }

    fn patterns<'d>(&mut self, lines: impl Iterator<Item = &'d str>) {
        self.head(&["access pattern", "answers on the sample data"]);
        let document: Vec<_> = lines.collect();
        for pattern in &document {
            let answers = self
                .answers
                .iter()
                .filter(|answer| base(answer) == *pattern);
            let answers: Vec<_> = answers.map(told).collect();
            if answers.is_empty() {
                self.missing.push(format!("pattern `{pattern}`"));
            }
            self.row(&[pattern, &answers.join("; ")]);
        }
        let mut beyond: Vec<&str> = self.answers.iter().map(base).collect();
        beyond.dedup();
        beyond.retain(|pattern| !document.contains(pattern));
        if !beyond.is_empty() {
            let _ = writeln!(self.text, "\nBeyond the document: {}.", beyond.join(", "));
        }
    }
}

fn entity_line(line: &str) -> Option<(&str, &str, Vec<&str>)> {
    let (names, attributes) = line.split_once(':')?;
    let (title, name) = names.split_once(" = ")?;
    Some((title, name, attributes.split_whitespace().collect()))
}

/// The attributes that an entity writes.
fn stored(entity: &EntityMeta) -> Vec<&'static str> {
    let fields = entity.fields.iter().filter(|field| !field.key_only);
    let fields = fields.map(|field| field.attribute);
    let keys = entity.indexes.iter().map(|index| index.schema);
    let keys = keys.chain([&entity.schema.key]).flat_map(attributes);
    let ttl = entity.schema.ttl.filter(|_| entity.kept.expiry.is_some());
    let mut stored: Vec<_> = fields.chain(keys).chain(ttl.map(|ttl| ttl.name)).collect();
    if let Some(tag) = entity.schema.tag {
        stored.push(tag.attribute.name);
    }
    stored.sort_unstable();
    stored.dedup();
    stored
}

fn attributes(key: &'static IndexSchema) -> impl Iterator<Item = &'static str> {
    key.pk.iter().chain(key.sk).map(|attribute| attribute.name)
}

/// The pattern without which case of it.
fn base(answer: &Answer) -> &str {
    match answer.pattern.split_once(": ") {
        Some((pattern, _)) => pattern,
        None => &answer.pattern,
    }
}

/// An answer in a few words.
fn told(answer: &Answer) -> String {
    let case = answer.pattern.split_once(": ");
    let case = case.map_or(String::new(), |(_, case)| format!("{case}: "));
    let items = |items: &Vec<Value>| match items.len() {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    };
    let found = match &answer.answer {
        Value::Null => "nothing".to_owned(),
        Value::Array(found) => items(found),
        Value::Object(found) => match (found.get("refused"), found.get("items")) {
            (Some(Value::String(code)), _) => {
                let code = code.split(':').next().unwrap_or_default();
                format!("refused, {code}")
            }
            (_, Some(Value::Array(page))) => format!("a page of {}", items(page)),
            _ => "an item".to_owned(),
        },
        other => other.to_string(),
    };
    case + &found
}
