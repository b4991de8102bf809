//! `#[dyna(..)]` of a field of an entity.

use super::options::{Slot, for_each_option, list, nulls, options, unknown, value};
use crate::error::Errors;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, LitStr, Token, parenthesized};

const FIELD: &[&str] = &[
    "key_only",
    "version",
    "created_at",
    "updated_at",
    "ttl",
    "unique",
    "nulls",
];
const SENTINEL: &[&str] = &["pk", "sk", "tag"];

/// `#[dyna(..)]` of a field.
#[derive(Default)]
pub(crate) struct FieldAttr {
    /// The flags, as they are written.
    flags: Vec<Ident>,
    /// What is said of the sentinels of a unique field.
    pub(crate) sentinel: Option<SentinelAttr>,
}

/// `unique = ".."`, or `unique(pk = "..", sk = "..", tag = "..")`: the key and the tag of a sentinel.
pub(crate) struct SentinelAttr {
    pub(crate) pk: LitStr,
    pub(crate) sk: Option<LitStr>,
    pub(crate) tag: Option<LitStr>,
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
            } else if key == "unique" {
                this.sentinel = SentinelAttr::parse(&key, input, errors)?;
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

impl SentinelAttr {
    /// What follows `unique`, if anything does.
    fn parse(
        key: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<Option<Self>> {
        if input.peek(Token![=]) {
            let pk = value(input)?;
            return Ok(Some(Self {
                pk,
                sk: None,
                tag: None,
            }));
        }
        if !input.peek(syn::token::Paren) {
            return Ok(None);
        }
        let (mut pk, mut sk, mut tag) = (Slot::default(), Slot::default(), Slot::default());
        let content;
        parenthesized!(content in input);
        options(&content, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "pk" => pk.set(&key, value(input)?, errors),
                "sk" => sk.set(&key, value(input)?, errors),
                "tag" => tag.set(&key, value(input)?, errors),
                _ => {
                    let help = "`unique(..)` takes `pk`, `sk` and `tag`";
                    return Err(unknown(&key, SENTINEL, help));
                }
            }
            Ok(())
        })?;
        let Some(pk) = pk.into_inner() else {
            let message = "`unique(..)` sets the key of the sentinel item\nhelp: write `unique(pk = \"..\")`, or `unique` alone";
            return Err(syn::Error::new(key.span(), message));
        };
        Ok(Some(Self {
            pk,
            sk: sk.into_inner(),
            tag: tag.into_inner(),
        }))
    }
}
