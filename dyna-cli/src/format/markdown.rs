//! A reference in Markdown: entities, keys, indexes, access patterns and fields.

use crate::catalog::{Catalog, CatalogTable};
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::key::KeyTemplates;
use dyna_runtime::schema::IndexSchema;

pub(super) fn reference(catalog: &Catalog) -> String {
    let tables: Vec<String> = catalog.tables.iter().map(section).collect();
    tables.join("\n")
}

fn section(table: &CatalogTable) -> String {
    let schema = table.schema;
    let mut out = format!("# {}\n\n", text(schema.type_name));
    if !schema.doc.is_empty() {
        out += &format!("{}\n\n", prose(schema.doc));
    }
    out += &facts(table);
    out += &entities(table);
    for index in schema.indexes {
        out += &members(table, index);
    }
    out += &patterns(table);
    for entity in table.entities {
        out += &fields(table, entity);
    }
    out
}

/// The primary keys of the entities.
fn entities(table: &CatalogTable) -> String {
    let tag = table.schema.tag.map(|tag| code(tag.attribute.name));
    let mut head = vec!["Entity".to_owned()];
    head.extend(table.schema.key.attributes().map(|key| code(key.name)));
    head.extend(tag.clone());
    let rows = table.entities.iter().map(|entity| {
        let mut row = vec![text(entity.name)];
        row.extend(templates(&entity.key));
        row.extend(tag.is_some().then(|| code(entity.tag)));
        row
    });
    format!("\n## Entities\n\n{}", chart(&head, rows))
}

/// The keys of the entities that are in an index.
fn members(table: &CatalogTable, index: &IndexSchema) -> String {
    let mut head = vec!["Entity".to_owned(), "Function".to_owned()];
    head.extend(index.attributes().map(|key| code(key.name)));
    let rows = table.entities.iter().flat_map(|entity| {
        let uses = entity.indexes.iter();
        let uses = uses.filter(|used| used.schema.name == index.name);
        uses.map(|used| {
            let call = format!("{}::{}", entity.name, used.accessor);
            let mut row = vec![text(entity.name), code(&call)];
            row.extend(templates(&used.keys));
            row
        })
    });
    format!(
        "\n## Index {}\n\nA {} with {}.\n\n{}",
        text(index.name),
        index.kind,
        text(&index.projection.to_string()),
        chart(&head, rows)
    )
}

fn patterns(table: &CatalogTable) -> String {
    let head = ["Call", "Asks", "Condition", "Values"].map(ToOwned::to_owned);
    let rows = table.patterns().into_iter().map(|pattern| {
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
    format!("\n## Access patterns\n\n{}", chart(&head, rows))
}

/// The name, the key and the settings of the table.
fn facts(table: &CatalogTable) -> String {
    let (schema, settings) = (table.schema, &table.schema.settings);
    let mut facts = vec![
        ("Name", code(&table.name)),
        ("Key", text(&schema.key.display_key().to_string())),
    ];
    facts.extend(schema.ttl.map(|ttl| ("Time to live", code(ttl.name))));
    facts.extend(
        schema
            .stream
            .map(|view| ("Stream", text(&view.to_string()))),
    );
    facts.push(("Billing", settings.billing.to_string()));
    facts.push(("Class", text(settings.table_class.as_str())));
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
    let encryption = settings.encryption;
    facts.extend(encryption.is_kms().then(|| {
        let key = encryption.kms_key();
        let key = key.map_or_else(|| encryption.to_string(), code);
        ("Encryption", key)
    }));
    let tags = settings.resource_tags.iter();
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
fn fields(table: &CatalogTable, entity: &EntityMeta) -> String {
    let mut out = format!("\n## {}\n\n", text(entity.name));
    if !entity.doc.is_empty() {
        out += &format!("{}\n\n", prose(entity.doc));
    }
    let head = ["Field", "Attribute", "Type", "About"].map(ToOwned::to_owned);
    let rows = entity.fields.iter().map(|field| {
        let attribute = if field.key_only {
            "in the key".to_owned()
        } else {
            code(field.attribute)
        };
        vec![
            code(field.name),
            attribute,
            code(field.ty),
            cell(&prose(field.doc)),
        ]
    });
    out += &chart(&head, rows);
    if let Some(sample) = table.samples_of(entity).next() {
        out += &format!("\n```json\n{}\n```\n", sample.plain().json());
    }
    out
}

fn templates(keys: &KeyTemplates) -> Vec<String> {
    let templates = keys.pk.iter().chain(keys.sk);
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

/// Code in a cell of a table, between more backticks than it has itself.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default() + 1);
    let space = if fence.len() > 1 { " " } else { "" };
    cell(&format!("{fence}{space}{text}{space}{fence}"))
}

/// Text that stays as it is, in a cell or a heading.
fn text(text: &str) -> String {
    let mut out = String::new();
    let mut after_word = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let before_word = chars.peek().is_some_and(|next| next.is_alphanumeric());
        let within_word = c == '_' && after_word && before_word;
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~') && !within_word {
            out.push('\\');
        }
        out.push(c);
        after_word = c.is_alphanumeric() || within_word;
    }
    cell(&out)
}

/// A doc comment: it is Markdown already, but none of it is HTML, and links to items of Rust are only code.
fn prose(doc: &str) -> String {
    let doc = without_links(doc);
    // What is between backticks is at the odd places, if each has its counterpart.
    let pieces: Vec<&str> = doc.split('`').collect();
    let paired = pieces.len() % 2 == 1;
    let escaped = pieces.iter().enumerate().map(|(at, piece)| match at % 2 {
        1 if paired => (*piece).to_owned(),
        _ => piece.replace('<', "\\<"),
    });
    escaped.collect::<Vec<_>>().join("`")
}

/// `[..]` around code alone is taken off; a link that says where it leads stays.
fn without_links(doc: &str) -> String {
    let mut pieces = doc.split("[`");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once("`]") {
            Some((code, rest)) if !rest.starts_with('(') => out += &format!("`{code}`{rest}"),
            _ => out += &format!("[`{piece}"),
        }
    }
    out
}

/// What stands in one cell: a bar would end it, also in code.
fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::{code, prose, text};

    #[test]
    fn code_has_more_backticks_around_it_than_in_it() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("`a`"), "`` `a` ``");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code(""), "");
    }

    #[test]
    fn text_stays_as_it_is() {
        assert_eq!(text("by_shelf_2"), "by_shelf_2");
        assert_eq!(
            text("_a_ *b* <i> [c] a|b `d`"),
            "\\_a\\_ \\*b\\* \\<i> \\[c\\] a\\|b \\`d\\`"
        );
        assert_eq!(text("a\nb"), "a b");
    }

    #[test]
    fn doc_comments_stay_markdown() {
        assert_eq!(
            prose("*So* `Vec<u8>` or Vec<u8>"),
            "*So* `Vec<u8>` or Vec\\<u8>"
        );
        assert_eq!(prose("open ` and <b>"), "open ` and \\<b>");
        assert_eq!(
            prose("[`Shop`] and [`Shop`](shop.md)"),
            "`Shop` and [`Shop`](shop.md)"
        );
    }
}
