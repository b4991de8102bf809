//! `#[dyna(..)]` of an entity.

use super::options::{
    Nulls, Paths, Several, Slot, flag, for_each_option, list, nulls, options, unknown, value,
};
use super::settings;
use super::table::TableAttr;
use crate::error::Errors;
use quote::format_ident;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, LitStr, Path, parenthesized};

const ENTITY: &[&str] = &[
    "table",
    "pk",
    "sk",
    "tag",
    "delimiter",
    "nulls",
    "shares_key_with",
    "partial",
    "crate",
];
const INDEX_USE: &[&str] = &["as", "pk", "sk", "when", "delimiter"];

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
    pub(crate) shares_key_with: Slot<Paths>,
    pub(crate) partial: Slot<()>,
    pub(crate) indexes: Vec<IndexUse>,
}

/// The table of an entity.
pub(crate) enum TableRef {
    /// `table = Discord`
    Of(Path),
    /// `table(..)`: the entity is its own.
    Own(Box<TableAttr>),
}

/// `gsi1(as = by_id, pk = "..", sk = "..", when = is_open, delimiter = "/")`
pub(crate) struct IndexUse {
    pub(crate) name: Ident,
    pub(crate) accessor: Slot<Ident>,
    pub(crate) pk: Slot<Several<LitStr>>,
    pub(crate) sk: Slot<Several<LitStr>>,
    pub(crate) when: Slot<Path>,
    pub(crate) delimiter: Slot<LitStr>,
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
            "shares_key_with" => self.shares_key_with.set(key, value(input)?, errors),
            "partial" => flag(&mut self.partial, key, input, errors)?,
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
    /// The name of its query: the one of `as`, or that of the index. A keyword cannot name a function.
    pub(crate) fn query_name(&self) -> Ident {
        let name = &self.name;
        match self.accessor.get() {
            Some(given) => given.clone(),
            None if self.needs_query_name() => format_ident!("by_{name}", span = name.span()),
            None => name.clone(),
        }
    }

    /// Whether the name of the index is a keyword, and there is no other name.
    pub(crate) fn needs_query_name(&self) -> bool {
        let is_keyword = || syn::parse_str::<Ident>(&self.name.to_string()).is_err();
        self.accessor.get().is_none() && is_keyword()
    }

    fn parse(name: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let mut this = Self {
            name: name.clone(),
            accessor: Slot::default(),
            pk: Slot::default(),
            sk: Slot::default(),
            when: Slot::default(),
            delimiter: Slot::default(),
        };
        let content;
        parenthesized!(content in input);
        options(&content, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "when" => this.when.set(&key, value(input)?, errors),
                "as" => this.accessor.set(&key, value(input)?, errors),
                "pk" => this.pk.set(&key, value(input)?, errors),
                "sk" => this.sk.set(&key, value(input)?, errors),
                "delimiter" => this.delimiter.set(&key, value(input)?, errors),
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
