//! Access patterns: the requests by key that the derives make functions for, read from the templates.

use crate::document::{Document, map};
use crate::identifier::identifier;
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::key::KeyTemplates;
use dyna_runtime::schema::{IndexSchema, KeyAttribute, ScalarType, TableSchema};
use dyna_runtime::shape::{Part, Shape, Template};

/// A request by key that an entity has a function for. Values are templates: `CHANNEL#<channel_id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessPattern {
    /// The entity that it returns.
    pub entity: &'static str,
    /// The call in Rust: `Message::query(channel_id).sent_ms_range(..)`.
    pub call: String,
    /// `GetItem` or `Query`.
    pub operation: &'static str,
    /// The index that is queried; `None` for the table.
    pub index: Option<&'static str>,
    /// The key condition, with placeholders for values: `pk = :p AND begins_with(sk, :s)`.
    pub condition: String,
    /// The placeholders of the condition with their values.
    pub values: Vec<(String, String)>,
}

impl AccessPattern {
    /// All patterns of an entity: `get`, then the queries of its key and of its indexes.
    pub(crate) fn for_entity(entity: &'static EntityMeta) -> Vec<Self> {
        let mut patterns = vec![get(entity)];
        let own = EntityKey {
            entity,
            accessor: "query",
            schema: &entity.schema.key,
            keys: &entity.key,
        };
        if own.keys.sk.iter().any(|sk| sk.parts().next().is_some()) {
            own.queries(&mut patterns);
        }
        for index in entity.indexes {
            let key = EntityKey {
                entity,
                accessor: index.accessor,
                schema: index.schema,
                keys: &index.keys,
            };
            key.queries(&mut patterns);
        }
        patterns
    }

    /// The condition with its values in the place of their names.
    pub(crate) fn means(&self) -> String {
        let mut out = String::new();
        let mut rest = self.condition.as_str();
        while let Some(at) = rest.find(':') {
            let (before, named) = rest.split_at(at);
            let end = named.find(|c: char| c != ':' && !c.is_ascii_alphanumeric());
            let (name, after) = named.split_at(end.unwrap_or(named.len()));
            let found = self.values.iter().find(|(known, _)| known == name);
            out += before;
            out += found.map_or(name, |(_, value)| value);
            rest = after;
        }
        out + rest
    }

    /// The request in DynamoDB's JSON, with templates as its values.
    pub(crate) fn request(&self, table: &str, schema: &TableSchema) -> Document {
        let index = |key: &&IndexSchema| key.name == self.index.unwrap_or_default();
        let key = schema.keys().find(index).unwrap_or(&schema.key);
        let typed = |attribute: Option<&KeyAttribute>, text: &str| {
            let kind = attribute.map_or(ScalarType::S, |attribute| attribute.kind);
            Document::Map(vec![(kind.to_string(), text.into())])
        };
        if self.operation == "GetItem" {
            let values = key.attributes().zip(&self.values);
            let values =
                values.map(|(key, (_, text))| (key.name.to_owned(), typed(Some(key), text)));
            return map! { "TableName" => table, "Key" => Document::Map(values.collect()) };
        }
        let names = key.attributes().filter_map(KeyAttribute::alias);
        let names = names.filter(|(alias, _)| self.condition.contains(alias));
        let names: Vec<_> = names
            .map(|(alias, name)| (alias.to_owned(), Document::from(name)))
            .collect();
        let values = self
            .values
            .iter()
            .map(|(name, text)| (name.clone(), typed(self.attribute(key, name), text)));
        map! {
            "TableName" => table,
            "IndexName" => self.index,
            "KeyConditionExpression" => self.condition.as_str(),
            "ExpressionAttributeNames" => (!names.is_empty()).then_some(Document::Map(names)),
            "ExpressionAttributeValues" => Document::Map(values.collect()),
        }
    }

    /// The attribute that a value of the condition is compared with: `:p1` and `:k1` say which, `:s` and `:t` the next.
    fn attribute<'k>(&self, key: &'k IndexSchema, value: &str) -> Option<&'k KeyAttribute> {
        let number = || value.get(2..).and_then(|number| number.parse().ok());
        if value.starts_with(":p") {
            return key.pk.get(number().unwrap_or(0));
        }
        let fixed = self
            .values
            .iter()
            .filter(|(name, _)| name.starts_with(":k"));
        key.sk.get(number().unwrap_or(fixed.count()))
    }
}

fn get(entity: &'static EntityMeta) -> AccessPattern {
    let templates = entity.key.pk.iter().chain(entity.key.sk);
    let attributes = entity.schema.key.attributes();
    let keys: Vec<_> = attributes
        .zip(templates)
        .map(|(attribute, template)| (attribute.name, spelled(template)))
        .collect();
    let values = [":p", ":s"].into_iter().zip(&keys);
    let conditions = values.clone();
    let conditions: Vec<_> = conditions
        .map(|(value, (name, _))| format!("{name} = {value}"))
        .collect();
    AccessPattern {
        entity: entity.name,
        call: format!("{}::get({})", entity.name, all_arguments(&entity.key)),
        operation: "GetItem",
        index: None,
        condition: conditions.join(" AND "),
        values: values
            .map(|(value, (_, text))| (value.to_owned(), text.clone()))
            .collect(),
    }
}

/// A key of an entity that can be queried.
struct EntityKey {
    entity: &'static EntityMeta,
    accessor: &'static str,
    schema: &'static IndexSchema,
    keys: &'static KeyTemplates,
}

/// A query in progress: the fields of the sort key that are fixed so far.
struct Step {
    call: String,
    /// The attributes of the sort key that are fixed as a whole, with another one after them.
    fixed: Vec<String>,
    /// The next one, up to its next field.
    prefix: String,
    /// Whether that is all of it.
    complete: bool,
}

impl EntityKey {
    fn queries(&self, out: &mut Vec<AccessPattern>) {
        let mut step = Step {
            call: format!(
                "{}::{}({})",
                self.entity.name,
                self.accessor,
                arguments(self.keys, self.keys.pk)
            ),
            fixed: Vec::new(),
            prefix: String::new(),
            complete: false,
        };
        self.enter(&mut step);
        out.push(self.query(&step));
        let count: usize = self.keys.sk.iter().map(|sk| sk.parts().count()).sum();
        let fields = self.keys.sk.iter().flat_map(|template| {
            let parts = template.parts().enumerate();
            parts.map(move |(n, part)| (template, n, part))
        });
        for (seen, (template, n, part)) in fields.enumerate() {
            out.extend(self.bounded(&step, template, n, part));
            self.fix(&mut step, template, n, part);
            // A whole primary key is a `get`.
            if !(seen + 1 == count && self.schema.name.is_empty()) {
                out.push(self.query(&step));
            }
        }
    }

    /// Begins the next attribute of the sort key, and goes on past those that have no fields.
    fn enter(&self, step: &mut Step) {
        while let Some(template) = self.keys.sk.get(step.fixed.len()) {
            step.prefix.clear();
            step.prefix += &template.literal_before(0);
            step.complete = template.parts().next().is_none();
            if !self.goes_on(step) {
                return;
            }
            step.fixed.push(step.prefix.clone());
        }
    }

    /// Fixes field `n` of an attribute.
    fn fix(&self, step: &mut Step, template: &Template, n: usize, part: &Part) {
        step.call += &format!(".{0}({0})", argument(self.keys, part));
        step.prefix += &placeholder(template, n, part);
        step.prefix += &template.literal_before(n + 1);
        step.complete = template.parts().count() == n + 1;
        if self.goes_on(step) {
            step.fixed.push(step.prefix.clone());
            self.enter(step);
        }
    }

    fn goes_on(&self, step: &Step) -> bool {
        step.complete && step.fixed.len() + 1 < self.keys.sk.len()
    }

    /// The query of all that starts with the fields so far, or is equal to them.
    fn query(&self, step: &Step) -> AccessPattern {
        let conditions = self.schema.conditions.get(step.fixed.len());
        let condition = conditions.map_or("", |all| match (step.complete, step.prefix.as_str()) {
            (true, _) => all.equals,
            (false, "") => all.all,
            (false, _) => all.begins_with,
        });
        let bounds = match (step.complete, step.prefix.as_str()) {
            (false, "") => vec![],
            (_, prefix) => vec![(":s", prefix)],
        };
        self.pattern(step, step.call.clone(), condition, &bounds)
    }

    /// The queries that bound the next field: by a range, and by what it starts with.
    fn bounded(
        &self,
        step: &Step,
        template: &Template,
        n: usize,
        part: &Part,
    ) -> Vec<AccessPattern> {
        let (conditions, sk) = (self.schema.conditions, self.schema.sk);
        let at = step.fixed.len();
        let (Some(conditions), Some(attribute)) = (conditions.get(at), sk.get(at)) else {
            return Vec::new();
        };
        let after = template.literal_before(n + 1);
        let more_follows = template.parts().count() > n + 1;
        let is_last = !more_follows && after.is_empty();
        let shape = part.shape.of_value();
        let is_text = is_last && matches!(shape, Shape::Text | Shape::Rest);
        let is_range = match part.shape {
            Shape::Digits(_) | Shape::Fixed(_) | Shape::Sized(_) => true,
            Shape::Opaque => attribute.kind == ScalarType::N,
            Shape::Text | Shape::Rest | Shape::Number(_) | Shape::OneOf(_) => is_text,
            Shape::Optional(_) => is_last && !matches!(shape, Shape::OneOf(_)),
        };
        if function(template, n).is_some() {
            return Vec::new();
        }
        let (name, prefix) = (argument(self.keys, part), &step.prefix);
        let name = name.trim_start_matches("r#");
        let range = is_range.then(|| {
            let call = format!("{}.{name}_range(low..=high)", step.call);
            // What starts with the greatest value is in the range too.
            let end = if more_follows { "\\u{10ffff}" } else { "" };
            let (low, high) = (
                format!("{prefix}<low>{after}"),
                format!("{prefix}<high>{after}{end}"),
            );
            self.pattern(
                step,
                call,
                conditions.between,
                &[(":s", &low), (":t", &high)],
            )
        });
        let start = is_text.then(|| {
            let call = format!("{}.{name}_starts_with(prefix)", step.call);
            let start = format!("{prefix}<prefix>");
            self.pattern(step, call, conditions.begins_with, &[(":s", &start)])
        });
        range.into_iter().chain(start).collect()
    }

    fn pattern(
        &self,
        step: &Step,
        call: String,
        condition: &str,
        bounds: &[(&str, &str)],
    ) -> AccessPattern {
        let pk = self.keys.pk.iter().enumerate().map(|(n, pk)| match n {
            0 => (":p".to_owned(), spelled(pk)),
            n => (format!(":p{n}"), spelled(pk)),
        });
        let fixed = step.fixed.iter().enumerate();
        let fixed = fixed.map(|(n, text)| (format!(":k{n}"), text.clone()));
        let bounds = bounds
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        AccessPattern {
            entity: self.entity.name,
            call,
            operation: "Query",
            index: (!self.schema.name.is_empty()).then_some(self.schema.name),
            condition: condition.to_owned(),
            values: pk.chain(fixed).chain(bounds).collect(),
        }
    }
}

/// A template without its formats: `MSG#<sent_ms>#<email|lower>`.
pub(crate) fn spelled(template: &Template) -> String {
    fill(template, |n, part| placeholder(template, n, part))
}

/// The key with these texts in the place of its placeholders.
pub(crate) fn fill(template: &Template, text: impl Fn(usize, &Part) -> String) -> String {
    let mut key = template.literal_before(0);
    for (n, part) in template.parts().enumerate() {
        key += &text(n, part);
        key += &template.literal_before(n + 1);
    }
    key
}

fn placeholder(template: &Template, n: usize, part: &Part) -> String {
    match function(template, n) {
        Some(function) => format!("<{}|{function}>", part.name),
        None => format!("<{}>", part.name),
    }
}

/// The fields of a key as the arguments of a function.
fn all_arguments(keys: &KeyTemplates) -> String {
    listed(parts(keys).map(|part| argument(keys, part)))
}

/// The fields of some templates of a key as the arguments of a function.
fn arguments(keys: &KeyTemplates, templates: &[Template]) -> String {
    let parts = templates.iter().flat_map(Template::parts);
    listed(parts.map(|part| argument(keys, part)))
}

/// A field of a nested struct is called like the field, or by its whole path if the key has another one of that name.
fn argument(keys: &KeyTemplates, part: &Part) -> String {
    let short = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let mut others = parts(keys).filter(|other| other.name != part.name);
    if others.any(|other| short(other.name) == short(part.name)) {
        return part.name.replace('.', "_");
    }
    identifier(short(part.name))
}

fn parts(keys: &KeyTemplates) -> impl Iterator<Item = &'static Part> {
    let templates = keys.pk.iter().chain(keys.sk);
    templates.flat_map(Template::parts)
}

/// Each once.
fn listed(arguments: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = Vec::new();
    for argument in arguments {
        if !names.contains(&argument) {
            names.push(argument);
        }
    }
    names.join(", ")
}

/// The function that placeholder `n` of a template goes through: `lower` of `<email|lower>`.
pub(crate) fn function(template: &Template, n: usize) -> Option<&'static str> {
    let literals = template.text.split("<<");
    let mut placeholders = literals.flat_map(|text| text.split('<').skip(1));
    let placeholder = placeholders.nth(n)?.split('>').next()?;
    placeholder.split_once('|').map(|(_, function)| function)
}

#[cfg(test)]
mod tests {
    use super::AccessPattern;

    /// Also where a value looks like a name.
    #[test]
    fn a_condition_says_what_its_values_are() {
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let pattern = AccessPattern {
            entity: "User",
            call: String::new(),
            operation: "Query",
            index: None,
            condition: "a = :p AND b = :p1 AND sk BETWEEN :s AND :t".to_owned(),
            values: vec![
                named(":p", "USER:s:<id>"),
                named(":p1", ":t"),
                named(":s", "<low>"),
                named(":t", "<high>"),
            ],
        };
        assert_eq!(
            pattern.means(),
            "a = USER:s:<id> AND b = :t AND sk BETWEEN <low> AND <high>"
        );
    }
}
