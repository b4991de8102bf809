//! Templates to the model: what their placeholders refer to, and whether it may stand there.

use super::fields::RawField;
use super::names::QUERY_METHODS;
use super::types::{optional, refused_type};
use crate::error::{Errors, did_you_mean};
use crate::expand::stored_name;
use crate::model::{Key, Part, Piece, Role, Template, const_name};
use crate::template::{self, Format, Placeholder, Problem};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Path};

/// Where a key is declared.
#[derive(Clone, Copy)]
pub(super) enum TemplateSite<'a> {
    Primary(&'a Ident),
    Index(&'a Ident),
}

/// The most placeholders that one half of a key has: what the runtime has tuples for.
const MOST_PARTS: usize = 8;

/// What the placeholders of an entity can refer to.
pub(super) struct TemplateScope<'a> {
    pub(super) entity: &'a Ident,
    pub(super) krate: &'a Path,
    pub(super) delimiter: u8,
    pub(super) fields: &'a [RawField],
}

impl TemplateScope<'_> {
    pub(super) fn key(
        &self,
        pk: &[LitStr],
        sk: &[LitStr],
        place: TemplateSite<'_>,
        errors: &mut Errors,
    ) -> Option<Key> {
        let names: Vec<_> = pk.iter().chain(sk).flat_map(names).collect();
        if pk.is_empty() {
            match place {
                // A misspelled option has been reported.
                _ if !errors.is_empty() => {}
                TemplateSite::Primary(entity) => errors.help(
                    entity,
                    format_args!("`{entity}` has no partition key"),
                    "write `#[dyna(pk = \"..\")]`, such as `pk = \"USER#<user_id>\"`",
                ),
                TemplateSite::Index(index) => errors.help(
                    index,
                    format_args!("index `{index}` has no partition key"),
                    format_args!(
                        "write `{index}(pk = \"..\")`, such as `{index}(pk = \"EMAIL#<email>\")`"
                    ),
                ),
            }
        }
        let mut all = |literals: &[LitStr], role| {
            let templates: Vec<_> = literals
                .iter()
                .map(|literal| self.template(literal, role, place, &names, errors))
                .collect();
            // Each may have errors of its own.
            let templates = templates.into_iter().collect::<Option<Vec<_>>>()?;
            let parts = templates.iter().flat_map(Template::parts).count();
            match literals.last() {
                Some(last) if parts > MOST_PARTS => {
                    let half = match role {
                        Role::Partition => "a partition key",
                        Role::Sort => "a sort key",
                    };
                    errors.at(
                        last,
                        format_args!(
                            "{half} has at most {MOST_PARTS} placeholders, and this one has {parts}"
                        ),
                    );
                    None
                }
                _ => Some(templates),
            }
        };
        let (parsed, sk) = (all(pk, Role::Partition), all(sk, Role::Sort));
        let pk = parsed.filter(|_| !pk.is_empty())?;
        Some(Key { pk, sk: sk? })
    }

    fn template(
        &self,
        literal: &LitStr,
        role: Role,
        place: TemplateSite<'_>,
        names: &[(String, String)],
        errors: &mut Errors,
    ) -> Option<Template> {
        let parsed = match template::parse(&literal.value()) {
            Ok(parsed) => parsed,
            Err(problems) => {
                for problem in &problems {
                    errors.template(literal, problem);
                }
                return None;
            }
        };
        let mut fields = vec![Vec::new()];
        let mut complete = true;
        for piece in parsed.pieces {
            match piece {
                template::Piece::Literal(text) => self.split(&text, &mut fields),
                template::Piece::Placeholder(placeholder) => {
                    let part = self.part(literal, &placeholder, names, role, place, errors);
                    complete &= part.is_some();
                    if let (Some(part), Some(field)) = (part, fields.last_mut()) {
                        field.push(Piece::Part(Box::new(part)));
                    }
                }
            }
        }
        complete.then(|| Template {
            literal: literal.clone(),
            fields,
        })
    }

    /// Appends a literal, starting a new field at each delimiter.
    fn split(&self, text: &str, fields: &mut Vec<Vec<Piece>>) {
        for (at, text) in text.split(char::from(self.delimiter)).enumerate() {
            if at > 0 {
                fields.push(Vec::new());
            }
            if let (false, Some(field)) = (text.is_empty(), fields.last_mut()) {
                field.push(Piece::Literal(text.to_owned()));
            }
        }
    }

    fn part(
        &self,
        literal: &LitStr,
        placeholder: &Placeholder,
        names: &[(String, String)],
        role: Role,
        place: TemplateSite<'_>,
        errors: &mut Errors,
    ) -> Option<Part> {
        if placeholder.function.is_some() && (placeholder.format.is_some() || placeholder.rest) {
            let message = "a function is given the value itself, so it has no format".to_owned();
            let help =
                "remove the format, or write a function of your own that does both".to_owned();
            errors.template(literal, &problem(placeholder, message, Some(help)));
            return None;
        }
        let field = self.field(literal, placeholder, errors)?;
        check_field(literal, placeholder, field, place, errors)?;
        if role == Role::Sort {
            check_order(literal, placeholder, errors)?;
        }
        let mut access = TokenStream::new();
        let constant = const_name(&field.field.ident);
        let entity = self.entity;
        let mut path_field = quote!(#entity::#constant);
        let mut stored = stored_name(&field.field);
        let mut ty = field.field.ty.to_token_stream();
        let mut arg_ty = optional(&field.field.ty, place).to_token_stream();
        for (at, segment) in placeholder.path.iter().enumerate() {
            let Ok(ident) = syn::parse_str::<Ident>(segment) else {
                errors.template(
                    literal,
                    &problem(placeholder, format!("`{segment}` is no field name"), None),
                );
                return None;
            };
            if at > 0 {
                if segment.chars().count() > tokens::LONGEST_NAME {
                    let message =
                        format!("`{segment}` is too long for a nested field of a template");
                    let help = format!("rename it: at most {} characters", tokens::LONGEST_NAME);
                    errors.template(literal, &problem(placeholder, message, Some(help)));
                    return None;
                }
                let krate = self.krate;
                let span = field.field.ty.span();
                let rt = tokens::moved(quote!(#krate::__private), span);
                let name = tokens::name(&rt, &ident.unraw().to_string(), span);
                let span = tokens::located(span);
                let constant = const_name(&ident);
                path_field.extend(quote_spanned!(span=> .then(<#ty>::#constant)));
                stored.extend(quote_spanned!(span=> , <#ty as #rt::HasField<#name>>::NAME));
                ty = quote_spanned!(span=> <#ty as #rt::HasField<#name>>::Type);
                arg_ty = ty.clone();
                access.extend(quote!(.));
            }
            access.extend(tokens::moved(ident.to_token_stream(), literal.span()));
        }
        let path = placeholder.path.join(".").replace("r#", "");
        let short = last(&placeholder.path);
        let unique = names
            .iter()
            .all(|(other, name)| *name != short || *other == placeholder.path.join("."));
        let arg = if unique {
            short
        } else {
            path.replace('.', "_")
        };
        let arg = syn::parse_str::<Ident>(&arg).ok()?;
        if role == Role::Sort && QUERY_METHODS.contains(&arg.unraw().to_string().as_str()) {
            let message = format!(
                "a sort-key field cannot be called `{arg}`: queries have, or will have, a method of that name"
            );
            let help =
                format!("rename the field and keep its attribute: `#[serde(rename = \"{arg}\")]`");
            errors.template(literal, &problem(placeholder, message, Some(help)));
            return None;
        }
        let Placeholder {
            format,
            function,
            rest,
            ..
        } = placeholder.clone();
        Some(Part {
            path,
            arg,
            access,
            field: path_field,
            names: stored,
            ty,
            arg_ty,
            format,
            function,
            rest,
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
        if found.is_none() && !self.fields.is_empty() {
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
            let message = format!("`{}` has no field `{name}`{hint}", self.entity);
            errors.template(
                literal,
                &Problem {
                    message,
                    help: None,
                    at,
                },
            );
        }
        found
    }
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

fn last(path: &[String]) -> String {
    path.last().cloned().unwrap_or_default()
}

/// All paths of a template with their last segments: arguments have these names where they are unique.
fn names(literal: &LitStr) -> Vec<(String, String)> {
    let parsed = template::parse(&literal.value()).ok();
    let placeholders = parsed.iter().flat_map(template::Template::placeholders);
    placeholders
        .map(|placeholder| (placeholder.path.join("."), last(&placeholder.path)))
        .collect()
}

/// What can be said of the field without its type; the type answers through traits.
fn check_field(
    literal: &LitStr,
    placeholder: &Placeholder,
    raw: &RawField,
    place: TemplateSite<'_>,
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
        && let Some((why, help)) = refused_type(&raw.field.ty, place)
        && placeholder.function.is_none()
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
    errors.template(literal, &problem(placeholder, message, help));
    None
}
