//! Options of `#[derive(KeyPart)]`.

use super::options::{Slot, for_each_option, unknown, value};
use crate::error::Errors;
use syn::{Attribute, Ident, Path};

/// `#[dyna(number, crate = ..)]` of a part of keys.
#[derive(Default)]
pub(crate) struct KeyPartAttr {
    pub(crate) number: Slot<Ident>,
    pub(crate) krate: Slot<Path>,
}

impl KeyPartAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut attr = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "number" => attr.number.set(&key, key.clone(), errors),
                "crate" => attr.krate.set(&key, value(input)?, errors),
                _ => {
                    let takes = "this derive takes `number` and `crate`";
                    return Err(unknown(&key, &["number", "crate"], takes));
                }
            }
            Ok(())
        });
        attr
    }
}
