//! Raw attributes to the model: small checks, each of which reports and goes on.

use crate::attr::{EntityAttr, FieldAttr, IndexUse, TableRef};
use crate::error::{Errors, did_you_mean};
use crate::model::{Entity, Field, Index, Key, Part, Piece, Role, Template};
use crate::serde_attr::SerdeAttr;
use crate::template::{self, Format, Function, LayoutItem, Placeholder, Problem};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Path, Type, parse_quote};

const ONE_STRUCT: &str = "an entity is a struct with named fields";

/// Names of `Query`'s own methods, and of the prelude's: a sort-key field of this name could not be reached.
const QUERY_METHODS: &[&str] = &[
    "after",
    "all",
    "before",
    "clone",
    "clone_into",
    "consistent",
    "count",
    "deref",
    "explain",
    "filter",
    "first",
    "into",
    "limit",
    "live",
    "newest_first",
    "one",
    "page_size",
    "prefetch",
    "project",
    "send",
    "stream",
    "to_owned",
    "try_into",
];

/// Names of the functions that every entity has.
const ENTITY_FUNCTIONS: &[&str] = &[
    "create",
    "delete",
    "get",
    "key",
    "parse_key",
    "put",
    "query",
    "scan",
    "update",
    "upsert",
];

/// The entity, or all that is wrong with it.
pub(crate) fn entity(input: &DeriveInput) -> Result<Entity, Errors> {
    let mut errors = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut errors);
    let serde = SerdeAttr::parse(&input.attrs, &mut errors);
    let krate = krate(attr.krate.get());
    check_generics(input, &mut errors);
    let fields = fields(input, &serde, &mut errors);
    let delimiter = delimiter(attr.delimiter.get(), &mut errors);
    let table = table(input, &attr, &mut errors);
    let scope = Scope {
        entity: &input.ident,
        krate: &krate,
        delimiter,
        fields: fields.as_deref().unwrap_or_default(),
    };
    let key = scope.key(
        attr.pk.get(),
        attr.sk.get(),
        Place::Primary(&input.ident),
        &mut errors,
    );
    let indexes = indexes(&scope, &attr.indexes, &mut errors);
    if let Some(fields) = &fields {
        check_key_only(fields, key.as_ref(), &mut errors);
        check_attributes(fields, &mut errors);
    }
    if let Some(key) = &key {
        check_lossy(key, &mut errors);
    }
    if let Some(form) = &serde.other_form {
        errors.help(
            form,
            format_args!("an entity is stored field by field, and `{form}` stores another form"),
            "remove it from the struct",
        );
    }
    match (key, table, fields, errors.is_empty()) {
        (Some(key), Some(table), Some(fields), true) => Ok(Entity {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            table,
            tag: attr
                .tag
                .get()
                .map_or_else(|| input.ident.unraw().to_string(), LitStr::value),
            delimiter,
            key,
            indexes,
            sees_unknown: serde.deny_unknown_fields || fields.iter().any(|field| field.flatten),
            fields: fields.into_iter().filter_map(RawField::stored).collect(),
            krate,
        }),
        _ => Err(errors),
    }
}

/// A field as it is written, with what serde says of it.
pub(crate) struct RawField {
    field: Field,
    key_only: Option<Ident>,
    skip: bool,
    flatten: bool,
    with: Option<Ident>,
}

impl RawField {
    /// The field, if it has an attribute of its own.
    pub(crate) fn stored(self) -> Option<Field> {
        (!self.skip && !self.flatten).then_some(self.field)
    }
}

fn check_generics(input: &DeriveInput, errors: &mut Errors) {
    if !input.generics.params.is_empty() {
        errors.help(
            &input.generics,
            format_args!(
                "`{}` is generic, and an entity is one type of item",
                input.ident
            ),
            "write an entity for each type, or make the generic part a field",
        );
    }
}

fn fields(input: &DeriveInput, serde: &SerdeAttr, errors: &mut Errors) -> Option<Vec<RawField>> {
    let what = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                return Some(
                    fields
                        .named
                        .iter()
                        .filter_map(|field| {
                            let dyna = FieldAttr::parse(&field.attrs, errors);
                            raw_field(field, serde, dyna, errors)
                        })
                        .collect(),
                );
            }
            Fields::Unnamed(_) => "a tuple struct",
            Fields::Unit => "a unit struct",
        },
        Data::Enum(_) => "an enum",
        Data::Union(_) => "a union",
    };
    let help = match &input.data {
        Data::Enum(_) => "an enum of entities is a table: derive `DynaTable` on it",
        _ => "name the fields: templates refer to them as `<field>`",
    };
    errors.help(
        &input.ident,
        format_args!("{ONE_STRUCT}, and `{}` is {what}", input.ident),
        help,
    );
    None
}

/// The field with what its attributes say: `dyna` is the one of ours.
pub(crate) fn raw_field(
    field: &syn::Field,
    container: &SerdeAttr,
    dyna: FieldAttr,
    errors: &mut Errors,
) -> Option<RawField> {
    let ident = field.ident.clone()?;
    let serde = SerdeAttr::parse(&field.attrs, errors);
    let name = ident.unraw().to_string();
    let attribute = serde.rename.unwrap_or_else(|| {
        container
            .rename_all
            .map_or_else(|| name.clone(), |case| case.field(&name))
    });
    Some(RawField {
        field: Field {
            ident,
            vis: field.vis.clone(),
            ty: field.ty.clone(),
            attribute,
            key_only: dyna.key_only.is_some(),
            serialize: serde.serialize,
        },
        key_only: dyna.key_only,
        skip: serde.skip,
        flatten: serde.flatten,
        with: serde.with,
    })
}

/// The runtime crate, as it is called here.
pub(crate) fn krate(given: Option<&Path>) -> Path {
    given
        .cloned()
        .unwrap_or_else(|| parse_quote!(::dyna_runtime))
}

/// The delimiter: one ASCII punctuation mark.
pub(crate) fn delimiter(given: Option<&LitStr>, errors: &mut Errors) -> u8 {
    let Some(literal) = given else { return b'#' };
    match literal.value().as_bytes() {
        [byte] if byte.is_ascii_punctuation() && !b"<>".contains(byte) => *byte,
        _ => {
            errors.at(
                literal,
                "a delimiter is one ASCII punctuation mark other than `<` and `>`, such as \"#\"",
            );
            b'#'
        }
    }
}

fn table(input: &DeriveInput, attr: &EntityAttr, errors: &mut Errors) -> Option<TokenStream> {
    match attr.table.get() {
        Some(TableRef::Of(path)) => Some(path.to_token_stream()),
        Some(TableRef::Own(_)) => Some(input.ident.to_token_stream()),
        // A misspelled option has been reported.
        None if !errors.is_empty() => None,
        None => {
            errors.help(
                &input.ident,
                format_args!("`{}` has no table", input.ident),
                "write `#[dyna(table = Table, ..)]` with the enum that lists it, \
                 or `table(name = \"..\", pk = \"..\")` and derive `DynaTable` too if the table holds nothing else",
            );
            None
        }
    }
}

fn indexes(scope: &Scope<'_>, uses: &[IndexUse], errors: &mut Errors) -> Vec<Index> {
    let mut indexes: Vec<Index> = Vec::new();
    for index in uses {
        let name = index.name.clone();
        let accessor = index
            .accessor
            .get()
            .cloned()
            .unwrap_or_else(|| name.clone());
        if indexes.iter().any(|other| other.name == name) {
            errors.at(&name, format_args!("index `{name}` is given twice"));
        }
        if ENTITY_FUNCTIONS.contains(&accessor.to_string().as_str()) {
            errors.help(
                &accessor,
                format_args!(
                    "entities have, or will have, a function `{accessor}` of another meaning"
                ),
                format_args!("give the query of this index another name, such as `as = by_{name}`"),
            );
        }
        if indexes.iter().any(|other| other.accessor == accessor) {
            errors.help(
                &accessor,
                format_args!("two indexes are queried by `{}::{accessor}`", scope.entity),
                "name one of them with `as = ..`",
            );
        }
        let place = Place::Index(&name);
        if let Some(key) = scope.key(index.pk.get(), index.sk.get(), place, errors) {
            indexes.push(Index {
                name,
                accessor,
                key,
            });
        }
    }
    indexes
}

fn check_key_only(fields: &[RawField], key: Option<&Key>, errors: &mut Errors) {
    for raw in fields {
        let Some(key_only) = &raw.key_only else {
            continue;
        };
        let name = raw.field.ident.unraw().to_string();
        if let Some(with) = &raw.with {
            errors.help(
                with,
                format_args!("`{name}` is read from the key, so `{with}` would have no effect"),
                "remove it, or remove `key_only`",
            );
        }
        if raw.skip || raw.flatten {
            errors.at(
                key_only,
                format_args!(
                    "`{name}` cannot be both `key_only` and skipped or flattened by serde"
                ),
            );
        }
        if let Some(key) = key
            && !key
                .parts()
                .any(|part| part.path == name && part.is_readable())
        {
            errors.help(
                key_only,
                format_args!(
                    "`{name}` is not stored, and cannot be read back from the primary key"
                ),
                format_args!(
                    "write `<{name}>` in `pk` or `sk`, without a function or a date layout"
                ),
            );
        }
    }
}

/// A primary key that holds only a part of each field does not tell items apart.
fn check_lossy(key: &Key, errors: &mut Errors) {
    let lossy = |part: &Part| {
        matches!(part.function, Some(Function::Shard(_)))
            || matches!(&part.format, Some(Format::Layout(items)) if !items.iter().any(LayoutItem::is_day))
    };
    if let Some(part) = key.parts().next()
        && key.parts().all(lossy)
    {
        errors.help(
            &key.pk.literal,
            format_args!(
                "this key says only a part of `{}`, so different items would have the same key",
                part.path
            ),
            "add a field that tells them apart, such as an id",
        );
    }
}

/// Each stored field has an attribute of its own.
fn check_attributes(fields: &[RawField], errors: &mut Errors) {
    let stored: Vec<_> = fields
        .iter()
        .filter(|raw| !raw.skip && !raw.flatten)
        .collect();
    for (at, raw) in stored.iter().enumerate() {
        let Field {
            ident, attribute, ..
        } = &raw.field;
        if let Some(other) = stored[..at]
            .iter()
            .find(|other| other.field.attribute == *attribute)
        {
            errors.at(
                ident,
                format_args!(
                    "`{}` and `{ident}` are both stored as `{attribute}`",
                    other.field.ident
                ),
            );
        }
    }
}

/// Where a key is declared.
#[derive(Clone, Copy)]
enum Place<'a> {
    Primary(&'a Ident),
    Index(&'a Ident),
}

/// What the placeholders of an entity can refer to.
struct Scope<'a> {
    entity: &'a Ident,
    krate: &'a Path,
    delimiter: u8,
    fields: &'a [RawField],
}

impl Scope<'_> {
    fn key(
        &self,
        pk: Option<&LitStr>,
        sk: Option<&LitStr>,
        place: Place<'_>,
        errors: &mut Errors,
    ) -> Option<Key> {
        let Some(pk) = pk else {
            match place {
                // A misspelled option has been reported.
                _ if !errors.is_empty() => {}
                Place::Primary(entity) => errors.help(
                    entity,
                    format_args!("`{entity}` has no partition key"),
                    "write `#[dyna(pk = \"..\")]`, such as `pk = \"USER#<user_id>\"`",
                ),
                Place::Index(index) => errors.help(
                    index,
                    format_args!("index `{index}` has no partition key"),
                    format_args!(
                        "write `{index}(pk = \"..\")`, such as `{index}(pk = \"EMAIL#<email>\")`"
                    ),
                ),
            }
            // The sort key may have errors of its own.
            sk.map(|sk| self.template(sk, Role::Sort, place, &names(sk), errors));
            return None;
        };
        let names = [Some(pk), sk]
            .into_iter()
            .flatten()
            .flat_map(names)
            .collect::<Vec<_>>();
        let pk = self.template(pk, Role::Partition, place, &names, errors);
        let sk = sk.map(|sk| self.template(sk, Role::Sort, place, &names, errors));
        Some(Key {
            pk: pk?,
            sk: sk.map_or(Some(None), |sk| sk.map(Some))?,
        })
    }

    fn template(
        &self,
        literal: &LitStr,
        role: Role,
        place: Place<'_>,
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
                        field.push(Piece::Part(part));
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
        place: Place<'_>,
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

/// Friendlier words for types that are spelled out; behind an alias the trait `KeyPart` says it.
fn refused_type(ty: &Type, place: Place<'_>) -> Option<(&'static str, &'static str)> {
    Some(match (spelled(ty)?.as_str(), place) {
        ("f32" | "f64", _) => (
            "a key, and floats have no text form that sorts by value",
            "store an integer instead, such as cents or milliseconds",
        ),
        ("bool", _) => (
            "a key, where \"true\" and \"false\" say little",
            "use an enum with `#[derive(KeyPart)]`, such as `enum State { Open, Closed }`",
        ),
        ("Option", Place::Primary(_)) if has_arguments(ty) => (
            "the primary key, which always has a value: it cannot be an `Option`",
            "use `<{}>` in an index instead; items without a value are then left out of that index",
        ),
        _ => return None,
    })
}

/// Whether it is written with `<..>`, as the standard library's `Option` is.
fn has_arguments(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| !last.arguments.is_none()))
}

/// The last word of a type that is a plain path.
fn spelled(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            Some(path.path.segments.last()?.ident.to_string())
        }
        _ => None,
    }
}

/// An index is looked up by the value of an `Option`. An alias of one is looked up the same way, through `AsPart<Option<T>>`.
fn optional<'t>(ty: &'t Type, place: Place<'_>) -> &'t Type {
    if let (Place::Index(_), Type::Path(path)) = (place, ty)
        && let Some(segment) = path.path.segments.last()
        && segment.ident == "Option"
        && let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments
        && let Some(syn::GenericArgument::Type(inner)) = arguments.args.first()
    {
        return inner;
    }
    ty
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
    place: Place<'_>,
    errors: &mut Errors,
) -> Option<()> {
    let name = &raw.field.ident;
    let (message, help) = if raw.flatten {
        (
            format!("`{name}` is flattened, so it has no attribute of its own"),
            None,
        )
    } else if raw.skip {
        let help =
            "mark it `#[dyna(key_only)]` instead of `#[serde(skip)]`: it is then read from the key";
        (
            format!("`{name}` is skipped by serde, so it would be lost when the item is read"),
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
