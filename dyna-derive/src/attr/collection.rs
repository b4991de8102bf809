//! `#[dyna(..)]` of a collection.

use super::options::{Slot, for_each_option, list, unknown, value};
use crate::error::Errors;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Path, Token, Type, parenthesized};

const COLLECTION: &[&str] = &["index", "steps", "crate"];

/// `#[dyna(index = gsi1)]` of a collection.
#[derive(Default)]
pub(crate) struct CollectionAttr {
    pub(crate) index: Slot<Ident>,
    pub(crate) steps: Slot<StepsAttr>,
    pub(crate) krate: Slot<Path>,
}

/// `steps(city: String, at: Timestamp)`: fields at the start of the sort key, and their types.
pub(crate) struct StepsAttr(pub(crate) Vec<(Ident, Type)>);

impl StepsAttr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        parenthesized!(content in input);
        let mut steps = Vec::new();
        while !content.is_empty() {
            let field = content.call(Ident::parse_any)?;
            content.parse::<Token![:]>()?;
            steps.push((field, content.parse()?));
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        Ok(Self(steps))
    }
}

impl CollectionAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "index" => this.index.set(&key, value(input)?, errors),
                "steps" => this.steps.set(&key, StepsAttr::parse(input)?, errors),
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
