//! What can be asked by key: read from the templates, as the derives make functions of them.

use crate::entity::{EntityMeta, KeyTemplates};
use crate::schema::{IndexSchema, Kind};
use crate::shape::{Part, Shape, Template};

/// A request by key that an entity has a function for. Values are templates: `CHANNEL#<channel_id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessPattern {
    /// The entity it yields.
    pub entity: &'static str,
    /// How it is written: `Message::query(channel_id).sent_ms_range(..)`.
    pub call: String,
    /// `GetItem` or `Query`.
    pub operation: &'static str,
    /// The index that is asked; `None` for the table.
    pub index: Option<&'static str>,
    /// The condition on the key.
    pub condition: String,
    /// What the placeholders of the condition stand for.
    pub values: Vec<(String, String)>,
}

impl AccessPattern {
    /// All patterns of an entity: `get`, then the queries of its key and of its indexes.
    pub(super) fn of(entity: &'static EntityMeta) -> Vec<Self> {
        let mut patterns = vec![get(entity)];
        let own = Space {
            entity,
            accessor: "query",
            schema: &entity.schema.key,
            keys: &entity.key,
        };
        if own.keys.sk.iter().any(|sk| sk.parts().next().is_some()) {
            own.queries(&mut patterns);
        }
        for index in entity.indexes {
            let space = Space {
                entity,
                accessor: index.accessor,
                schema: index.schema,
                keys: &index.keys,
            };
            space.queries(&mut patterns);
        }
        patterns
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
        call: format!(
            "{}::get({})",
            entity.name,
            arguments(entity.key.pk.iter().chain(entity.key.sk))
        ),
        operation: "GetItem",
        index: None,
        condition: conditions.join(" AND "),
        values: values
            .map(|(value, (_, text))| (value.to_owned(), text.clone()))
            .collect(),
    }
}

/// A key of an entity that can be queried.
struct Space {
    entity: &'static EntityMeta,
    accessor: &'static str,
    schema: &'static IndexSchema,
    keys: &'static KeyTemplates,
}

/// Where the steps over the sort key have come to.
struct Step {
    call: String,
    /// The attributes of the sort key that are fixed as a whole, with another one after them.
    fixed: Vec<String>,
    /// The next one, up to its next field.
    prefix: String,
    /// Whether that is all of it.
    complete: bool,
}

impl Space {
    fn queries(&self, out: &mut Vec<AccessPattern>) {
        let mut step = Step {
            call: format!(
                "{}::{}({})",
                self.entity.name,
                self.accessor,
                arguments(self.keys.pk.iter())
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
            out.extend(self.bounded(&step, template, n, &part));
            self.fix(&mut step, template, n, &part);
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
            template.literals_after(None, &mut step.prefix);
            step.complete = template.parts().next().is_none();
            if !self.goes_on(step) {
                return;
            }
            step.fixed.push(step.prefix.clone());
        }
    }

    /// Fixes field `n` of an attribute.
    fn fix(&self, step: &mut Step, template: &Template, n: usize, part: &Part) {
        step.call += &format!(".{0}({0})", argument(template, part));
        step.prefix += &format!("<{}>", part.name);
        template.literals_after(Some(n), &mut step.prefix);
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

    /// The query of a range of the next field, or of those that start with a text.
    fn bounded(
        &self,
        step: &Step,
        template: &Template,
        n: usize,
        part: &Part,
    ) -> Option<AccessPattern> {
        let last = template.parts().count() == n + 1 && template.text.ends_with('>');
        let conditions = self.schema.conditions.get(step.fixed.len())?;
        let attribute = self.schema.sk.get(step.fixed.len())?;
        if has_function(template, n) {
            return None;
        }
        let (name, prefix) = (argument(template, part), &step.prefix);
        match part.shape {
            Shape::Text if last => {
                let call = format!("{}.{name}_starts_with(..)", step.call);
                let start = format!("{prefix}<start of {}>", part.name);
                let bounds = [(":s", start.as_str())];
                Some(self.pattern(step, call, conditions.begins_with, &bounds))
            }
            Shape::Opaque if attribute.kind != Kind::N => None,
            Shape::Digits(_) | Shape::Fixed(_) | Shape::Opaque => {
                let call = format!("{}.{name}_range(..)", step.call);
                let end = |end: &str| format!("{prefix}<{end} {}>", part.name);
                let (low, high) = (end("least"), end("greatest"));
                let bounds = [(":s", low.as_str()), (":t", high.as_str())];
                Some(self.pattern(step, call, conditions.between, &bounds))
            }
            _ => None,
        }
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

/// A template without its formats and functions: `MSG#<sent_ms>#<id>`.
pub(super) fn spelled(template: &Template) -> String {
    template.fill(|part| format!("<{}>", part.name))
}

/// The fields of templates as the arguments of a function, each once.
fn arguments<'t>(templates: impl Iterator<Item = &'t Template>) -> String {
    let mut arguments: Vec<String> = Vec::new();
    for template in templates {
        for part in template.parts() {
            let argument = argument(template, &part);
            if !arguments.contains(&argument) {
                arguments.push(argument);
            }
        }
    }
    arguments.join(", ")
}

/// A field of a nested struct is called like the field, or by its whole path if the template has another one of that name.
fn argument(template: &Template, part: &Part) -> String {
    let short = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let mut others = template.parts().filter(|other| other.name != part.name);
    if others.any(|other| short(other.name) == short(part.name)) {
        return part.name.replace('.', "_");
    }
    short(part.name).to_owned()
}

/// Whether placeholder `n` of a template goes through a function.
fn has_function(template: &Template, n: usize) -> bool {
    let text = template.text.replace("<<", "");
    let mut placeholders = text.split('<').skip(1);
    let placeholder = placeholders.nth(n);
    placeholder.is_some_and(|text| text.split('>').next().unwrap_or(text).contains('|'))
}
