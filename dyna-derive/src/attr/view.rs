//! `#[dyna(..)]` of what reads yield: projections and collections.

use super::{Slot, for_each_option, list, unknown, value};
use crate::error::Errors;
use syn::{Attribute, Ident, Path, Token};

const VIEW: &[&str] = &["of", "index", "crate"];
const VIEW_FIELD: &[&str] = &["nested"];
const COLLECTION: &[&str] = &["index", "crate"];

/// `#[dyna(of = Message, index = gsi1)]` of a projection.
#[derive(Default)]
pub(crate) struct ViewAttr {
    pub(crate) of: Slot<Path>,
    /// The partial indexes that it is read through.
    pub(crate) indexes: Vec<Ident>,
    pub(crate) krate: Slot<Path>,
}

impl ViewAttr {
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
                    let help = format!("a projection takes {}", list(VIEW));
                    return Err(unknown(&key, VIEW, &help));
                }
            }
            Ok(())
        });
        this
    }
}

/// `#[dyna(nested)]` of a field of a projection.
#[derive(Default)]
pub(crate) struct ViewFieldAttr {
    pub(crate) nested: bool,
}

impl ViewFieldAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, _| {
            if key != "nested" {
                let help = format!("a field of a projection takes {}", list(VIEW_FIELD));
                return Err(unknown(&key, VIEW_FIELD, &help));
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

/// `#[dyna(index = gsi1)]` of a collection.
#[derive(Default)]
pub(crate) struct CollectionAttr {
    pub(crate) index: Slot<Ident>,
    pub(crate) krate: Slot<Path>,
}

impl CollectionAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "index" => this.index.set(&key, value(input)?, errors),
                "crate" => this.krate.set(&key, value(input)?, errors),
                _ => {
                    let help = format!("a collection takes {}", list(COLLECTION));
                    return Err(unknown(&key, COLLECTION, &help));
                }
            }
            Ok(())
        });
        this
    }
}
