//! A reference in Markdown: what the tables hold, by which keys, and what can be asked of them.

use super::cloudformation as cfn;
use super::tables::{Catalog, Entry};
use crate::entity::EntityMeta;
use crate::schema::words::{key_text, projection_text, stream_text, throughput_text};
use crate::schema::{Billing, Encryption, Scope};
use crate::shape::Template;

pub(super) fn reference(catalog: &Catalog) -> String {
    let tables: Vec<String> = catalog.entries.iter().map(table).collect();
    tables.join("\n")
}

fn table(entry: &Entry) -> String {
    let schema = entry.schema;
    let mut out = format!("# {}\n\n", text(schema.type_name));
    if !schema.doc.is_empty() {
        out += &format!("{}\n\n", schema.doc);
    }
    out += &facts(entry);
    out += "\n## Entities\n\n";
    let tag = schema.tag.map(|tag| code(tag.attribute.name));
    let mut head = vec!["Entity".to_owned()];
    head.extend(schema.key.attributes().map(|key| code(key.name)));
    head.extend(tag.clone());
    let rows = entry.entities.iter().map(|entity| {
        let mut row = vec![text(entity.name)];
        row.extend(templates(entity.key.pk.iter().chain(entity.key.sk)));
        row.extend(tag.is_some().then(|| code(entity.tag)));
        row
    });
    out += &chart(&head, rows);
    for index in schema.indexes {
        let scope = match index.scope {
            Scope::Local => "local",
            _ => "global",
        };
        out += &format!(
            "\n## Index {}\n\nA {scope} index with {}.\n\n",
            text(index.name),
            projection_text(index.projection)
        );
        let mut head = vec!["Entity".to_owned(), "Function".to_owned()];
        head.extend(index.attributes().map(|key| code(key.name)));
        let rows = entry.entities.iter().flat_map(|entity| {
            let uses = entity.indexes.iter();
            let uses = uses.filter(|used| used.schema.name == index.name);
            uses.map(|used| {
                let call = format!("{}::{}", entity.name, used.accessor);
                let mut row = vec![text(entity.name), code(&call)];
                row.extend(templates(used.keys.pk.iter().chain(used.keys.sk)));
                row
            })
        });
        out += &chart(&head, rows);
    }
    out += "\n## Access patterns\n\n";
    let head = ["Call", "Asks", "Condition", "Values"].map(ToOwned::to_owned);
    let rows = entry.patterns().into_iter().map(|pattern| {
        let asks = match pattern.index {
            Some(index) => format!("{} {}", pattern.operation, code(index)),
            None => pattern.operation.to_owned(),
        };
        let values = pattern.values.iter();
        let values: Vec<_> = values
            .map(|(name, value)| code(&format!("{name} = {value}")))
            .collect();
        vec![
            code(&pattern.call),
            asks,
            code(&pattern.condition),
            values.join("<br>"),
        ]
    });
    out += &chart(&head, rows);
    for entity in entry.entities {
        out += &fields(entry, entity);
    }
    out
}

/// What the table is, beside its entities.
fn facts(entry: &Entry) -> String {
    let (schema, settings) = (entry.schema, &entry.schema.settings);
    let mut facts = vec![
        ("Name", code(&entry.name)),
        ("Key", text(&key_text(&schema.key))),
    ];
    facts.extend(schema.ttl.map(|ttl| ("Time to live", code(ttl.name))));
    facts.extend(
        schema
            .stream
            .map(|view| ("Stream", text(&stream_text(view)))),
    );
    facts.push((
        "Billing",
        match settings.billing {
            Billing::OnDemand => "on demand".to_owned(),
            Billing::Provisioned(throughput) => throughput_text(throughput),
        },
    ));
    facts.push(("Class", text(cfn::class(settings.class))));
    facts.extend(
        settings
            .deletion_protection
            .then(|| ("Deletion protection", "on".to_owned())),
    );
    facts.extend(
        settings
            .point_in_time_recovery
            .then(|| ("Point-in-time recovery", "on".to_owned())),
    );
    facts.extend(match settings.encryption {
        Encryption::AwsOwned => None,
        Encryption::AwsManaged => Some(("Encryption", "the KMS key of the account".to_owned())),
        Encryption::Kms(key) => Some(("Encryption", code(key))),
    });
    let tags = settings.tags.iter();
    let tags: Vec<_> = tags
        .map(|(name, value)| code(&format!("{name} = {value}")))
        .collect();
    facts.extend((!tags.is_empty()).then(|| ("Tags", tags.join(", "))));
    let rows = facts
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value]);
    chart(&["Table".to_owned(), String::new()], rows)
}

/// The fields of an entity, and an item.
fn fields(entry: &Entry, entity: &EntityMeta) -> String {
    let mut out = format!("\n## {}\n\n", text(entity.name));
    if !entity.doc.is_empty() {
        out += &format!("{}\n\n", entity.doc);
    }
    let head = ["Field", "Attribute", "Type", "About"].map(ToOwned::to_owned);
    let rows = entity.fields.iter().map(|field| {
        let attribute = if field.key_only {
            "in the key".to_owned()
        } else {
            code(field.attribute)
        };
        vec![code(field.name), attribute, code(field.ty), text(field.doc)]
    });
    out += &chart(&head, rows);
    if let Some(sample) = entry.samples_of(entity).next() {
        out += &format!("\n```json\n{}\n```\n", sample.plain().json());
    }
    out
}

fn templates<'t>(templates: impl Iterator<Item = &'t Template>) -> Vec<String> {
    templates.map(|template| code(template.text)).collect()
}

fn chart(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = line(head);
    out += &format!("|{}\n", "---|".repeat(head.len()));
    for mut row in rows {
        row.resize(head.len(), String::new());
        out += &line(&row);
    }
    out
}

/// Code in a cell of a table: also there a bar would end the cell.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.replace('|', "\\|").replace('\n', " ");
    if text.contains('`') {
        return format!("`` {text} ``");
    }
    format!("`{text}`")
}

/// Plain text in a cell or a heading. Doc comments are Markdown already.
fn text(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
