//! Terraform resources. Variables of names are its input variables.

use super::cloudformation as cfn;
use crate::catalog::{Catalog, CatalogTable};
use crate::identifier::{snake, unique, with_variables};
use dyna_runtime::schema::{BillingMode, Encryption, IndexKind, IndexSchema, Projection};

pub(super) fn resources(catalog: &Catalog) -> String {
    let mut taken = Vec::new();
    let variables: Vec<(&str, String)> = catalog
        .variables()
        .into_iter()
        .map(|name| (name, unique(snake(name), &mut taken)))
        .collect();
    let declared = variables.iter().map(|(name, variable)| {
        let mut block = Block::new(&format!("variable {}", quoted(variable)));
        block.set("type", "string");
        let about = format!("The value of {{{name}}} in the names of tables");
        block.text("description", &about);
        block
    });
    let mut taken = Vec::new();
    let tables = catalog.tables.iter().flat_map(|table| {
        let label = unique(snake(table.schema.type_name), &mut taken);
        let looked_up = looked_up(table.schema.settings.encryption, &label);
        let resource = resource(table, &label, &variables);
        looked_up.into_iter().chain([resource])
    });
    let blocks: Vec<String> = declared.chain(tables).map(|block| block.write(0)).collect();
    blocks.join("\n")
}

fn resource(table: &CatalogTable, label: &str, variables: &[(&str, String)]) -> Block {
    let (schema, settings) = (table.schema, &table.schema.settings);
    let name = with_variables(&table.name, variables, in_quotes, |name| {
        format!("${{var.{name}}}")
    });
    let mut block = Block::new(&format!(
        "resource \"aws_dynamodb_table\" {}",
        quoted(label)
    ));
    block.set("name", &format!("\"{name}\""));
    block.text("billing_mode", settings.billing.as_str());
    if let BillingMode::Provisioned(throughput) = settings.billing {
        block.set("read_capacity", &throughput.read.to_string());
        block.set("write_capacity", &throughput.write.to_string());
    }
    block.text("hash_key", schema.pk().name);
    if let Some(sk) = schema.sk() {
        block.text("range_key", sk.name);
    }
    if let Some(view) = schema.stream {
        block.set("stream_enabled", "true");
        block.text("stream_view_type", view.as_str());
    }
    block.text("table_class", settings.table_class.as_str());
    block.set(
        "deletion_protection_enabled",
        if settings.deletion_protection {
            "true"
        } else {
            "false"
        },
    );
    for (name, kind) in cfn::attributes(schema) {
        let attribute = block.block("attribute");
        attribute.text("name", name);
        attribute.text("type", kind);
    }
    for index in schema.indexes_of(IndexKind::Global) {
        global_index(block.block("global_secondary_index"), index);
    }
    for index in schema.indexes_of(IndexKind::Local) {
        let local = block.block("local_secondary_index");
        local.text("name", index.name);
        for sk in index.sk {
            local.text("range_key", sk.name);
        }
        projection(local, index);
    }
    if let Some(attribute) = schema.ttl {
        let ttl = block.block("ttl");
        ttl.text("attribute_name", attribute.name);
        ttl.set("enabled", "true");
    }
    if settings.point_in_time_recovery {
        block.block("point_in_time_recovery").set("enabled", "true");
    }
    encryption(&mut block, settings.encryption, label);
    if !settings.resource_tags.is_empty() {
        let tags = block.block("tags =");
        for (name, value) in settings.resource_tags {
            tags.text(&quoted(name), value);
        }
    }
    block
}

/// One attribute for each half of the key is written in the way that all releases of the provider know.
fn global_index(block: &mut Block, index: &IndexSchema) {
    block.text("name", index.name);
    if let ([pk], [] | [_]) = (index.pk, index.sk) {
        block.text("hash_key", pk.name);
        for sk in index.sk {
            block.text("range_key", sk.name);
        }
    }
    projection(block, index);
    if let Some(throughput) = index.throughput {
        block.set("read_capacity", &throughput.read.to_string());
        block.set("write_capacity", &throughput.write.to_string());
    }
    if !matches!((index.pk, index.sk), ([_], [] | [_])) {
        let pk = index.pk.iter().map(|pk| (pk.name, "HASH"));
        let sk = index.sk.iter().map(|sk| (sk.name, "RANGE"));
        for (name, kind) in pk.chain(sk) {
            let key = block.block("key_schema");
            key.text("attribute_name", name);
            key.text("key_type", kind);
        }
    }
}

fn projection(block: &mut Block, index: &IndexSchema) {
    block.text("projection_type", index.projection.as_str());
    if let Projection::Include(attributes) = index.projection {
        let attributes: Vec<_> = attributes.iter().map(|name| quoted(name)).collect();
        let attributes = format!("[{}]", attributes.join(", "));
        block.set("non_key_attributes", &attributes);
    }
}

/// Terraform takes the ARN of a key only: an id or an alias is looked up.
fn looked_up(encryption: Encryption, label: &str) -> Option<Block> {
    let Encryption::Kms(key) = encryption else {
        return None;
    };
    if is_key_arn(key) {
        return None;
    }
    let mut block = Block::new(&format!("data \"aws_kms_key\" {}", quoted(label)));
    block.text("key_id", key);
    Some(block)
}

fn is_key_arn(key: &str) -> bool {
    key.starts_with("arn:") && key.contains(":key/")
}

fn encryption(table: &mut Block, encryption: Encryption, label: &str) {
    if !encryption.is_kms() {
        return;
    }
    let block = table.block("server_side_encryption");
    block.set("enabled", "true");
    match encryption.kms_key() {
        Some(key) if is_key_arn(key) => block.text("kms_key_arn", key),
        Some(_) => block.set("kms_key_arn", &format!("data.aws_kms_key.{label}.arn")),
        None => {}
    }
}

/// A block of HCL: its arguments, then the blocks in it.
struct Block {
    head: String,
    arguments: Vec<(String, String)>,
    blocks: Vec<Block>,
}

impl Block {
    fn new(head: &str) -> Self {
        Self {
            head: head.to_owned(),
            arguments: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// An argument as HCL writes it.
    fn set(&mut self, name: &str, value: &str) {
        self.arguments.push((name.to_owned(), value.to_owned()));
    }

    /// An argument that is text.
    fn text(&mut self, name: &str, value: &str) {
        self.set(name, &quoted(value));
    }

    /// A block within it.
    fn block(&mut self, head: &str) -> &mut Self {
        self.blocks.push(Self::new(head));
        let at = self.blocks.len() - 1;
        &mut self.blocks[at]
    }

    /// As `terraform fmt` does it: the equals signs below each other.
    fn write(&self, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let names = self.arguments.iter().map(|(name, _)| name.chars().count());
        let width = names.max().unwrap_or_default();
        let mut out = format!("{indent}{} {{\n", self.head);
        for (name, value) in &self.arguments {
            out += &format!("{indent}  {name:width$} = {value}\n");
        }
        for (at, block) in self.blocks.iter().enumerate() {
            if at > 0 || !self.arguments.is_empty() {
                out.push('\n');
            }
            out += &block.write(depth + 1);
        }
        out + &indent + "}\n"
    }
}

/// A string of HCL, in which nothing is a template.
fn quoted(text: &str) -> String {
    format!("\"{}\"", in_quotes(text))
}

fn in_quotes(text: &str) -> String {
    let mut out = String::new();
    crate::document::escape(text, &mut out);
    out.replace("${", "$${").replace("%{", "%%{")
}
