//! What `#[serde(..)]` says of attribute names, so that they have one source. Everything else is serde's own business.

use crate::error::Errors;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, ExprPath, Ident, LitStr, Token, parenthesized};

/// `#[serde(..)]` of a struct, an enum, a field or a variant.
#[derive(Default)]
pub(crate) struct SerdeAttr {
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<Case>,
    /// `rename_all` of the fields of all variants.
    pub(crate) rename_all_fields: Option<Case>,
    pub(crate) skip: Option<Skip>,
    /// The function of `skip_serializing_if`.
    pub(crate) skip_if: Option<ExprPath>,
    /// Whether a field that is not stored has a value all the same.
    pub(crate) default: Option<Ident>,
    /// Whether that is what a function gives.
    pub(crate) default_by_function: bool,
    pub(crate) flatten: bool,
    /// Other names that the field is read under.
    pub(crate) aliases: Vec<String>,
    /// `with`, `serialize_with` or `deserialize_with`.
    pub(crate) with: Option<Ident>,
    /// The module of `with`.
    pub(crate) module: Option<ExprPath>,
    /// The function that writes the field: `serialize` of `with`, or `serialize_with`.
    pub(crate) serialize: Option<ExprPath>,
    /// The function that reads the field: `deserialize` of `with`, or `deserialize_with`.
    pub(crate) deserialize: Option<ExprPath>,
    pub(crate) deny_unknown_fields: bool,
    /// `transparent`, `into`, `from`, `try_from`, `tag` or `remote` of a struct: it is not stored field by field. `tag` gives way.
    pub(crate) other_form: Option<Ident>,
    /// The attribute that says which variant of an enum is stored.
    pub(crate) tag: Option<String>,
    /// `content` or `untagged` of an enum, or `untagged` of a variant: its fields are not stored beside the tag.
    pub(crate) apart: Option<Ident>,
}

/// What serde does not do with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    Writing,
    Reading,
    Both,
}

impl SerdeAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            // What serde does not understand, it says itself.
            let _ = attr.parse_args_with(|input: ParseStream<'_>| this.options(input, errors));
        }
        this
    }

    fn options(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            match key.to_string().as_str() {
                "rename" => self.rename = names(&key, input, errors)?.or(self.rename.take()),
                "rename_all" => {
                    let case = names(&key, input, errors)?;
                    self.rename_all = case.and_then(|case| Case::of(&case)).or(self.rename_all);
                }
                "rename_all_fields" => {
                    let case = names(&key, input, errors)?.and_then(|case| Case::of(&case));
                    self.rename_all_fields = case.or(self.rename_all_fields);
                }
                "skip" | "skip_serializing" | "skip_deserializing" => {
                    let skip = match key.to_string().as_str() {
                        "skip_serializing" => Skip::Writing,
                        "skip_deserializing" => Skip::Reading,
                        _ => Skip::Both,
                    };
                    let is_other = |before: Skip| before != skip;
                    self.skip = Some(if self.skip.is_some_and(is_other) {
                        Skip::Both
                    } else {
                        skip
                    });
                }
                "skip_serializing_if" => {
                    input.parse::<Token![=]>()?;
                    self.skip_if = Some(input.parse::<LitStr>()?.parse()?);
                }
                "default" => {
                    self.default_by_function |= input.peek(Token![=]);
                    self.default = Some(key);
                }
                "alias" => {
                    input.parse::<Token![=]>()?;
                    self.aliases.push(input.parse::<LitStr>()?.value());
                }
                "flatten" => self.flatten = true,
                "with" | "serialize_with" | "deserialize_with" => {
                    let (path, (serialize, deserialize)) = functions(&key, input)?;
                    self.module = (key == "with").then_some(path).or(self.module.take());
                    self.serialize = serialize.or(self.serialize.take());
                    self.deserialize = deserialize.or(self.deserialize.take());
                    self.with = Some(key);
                }
                "deny_unknown_fields" => self.deny_unknown_fields = true,
                "tag" => {
                    input.parse::<Token![=]>()?;
                    self.tag = Some(input.parse::<LitStr>()?.value());
                    self.other_form.get_or_insert(key);
                }
                "transparent" | "into" | "from" | "try_from" | "remote" => {
                    self.other_form = Some(key);
                }
                "content" | "untagged" => self.apart = Some(key),
                _ => {}
            }
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}

/// `= "path"`: the path, and the functions that write and read the field, as far as this says so.
fn functions(key: &Ident, input: ParseStream<'_>) -> syn::Result<(ExprPath, Functions)> {
    input.parse::<Token![=]>()?;
    let path: ExprPath = input.parse::<LitStr>()?.parse()?;
    let inside = |name| {
        let mut path = path.clone();
        let function = Ident::new(name, key.span());
        path.path.segments.push(function.into());
        Some(path)
    };
    let functions = match key.to_string().as_str() {
        "serialize_with" => (Some(path.clone()), None),
        "deserialize_with" => (None, Some(path.clone())),
        _ => (inside("serialize"), inside("deserialize")),
    };
    Ok((path, functions))
}

/// What writes a field, and what reads it.
type Functions = (Option<ExprPath>, Option<ExprPath>);

/// `= "name"`, or `(serialize = "name", deserialize = "name")` with one name.
fn names(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<String>> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return input.parse::<LitStr>().map(|name| Some(name.value()));
    }
    let content;
    parenthesized!(content in input);
    let mut names = Vec::new();
    while !content.is_empty() {
        content.call(Ident::parse_any)?;
        content.parse::<Token![=]>()?;
        names.push(content.parse::<LitStr>()?.value());
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    if names.len() != 2 || names[0] != names[1] {
        errors.help(
            key,
            "an item is read under the name it is written with",
            format_args!("give both directions one name: `{key} = \"..\"`"),
        );
    }
    Ok(names.pop())
}

/// The cases of `rename_all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// A field, which is in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => uncapitalized(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// A variant, which is in Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => uncapitalized(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// `by_email` to `ByEmail`.
fn pascal(name: &str) -> String {
    let mut capital = true;
    name.chars()
        .filter_map(|c| {
            let upper = std::mem::take(&mut capital);
            match c {
                '_' => {
                    capital = true;
                    None
                }
                c if upper => Some(c.to_ascii_uppercase()),
                c => Some(c),
            }
        })
        .collect()
}

fn uncapitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars
        .next()
        .map(|first| first.to_ascii_lowercase().to_string() + chars.as_str())
        .unwrap_or_default()
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Case;

    /// As serde's own documentation has it.
    #[test]
    fn cases_are_those_of_serde() {
        let table = [
            ("lowercase", "sent_at", "verytasty"),
            ("UPPERCASE", "SENT_AT", "VERYTASTY"),
            ("PascalCase", "SentAt", "VeryTasty"),
            ("camelCase", "sentAt", "veryTasty"),
            ("snake_case", "sent_at", "very_tasty"),
            ("SCREAMING_SNAKE_CASE", "SENT_AT", "VERY_TASTY"),
            ("kebab-case", "sent-at", "very-tasty"),
            ("SCREAMING-KEBAB-CASE", "SENT-AT", "VERY-TASTY"),
        ];
        for (name, field, variant) in table {
            let case = Case::of(name).unwrap();
            assert_eq!(case.field("sent_at"), field);
            assert_eq!(case.variant("VeryTasty"), variant);
        }
    }
}
