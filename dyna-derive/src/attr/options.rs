//! Options of all derives: reading them, and the errors of unknown ones.

use crate::error::{Errors, did_you_mean};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitStr, Path, Token, bracketed, parse_quote};

/// The most attributes that a partition key or a sort key has in DynamoDB: only those of a global index have more than one.
const MAX_KEY_ATTRIBUTES: usize = 4;
/// An option that can be given once.
pub(crate) struct Slot<T>(Option<T>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Slot<T> {
    pub(super) fn set(&mut self, key: &Ident, value: T, errors: &mut Errors) {
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

/// `nulls = "store"`: `None` is stored as NULL.
pub(crate) struct Nulls;

/// `= "store"`
pub(super) fn nulls(key: &Ident, input: ParseStream<'_>) -> syn::Result<Nulls> {
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

/// One, or a list in brackets: `"pk"` or `["tournament", "region"]`.
pub(crate) struct Several<T>(pub(crate) Vec<T>);

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

/// One type, or a list in brackets: `Organization` or `[Organization, Team]`.
pub(crate) struct Paths(pub(crate) Vec<Path>);

impl Parse for Paths {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(syn::token::Bracket) {
            return Ok(Self(vec![input.parse()?]));
        }
        let content;
        bracketed!(content in input);
        let list = content.parse_terminated(Path::parse, Token![,])?;
        Ok(Self(list.into_iter().collect()))
    }
}

impl<T> Slot<Several<T>> {
    /// All of them: none if the option is not given.
    pub(crate) fn all(&self) -> &[T] {
        self.get().map_or(&[], |several| &several.0)
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
pub(super) fn for_each_option(
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

pub(super) fn options(
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

/// An option without a value.
pub(super) fn flag(
    slot: &mut Slot<()>,
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> syn::Result<()> {
    if input.peek(Token![=]) || input.peek(syn::token::Paren) {
        let message = format_args!("`{key}` takes no value\nhelp: leave it out to turn it off");
        return Err(syn::Error::new(key.span(), message));
    }
    slot.set(key, (), errors);
    Ok(())
}

pub(super) fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

pub(super) fn unknown(key: &Ident, known: &[&str], help: &str) -> syn::Error {
    let name = key.unraw().to_string();
    let hint = did_you_mean(&name, known.iter().copied());
    syn::Error::new(
        key.span(),
        format_args!("unknown option `{name}`{hint}\nhelp: {help}"),
    )
}

pub(super) fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The runtime crate, as it is called here.
pub(crate) fn crate_path(given: Option<&Path>) -> Path {
    given
        .cloned()
        .unwrap_or_else(|| parse_quote!(::dyna_runtime))
}
