//! `#[dyna(..)]` of a field of an entity.

use super::options::{for_each_option, list, nulls, unknown};
use crate::error::Errors;
use syn::{Attribute, Ident, Token};

const FIELD: &[&str] = &[
    "key_only",
    "version",
    "created_at",
    "updated_at",
    "ttl",
    "unique",
    "nulls",
];

/// `#[dyna(..)]` of a field.
#[derive(Default)]
pub(crate) struct FieldAttr {
    /// The flags, as they are written.
    flags: Vec<Ident>,
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
