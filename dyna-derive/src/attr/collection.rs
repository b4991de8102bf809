//! `#[dyna(..)]` of a collection.

use super::options::{Slot, for_each_option, list, unknown, value};
use crate::error::Errors;
use syn::{Attribute, Ident, Path};

const COLLECTION: &[&str] = &["index", "crate"];

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
