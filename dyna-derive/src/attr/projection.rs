//! `#[dyna(..)]` of a projection and of its fields.

use super::options::{Slot, for_each_option, list, unknown, value};
use crate::error::Errors;
use syn::{Attribute, Ident, Path, Token};

const PROJECTION: &[&str] = &["of", "index", "crate"];
const FIELD: &[&str] = &["nested"];

/// `#[dyna(of = Message, index = gsi1)]` of a projection.
#[derive(Default)]
pub(crate) struct ProjectionAttr {
    pub(crate) of: Slot<Path>,
    /// The partial indexes that it is read through.
    pub(crate) indexes: Vec<Ident>,
    pub(crate) krate: Slot<Path>,
}

impl ProjectionAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "of" => this.of.set(&key, value(input)?, errors),
                "index" => {
                    let index: Ident = value(input)?;
                    if this.indexes.contains(&index) {
                        errors.at(&index, format_args!("index `{index}` is given twice"));
                    }
                    this.indexes.push(index);
                }
                "crate" => this.krate.set(&key, value(input)?, errors),
                _ => {
                    let help = format!("a projection takes {}", list(PROJECTION));
                    return Err(unknown(&key, PROJECTION, &help));
                }
            }
            Ok(())
        });
        this
    }
}

/// `#[dyna(nested)]` of a field of a projection.
#[derive(Default)]
pub(crate) struct ProjectionFieldAttr {
    pub(crate) nested: bool,
}

impl ProjectionFieldAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, _| {
            if key != "nested" {
                let help = format!("a field of a projection takes {}", list(FIELD));
                return Err(unknown(&key, FIELD, &help));
            }
            if input.peek(Token![=]) || input.peek(syn::token::Paren) {
                return Err(syn::Error::new(key.span(), "`nested` takes no value"));
            }
            this.nested = true;
            Ok(())
        });
        this
    }
}
