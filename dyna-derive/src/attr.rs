//! `#[dyna(..)]` tokens to raw structs with their spans. Knows the options, not what they mean together.

mod settings;
mod table;
mod view;

pub(crate) use settings::{BillingAttr, EncryptionAttr, SettingsAttr};
pub(crate) use table::{IndexAttr, KeyAttr, KeyKind, ProjectionAttr, TableAttr, VariantAttr};
pub(crate) use view::{CollectionAttr, ViewAttr, ViewFieldAttr};

use crate::error::{Errors, did_you_mean};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitStr, Path, Token, bracketed, parenthesized};

const ENTITY: &[&str] = &["table", "pk", "sk", "tag", "delimiter", "nulls", "crate"];
const INDEX_USE: &[&str] = &["as", "pk", "sk"];
/// The most attributes that a partition key or a sort key has in DynamoDB: only those of a global index have more than one.
const MAX_KEY_ATTRIBUTES: usize = 4;
const FIELD: &[&str] = &[
    "key_only",
    "version",
    "created_at",
    "updated_at",
    "ttl",
    "unique",
    "nulls",
];

/// An option that can be given once.
pub(crate) struct Slot<T>(Option<T>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Slot<T> {
    fn set(&mut self, key: &Ident, value: T, errors: &mut Errors) {
        if self.0.is_some() {
            errors.at(key, format_args!("`{key}` is given twice"));
        }
        self.0 = Some(value);
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.0.as_slice()
    }

    pub(crate) fn into_inner(self) -> Option<T> {
        self.0
    }
}

/// `#[dyna(..)]` of an entity.
#[derive(Default)]
pub(crate) struct EntityAttr {
    pub(crate) table: Slot<TableRef>,
    pub(crate) pk: Slot<LitStr>,
    pub(crate) sk: Slot<LitStr>,
    pub(crate) tag: Slot<LitStr>,
    pub(crate) delimiter: Slot<LitStr>,
    pub(crate) krate: Slot<Path>,
    pub(crate) nulls: Slot<Nulls>,
    pub(crate) indexes: Vec<IndexUse>,
}

/// `nulls = "store"`: `None` is stored as NULL.
pub(crate) struct Nulls;

/// `= "store"`
fn nulls(key: &Ident, input: ParseStream<'_>) -> syn::Result<Nulls> {
    let mut span = key.span();
    if input.peek(Token![=]) {
        let value: LitStr = value(input)?;
        if value.value() == "store" {
            return Ok(Nulls);
        }
        span = value.span();
    }
    Err(syn::Error::new(
        span,
        "`nulls` takes one value, \"store\", which stores `None` as NULL\nhelp: write `nulls = \"store\"`, or remove it: `None` is then not stored",
    ))
}

/// The table of an entity.
pub(crate) enum TableRef {
    /// `table = Discord`
    Of(Path),
    /// `table(..)`: the entity is its own.
    Own(Box<TableAttr>),
}

/// `gsi1(as = by_id, pk = "..", sk = "..")`
pub(crate) struct IndexUse {
    pub(crate) name: Ident,
    pub(crate) accessor: Slot<Ident>,
    pub(crate) pk: Slot<Several<LitStr>>,
    pub(crate) sk: Slot<Several<LitStr>>,
}

/// One, or a list in brackets: `"pk"` or `["tournament", "region"]`.
pub(crate) struct Several<T>(pub(crate) Vec<T>);

/// `#[dyna(..)]` of a field.
#[derive(Default)]
pub(crate) struct FieldAttr {
    /// The flags, as they are written.
    flags: Vec<Ident>,
}

impl EntityAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            this.option(&key, input, errors)
        });
        this
    }

    fn option(
        &mut self,
        key: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        match key.to_string().as_str() {
            "table" if input.peek(syn::token::Paren) => {
                let mut table = TableAttr::default();
                let content;
                parenthesized!(content in input);
                options(&content, errors, |key, input, errors| {
                    table.option(&key, input, errors)
                })?;
                self.table.set(key, TableRef::Own(Box::new(table)), errors);
            }
            "table" => self.table.set(key, TableRef::Of(value(input)?), errors),
            "pk" => self.pk.set(key, value(input)?, errors),
            "sk" => self.sk.set(key, value(input)?, errors),
            "tag" => self.tag.set(key, value(input)?, errors),
            "delimiter" => self.delimiter.set(key, value(input)?, errors),
            "crate" => self.krate.set(key, value(input)?, errors),
            "nulls" => self.nulls.set(key, nulls(key, input)?, errors),
            "index" | "local_index" => {
                let message = format_args!(
                    "`{key}(..)` declares an index on its table\nhelp: an entity names it: `gsi1(as = by_email, pk = \"..\", sk = \"..\")`"
                );
                return Err(syn::Error::new(key.span(), message));
            }
            _ if input.peek(syn::token::Paren) => {
                let index = IndexUse::parse(key, input, errors)?;
                self.indexes.push(index);
            }
            name if matches!(name, "name" | "ttl" | "stream")
                || settings::NAMES.contains(&name) =>
            {
                let message = format_args!(
                    "`{key}` is an option of the table\nhelp: write it where the table is declared"
                );
                return Err(syn::Error::new(key.span(), message));
            }
            _ => {
                let help = format!(
                    "an entity takes {}, and its indexes as `gsi1(pk = \"..\", sk = \"..\")`",
                    list(ENTITY)
                );
                return Err(unknown(key, ENTITY, &help));
            }
        }
        Ok(())
    }
}

impl IndexUse {
    fn parse(name: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let mut this = Self {
            name: name.clone(),
            accessor: Slot::default(),
            pk: Slot::default(),
            sk: Slot::default(),
        };
        let content;
        parenthesized!(content in input);
        options(&content, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "as" => this.accessor.set(&key, value(input)?, errors),
                "pk" => this.pk.set(&key, value(input)?, errors),
                "sk" => this.sk.set(&key, value(input)?, errors),
                _ => {
                    return Err(unknown(
                        &key,
                        INDEX_USE,
                        &format!("an index takes {}", list(INDEX_USE)),
                    ));
                }
            }
            Ok(())
        })?;
        Ok(this)
    }
}

impl<T: Parse> Parse for Several<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Bracket) {
            return Ok(Self(vec![input.parse()?]));
        }
        let content;
        let bracket = bracketed!(content in input);
        let list = content.parse_terminated(T::parse, Token![,])?;
        match list.len() {
            1..=MAX_KEY_ATTRIBUTES => Ok(Self(list.into_iter().collect())),
            _ => Err(syn::Error::new(
                bracket.span.join(),
                format_args!("a key has one to {MAX_KEY_ATTRIBUTES} attributes"),
            )),
        }
    }
}

impl<T> Slot<Several<T>> {
    /// All of them: none if the option is not given.
    pub(crate) fn all(&self) -> &[T] {
        self.get().map_or(&[], |several| &several.0)
    }
}

impl FieldAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            if !FIELD.contains(&key.to_string().as_str()) {
                let help = format!("a field takes {}", list(FIELD));
                return Err(unknown(&key, FIELD, &help));
            }
            if key == "nulls" {
                nulls(&key, input)?;
            } else if input.peek(Token![=]) || input.peek(syn::token::Paren) {
                let message = format_args!("`{key}` takes no value");
                return Err(syn::Error::new(key.span(), message));
            }
            if this.flags.contains(&key) {
                errors.at(&key, format_args!("`{key}` is given twice"));
            }
            this.flags.push(key);
            Ok(())
        });
        this
    }

    /// A flag, if it is given.
    pub(crate) fn flag(&self, name: &str) -> Option<&Ident> {
        self.flags.iter().find(|flag| *flag == name)
    }
}

/// The one option that a derive without others knows: `#[dyna(crate = path)]`.
pub(crate) fn parse_crate(attrs: &[Attribute], errors: &mut Errors) -> Slot<Path> {
    let mut krate = Slot::default();
    for_each_option(attrs, errors, |key, input, errors| {
        match key.to_string().as_str() {
            "crate" => {
                krate.set(&key, value(input)?, errors);
                Ok(())
            }
            _ => Err(unknown(&key, &["crate"], "this derive takes `crate`")),
        }
    });
    krate
}

/// Says that nothing can be written here: an option that is silently ignored would be a trap.
pub(crate) fn refuse(attrs: &[Attribute], what: &str, errors: &mut Errors) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("dyna")) {
        errors.at(&attr.path(), format_args!("{what} takes no options"));
    }
}

/// Calls `option` for every option of every `#[dyna(..)]`, and goes on after a bad one.
fn for_each_option(
    attrs: &[Attribute],
    errors: &mut Errors,
    mut option: impl FnMut(Ident, ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("dyna")) {
        let parsed =
            attr.parse_args_with(|input: ParseStream<'_>| options(input, errors, &mut option));
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
}

fn options(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut option: impl FnMut(Ident, ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) -> syn::Result<()> {
    while !input.is_empty() {
        let key = input.call(Ident::parse_any)?;
        if let Err(error) = option(key, input, errors) {
            errors.push(error);
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn unknown(key: &Ident, known: &[&str], help: &str) -> syn::Error {
    let name = key.unraw().to_string();
    let hint = did_you_mean(&name, known.iter().copied());
    syn::Error::new(
        key.span(),
        format_args!("unknown option `{name}`{hint}\nhelp: {help}"),
    )
}

fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
