//! Templates to the model: what their placeholders refer to, and whether it may stand there. Each literal is parsed once, here.

use super::fields::RawField;
use super::names::QUERY_METHODS;
use super::types::{optional, refused_type};
use super::variants::Uncommon;
use crate::error::{Errors, did_you_mean};
use crate::model::{Key, Part, Piece, Role, Template};
use crate::template::{self, Format, Function, Placeholder, Problem};
use crate::tokens::LONGEST_NAME;
use syn::ext::IdentExt;
use syn::{Ident, LitStr};

/// Where a key is declared.
#[derive(Clone, Copy)]
pub(super) enum TemplateSite<'a> {
    Primary(&'a Ident),
    Index,
}

/// The most placeholders that one half of a key has: what the runtime has tuples for.
const MOST_PARTS: usize = 8;

/// What the placeholders of an entity can refer to.
pub(super) struct TemplateScope<'a> {
    pub(super) entity: &'a Ident,
    /// What its keys have between their fields, unless an index says something else.
    pub(super) delimiter: &'a str,
    pub(super) fields: &'a [RawField],
    /// The fields of an enum that not all variants have alike.
    pub(super) uncommon: &'a [Uncommon],
    pub(super) is_enum: bool,
}

/// A literal and what the grammar makes of it; nothing if that has been reported.
type ParsedTemplate<'l> = (&'l LitStr, Result<template::Template, Vec<Problem>>);

/// Where a placeholder is.
struct TemplatePosition<'a> {
    literal: &'a LitStr,
    delimiter: &'a str,
    role: Role,
    site: TemplateSite<'a>,
    /// The paths of all placeholders of the key: arguments are called by their last segments where these are unique.
    paths: &'a [Vec<String>],
    /// Whether it is the whole template: a number key can hold it.
    is_alone: bool,
}

impl TemplateScope<'_> {
    pub(super) fn key(
        &self,
        pk: &[LitStr],
        sk: &[LitStr],
        [pk_delimiter, sk_delimiter]: [&str; 2],
        site: TemplateSite<'_>,
        errors: &mut Errors,
    ) -> Option<Key> {
        let parse = |literal| (literal, template::parse(&LitStr::value(literal)));
        let parsed_pk: Vec<ParsedTemplate<'_>> = pk.iter().map(parse).collect();
        let parsed_sk: Vec<ParsedTemplate<'_>> = sk.iter().map(parse).collect();
        let parsed = parsed_pk.iter().chain(&parsed_sk);
        let parsed = parsed.filter_map(|(_, parsed)| parsed.as_ref().ok());
        let placeholders = parsed.flat_map(template::Template::placeholders);
        let paths: Vec<_> = placeholders.map(Placeholder::named).collect();
        if pk.is_empty() {
            no_partition_key(site, errors);
        }
        let pk = self.half(
            parsed_pk,
            pk_delimiter,
            Role::Partition,
            site,
            &paths,
            errors,
        );
        let sk = self.half(parsed_sk, sk_delimiter, Role::Sort, site, &paths, errors);
        let pk = pk.filter(|pk| !pk.is_empty())?;
        Some(Key { pk, sk: sk? })
    }

    /// The templates of the partition key or of the sort key.
    fn half(
        &self,
        parsed: Vec<ParsedTemplate<'_>>,
        delimiter: &str,
        role: Role,
        site: TemplateSite<'_>,
        paths: &[Vec<String>],
        errors: &mut Errors,
    ) -> Option<Vec<Template>> {
        let last = parsed.last().map(|(literal, _)| *literal);
        let templates = parsed.into_iter().map(|(literal, parsed)| {
            let is_alone = parsed.as_ref().is_ok_and(|it| it.pieces.len() == 1);
            let at = TemplatePosition {
                literal,
                delimiter,
                role,
                site,
                paths,
                is_alone,
            };
            self.template(&at, parsed, errors)
        });
        // Each may have errors of its own.
        let templates: Vec<_> = templates.collect();
        let templates = templates.into_iter().collect::<Option<Vec<_>>>()?;
        let parts = templates.iter().flat_map(Template::parts).count();
        let half = match role {
            Role::Partition => "a partition key",
            Role::Sort => "a sort key",
        };
        if let Some(last) = last.filter(|_| parts > MOST_PARTS) {
            errors.at(
                last,
                format_args!(
                    "{half} has at most {MOST_PARTS} placeholders, and this one has {parts}"
                ),
            );
            return None;
        }
        Some(templates)
    }

    fn template(
        &self,
        at: &TemplatePosition<'_>,
        parsed: Result<template::Template, Vec<Problem>>,
        errors: &mut Errors,
    ) -> Option<Template> {
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(problems) => {
                for problem in &problems {
                    errors.template(at.literal, problem);
                }
                return None;
            }
        };
        let mut fields = vec![Vec::new()];
        let mut complete = true;
        for piece in parsed.pieces {
            match piece {
                template::Piece::Literal(text) => split(&text, at.delimiter, &mut fields),
                template::Piece::Placeholder(placeholder) => {
                    let part = self.part(at, placeholder, errors);
                    complete &= part.is_some();
                    if let (Some(part), Some(field)) = (part, fields.last_mut()) {
                        field.push(Piece::Part(Box::new(part)));
                    }
                }
            }
        }
        let template = complete.then(|| Template {
            literal: at.literal.clone(),
            delimiter: at.delimiter.to_owned(),
            fields,
        })?;
        check_optional(&template, errors)?;
        Some(template)
    }

    fn part(
        &self,
        at: &TemplatePosition<'_>,
        placeholder: Placeholder,
        errors: &mut Errors,
    ) -> Option<Part> {
        if !placeholder.functions.is_empty() && (placeholder.format.is_some() || placeholder.rest) {
            let message = "a function is given the value itself, so it has no format".to_owned();
            let help =
                "remove the format, or write a function of your own that does both".to_owned();
            errors.template(at.literal, &problem(&placeholder, message, Some(help)));
            return None;
        }
        if matches!(at.site, TemplateSite::Primary(_)) {
            check_primary(at, &placeholder, errors)?;
        }
        if placeholder.optional && placeholder.functions.iter().any(Function::takes_value) {
            let message = "`?` cannot be combined with a function of your own".to_owned();
            let help =
                "let the function return `Option`, which leaves the item out, or remove the `?`"
                    .to_owned();
            errors.template(at.literal, &problem(&placeholder, message, Some(help)));
            return None;
        }
        if !placeholder.others.is_empty() {
            return self.several(at, &placeholder, errors);
        }
        let raw = self.field(at.literal, &placeholder, errors)?;
        check_field(at, &placeholder, raw, errors)?;
        if at.role == Role::Sort {
            check_order(at.literal, &placeholder, errors)?;
        }
        let fields = idents(at, &placeholder, raw, errors)?;
        let arg = argument(at, &placeholder, errors)?;
        let ty = raw.field.ty.clone();
        let lookup_ty = optional(&ty, at.site).filter(|_| fields.len() == 1);
        Some(Part {
            path: placeholder.path.join(".").replace("r#", ""),
            arg,
            lookup_ty: lookup_ty.cloned(),
            fields,
            ty,
            span: at.literal.span(),
            format: placeholder.format,
            functions: placeholder.functions,
            rest: placeholder.rest,
            or_empty: placeholder.optional,
            inputs: Vec::new(),
        })
    }

    /// A function of several fields.
    fn several(
        &self,
        at: &TemplatePosition<'_>,
        whole: &Placeholder,
        errors: &mut Errors,
    ) -> Option<Part> {
        let paths = std::iter::once(&whole.path).chain(&whole.others);
        let inputs = paths.map(|path| {
            let one = Placeholder {
                path: path.clone(),
                others: Vec::new(),
                ..whole.clone()
            };
            let raw = self.field(at.literal, &one, errors)?;
            check_field(at, &one, raw, errors)?;
            Some(Part {
                path: path.join(".").replace("r#", ""),
                arg: syn::parse_str(&path.join("_").replace("_r#", "_")).ok()?,
                fields: idents(at, &one, raw, errors)?,
                functions: Vec::new(),
                ..Part::of_field(&raw.field, at.literal.span())
            })
        });
        let inputs: Vec<_> = inputs.collect();
        let inputs = inputs.into_iter().collect::<Option<Vec<_>>>()?;
        let arg = argument(at, whole, errors)?;
        let names: Vec<_> = inputs.iter().map(|input| input.path.as_str()).collect();
        Some(Part {
            path: format!("{}({})", arg.unraw(), names.join(", ")),
            arg,
            functions: whole.functions.clone(),
            span: at.literal.span(),
            inputs: inputs.clone(),
            ..inputs.into_iter().next()?
        })
    }

    fn field(
        &self,
        literal: &LitStr,
        placeholder: &Placeholder,
        errors: &mut Errors,
    ) -> Option<&RawField> {
        let name = placeholder.path.first()?;
        let found = self
            .fields
            .iter()
            .find(|raw| raw.field.ident == name.as_str());
        if found.is_none() && (self.is_enum || !self.fields.is_empty()) {
            let names: Vec<String> = self
                .fields
                .iter()
                .map(|raw| raw.field.ident.to_string())
                .collect();
            let by_attribute = self.fields.iter().find(|raw| raw.field.attribute == *name);
            let hint = match by_attribute {
                Some(raw) => format!(
                    "; templates name the field, `{}`, not its attribute",
                    raw.field.ident
                ),
                None => did_you_mean(name, names.iter().map(String::as_str)),
            };
            let at = placeholder.path_at.start..placeholder.path_at.start + name.len();
            let (message, help) = match self.uncommon(name) {
                Some((message, help)) => (message, Some(help)),
                None => (
                    format!("`{}` has no field `{name}`{hint}", self.entity),
                    None,
                ),
            };
            errors.template(literal, &Problem { message, help, at });
        }
        found
    }

    /// What is wrong with a field that not all variants have alike, and what to do.
    pub(super) fn uncommon(&self, name: &str) -> Option<(String, String)> {
        let mut fields = self.uncommon.iter();
        let found = fields.find(|other| other.name == name.trim_start_matches("r#"))?;
        let message = format!(
            "a key uses fields that every variant of `{}` has in the same form, and {}",
            self.entity, found.why
        );
        let help = "give every variant the field, with the same type and attributes";
        Some((message, help.to_owned()))
    }
}

/// Appends a literal, starting a new field at each delimiter.
fn split(text: &str, delimiter: &str, fields: &mut Vec<Vec<Piece>>) {
    for (at, text) in text.split(delimiter).enumerate() {
        if at > 0 {
            fields.push(Vec::new());
        }
        if let (false, Some(field)) = (text.is_empty(), fields.last_mut()) {
            field.push(Piece::Literal(text.to_owned()));
        }
    }
}

fn no_partition_key(site: TemplateSite<'_>, errors: &mut Errors) {
    match site {
        // A misspelled option has been reported.
        TemplateSite::Primary(entity) if errors.is_empty() => errors.help(
            entity,
            format_args!("`{entity}` has no partition key"),
            "write `#[dyna(pk = \"..\")]`, such as `pk = \"USER#<user_id>\"`",
        ),
        // An index without one has that of the table.
        TemplateSite::Primary(_) | TemplateSite::Index => {}
    }
}

/// The field of a placeholder, and those inside of it.
fn idents(
    at: &TemplatePosition<'_>,
    placeholder: &Placeholder,
    raw: &RawField,
    errors: &mut Errors,
) -> Option<Vec<Ident>> {
    let mut idents = vec![raw.field.ident.clone()];
    for segment in placeholder.path.iter().skip(1) {
        let Ok(ident) = syn::parse_str::<Ident>(segment) else {
            let message = format!("`{segment}` is no field name");
            errors.template(at.literal, &problem(placeholder, message, None));
            return None;
        };
        if segment.chars().count() > LONGEST_NAME {
            let message = format!("`{segment}` is too long for a nested field of a template");
            let help = format!("rename it: at most {LONGEST_NAME} characters");
            errors.template(at.literal, &problem(placeholder, message, Some(help)));
            return None;
        }
        idents.push(ident);
    }
    Some(idents)
}

/// What the argument for a placeholder is called, among those of all placeholders of its key.
pub(super) fn arg_name(path: &[String], paths: &[Vec<String>]) -> Option<Ident> {
    let mut others = paths.iter();
    let is_unique = others.all(|other| other.last() != path.last() || other == path);
    let arg = if is_unique {
        path.last()?.clone()
    } else {
        path.join("_").replace("r#", "")
    };
    syn::parse_str(&arg).ok()
}

/// What the argument for a placeholder is called, and the step if it is in a sort key.
fn argument(
    at: &TemplatePosition<'_>,
    placeholder: &Placeholder,
    errors: &mut Errors,
) -> Option<Ident> {
    let arg = arg_name(&placeholder.named(), at.paths)?;
    if at.role == Role::Sort && QUERY_METHODS.contains(&arg.unraw().to_string().as_str()) {
        let message = format!(
            "a sort-key field cannot be called `{arg}`: queries have, or will have, a method of that name"
        );
        let help =
            format!("rename the field and keep its attribute: `#[serde(rename = \"{arg}\")]`");
        errors.template(at.literal, &problem(placeholder, message, Some(help)));
        return None;
    }
    Some(arg)
}

/// A primary key has all of its fields, one for each placeholder.
fn check_primary(
    at: &TemplatePosition<'_>,
    placeholder: &Placeholder,
    errors: &mut Errors,
) -> Option<()> {
    let (message, help) = if placeholder.optional {
        (
            "a primary key always has a value, so it has no `?`",
            "remove the `?`, or use it in an index",
        )
    } else if placeholder.others.is_empty() {
        return Some(());
    } else {
        (
            "a function of several fields is only allowed in an index: a primary key must be computable from the arguments of `get`",
            "give the function one field",
        )
    };
    errors.template(
        at.literal,
        &problem(placeholder, message.to_owned(), Some(help.to_owned())),
    );
    None
}

/// What may be empty is followed by a delimiter or by nothing, and is not the whole key.
fn check_optional(template: &Template, errors: &mut Errors) -> Option<()> {
    let is_optional = |piece: &Piece| matches!(piece, Piece::Part(part) if part.or_empty);
    let mut fields = template.fields.iter();
    let is_inside = fields.any(|field| field.iter().rev().skip(1).any(is_optional));
    let (message, help) = if is_inside {
        (
            "a placeholder with `?` may be empty, so a delimiter or nothing follows it",
            "move it to the end, or put the delimiter after it",
        )
    } else if matches!(template.fields.as_slice(), [field] if field.iter().all(is_optional)) {
        (
            "this key would be empty for `None`, and DynamoDB does not allow an empty key",
            "put text before it, such as `CITY#<city?>`; without the `?`, the item is left out of the index",
        )
    } else {
        return Some(());
    };
    errors.help(&template.literal, message, help);
    None
}

fn check_order(literal: &LitStr, placeholder: &Placeholder, errors: &mut Errors) -> Option<()> {
    if placeholder.format.as_ref().is_none_or(Format::keeps_order) {
        return Some(());
    }
    let message = "in a sort key this layout would not sort by time".to_owned();
    let help = "write the largest unit first, such as `%Y-%m-%d`".to_owned();
    errors.template(literal, &problem(placeholder, message, Some(help)));
    None
}

fn problem(placeholder: &Placeholder, message: String, help: Option<String>) -> Problem {
    Problem {
        message,
        help,
        at: placeholder.at.clone(),
    }
}

/// What can be said of the field without its type; the type answers through traits.
fn check_field(
    at: &TemplatePosition<'_>,
    placeholder: &Placeholder,
    raw: &RawField,
    errors: &mut Errors,
) -> Option<()> {
    let name = &raw.field.ident;
    let (message, help) = if raw.flatten {
        (
            format!("`{name}` is flattened, so it has no attribute of its own"),
            None,
        )
    } else if raw.skip.is_some() {
        let help =
            "mark it `#[dyna(key_only)]` instead of `#[serde(skip)]`: it is then read from the key";
        (
            format!("`{name}` is skipped by serde, so it would be lost when the item is read"),
            Some(help.to_owned()),
        )
    } else if placeholder.path.len() > 1
        && let Some(with) = raw.with.as_ref().filter(|_| raw.field.serialize.is_some())
    {
        let help = "make the value a field of its own, or remove `with` from the struct";
        (
            format!("`{name}` is stored by `{with}`, in a form whose fields are not known"),
            Some(help.to_owned()),
        )
    } else if placeholder.path.len() == 1
        && let Some((why, help)) = refused_type(&raw.field.ty, at.site, at.is_alone)
        && placeholder.functions.is_empty()
    {
        let help = help.replace("{}", &name.to_string());
        errors.help(
            &raw.field.ty,
            format_args!("`{name}` is part of {why}"),
            help,
        );
        return None;
    } else {
        return Some(());
    };
    errors.template(at.literal, &problem(placeholder, message, help));
    None
}
