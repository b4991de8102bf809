//! What of a document is in the code: table by table, entity by entity, index by index, pattern by pattern.

#[cfg(test)]
mod tests;

use crate::{Answer, Result};
use dyna_runtime::DynaTable;
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::schema::{IndexSchema, Schema, StreamViewType, TableSchema};
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

/// The part of a model in the coverage, or what of its document is missing in the code. The first line is its row of the summary.
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
        beyond: Vec::new(),
    };
    let of = |word| {
        let lines = document.lines();
        let lines = lines.filter_map(move |line: &str| line.strip_prefix(word)?.strip_prefix(' '));
        lines.collect::<Vec<_>>()
    };
    let (declared, entities) = (of("table"), of("entity"));
    let (indexes, patterns) = (of("index"), of("pattern"));
    rows.tables(&declared);
    rows.entities(&entities);
    rows.indexes(&indexes);
    rows.patterns(&patterns);
    if !rows.missing.is_empty() {
        return Err(format!("not in the code: {}", rows.missing.join(", ")).into());
    }
    if !rows.beyond.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(
            rows.text,
            "\nBeyond the document: {}.",
            rows.beyond.join(", ")
        );
    }
    let counts = [declared, entities, indexes, patterns].map(|lines| lines.len().to_string());
    let row = format!("| {name} | {} |", counts.join(" | "));
    Ok(format!("{row}\n## {name}\n{}", rows.text))
}

struct Rows<'a> {
    tables: &'a [Declared],
    answers: &'a [Answer],
    text: String,
    /// What the document has and the code lacks.
    missing: Vec<String>,
    /// What the code has and the document lacks.
    beyond: Vec<String>,
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

    /// Lines such as `chat-{stage}: pk sk, ttl = expires, stream = NEW_IMAGE`.
    fn tables(&mut self, lines: &[&str]) {
        self.head(&["table", "key", "expiry", "stream"]);
        for line in lines {
            let table = self
                .tables
                .iter()
                .find(|table| *line == as_line(table.schema));
            let Some(Declared { schema, .. }) = table else {
                self.missing.push(format!("table `{line}`"));
                continue;
            };
            let stream = schema.stream.map_or("", StreamViewType::as_str);
            let ttl = schema.ttl.map_or("", |ttl| ttl.name);
            self.row(&[schema.name, &key(&schema.key), ttl, stream]);
        }
    }

    /// Lines such as `Infrastructure Config = Config: vpcEndpoint updatedAt`: the document's name, ours, and its attributes.
    fn entities(&mut self, lines: &[&str]) {
        self.head(&[
            "entity",
            "struct",
            "attributes",
            "not in the document",
            "indexes",
        ]);
        let lines: Vec<_> = lines.iter().filter_map(|line| entity_line(line)).collect();
        let entities = self.tables.iter().flat_map(|table| table.entities);
        let unknown = entities.filter(|it| lines.iter().all(|(_, name, _)| *name != it.name));
        let unknown: Vec<_> = unknown.map(|it| format!("`{}`", it.name)).collect();
        self.beyond.extend(unknown);
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

    /// Lines such as `gsi1: gsi1pk gsi1sk`.
    fn indexes(&mut self, lines: &[&str]) {
        if lines.is_empty() {
            return;
        }
        self.head(&["index", "key", "entities in it"]);
        for line in lines {
            let tables = self.tables.iter();
            let mut known = tables.flat_map(|table| table.schema.indexes);
            let Some(index) =
                known.find(|index| *line == format!("{}: {}", index.name, key(index)))
            else {
                self.missing.push(format!("index `{line}`"));
                continue;
            };
            let entities = self.tables.iter().flat_map(|table| table.entities);
            let within = entities.filter(|entity| {
                let mut indexes = entity.indexes.iter();
                indexes.any(|of| of.schema.name == index.name)
            });
            let within: Vec<_> = within.map(|entity| format!("`{}`", entity.name)).collect();
            self.row(&[index.name, &key(index), &within.join(", ")]);
        }
    }

    fn patterns(&mut self, document: &[&str]) {
        self.head(&["access pattern", "answers on the sample data"]);
        for pattern in document {
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
        for answer in self.answers {
            let pattern = base(answer);
            if !document.contains(&pattern) && !self.beyond.iter().any(|it| it == pattern) {
                self.beyond.push(pattern.to_owned());
            }
        }
    }
}

/// A table as a document has it.
fn as_line(schema: &'static TableSchema) -> String {
    let ttl = schema.ttl.map(|ttl| format!(", ttl = {}", ttl.name));
    let stream = schema.stream.map(StreamViewType::as_str);
    let stream = stream.map(|word| format!(", stream = {word}"));
    let (name, key) = (schema.name, key(&schema.key));
    let (ttl, stream) = (ttl.unwrap_or_default(), stream.unwrap_or_default());
    format!("{name}: {key}{ttl}{stream}")
}

fn key(of: &'static IndexSchema) -> String {
    attributes(of).collect::<Vec<_>>().join(" ")
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
    let ttl = entity
        .schema
        .ttl
        .filter(|_| entity.managed.expiry.is_some());
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
