//! `#[dyna(..)]` of a table: its keys, indexes and settings.

use super::options::{Nulls, Several, Slot, for_each_option, list, nulls, options, unknown, value};
use super::settings::{self, BillingAttr, SettingsAttr};
use crate::error::Errors;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitStr, Path, Token, parenthesized};

const TABLE: &[&str] = &[
    "name",
    "pk",
    "sk",
    "tag",
    "ttl",
    "stream",
    "delimiter",
    "nulls",
    "index",
    "local_index",
    "billing",
    "table_class",
    "deletion_protection",
    "point_in_time_recovery",
    "encryption",
    "resource_tags",
    "partial",
    "schema",
    "crate",
];
const VARIANT: &[&str] = &["unknown"];
const INDEX: &[&str] = &["name", "pk", "sk", "projection", "billing"];
const STREAMS: &[&str] = &["keys_only", "new_image", "old_image", "new_and_old_images"];

/// `#[dyna(..)]` of a table.
#[derive(Default)]
pub(crate) struct TableAttr {
    pub(crate) name: Slot<LitStr>,
    pub(crate) pk: Slot<KeyAttr>,
    pub(crate) sk: Slot<KeyAttr>,
    pub(crate) tag: Slot<LitStr>,
    pub(crate) ttl: Slot<LitStr>,
    pub(crate) stream: Slot<LitStr>,
    pub(crate) delimiter: Slot<LitStr>,
    pub(crate) schema: Slot<Path>,
    pub(crate) krate: Slot<Path>,
    pub(crate) nulls: Slot<Nulls>,
    pub(crate) indexes: Vec<IndexAttr>,
    pub(crate) settings: SettingsAttr,
    /// Whether an option says what the table is.
    pub(crate) declares: bool,
}

/// `index(gsi1, pk = "..", sk = "..")`
pub(crate) struct IndexAttr {
    pub(crate) ident: Ident,
    pub(crate) local: bool,
    pub(crate) name: Slot<LitStr>,
    pub(crate) pk: Slot<Several<KeyAttr>>,
    pub(crate) sk: Slot<Several<KeyAttr>>,
    pub(crate) projection: Slot<IndexProjectionAttr>,
    pub(crate) billing: Slot<BillingAttr>,
}

/// `"pk"`, `number("pk")` or `binary("pk")`
pub(crate) struct KeyAttr {
    pub(crate) kind: KeyKind,
    pub(crate) name: LitStr,
}

/// The type of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyKind {
    S,
    N,
    B,
}

/// `"all"`, `"keys_only"` or `include("a", "b")`
pub(crate) enum IndexProjectionAttr {
    All,
    KeysOnly,
    Include(Vec<LitStr>),
}

impl TableAttr {
    /// The options of an enum or a unit struct.
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, errors| {
            this.option(&key, input, errors)
        });
        this
    }

    pub(super) fn option(
        &mut self,
        key: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        let name = key.to_string();
        self.declares |= !matches!(name.as_str(), "schema" | "crate");
        match name.as_str() {
            "name" => self.name.set(key, value(input)?, errors),
            "pk" => self.pk.set(key, value(input)?, errors),
            "sk" => self.sk.set(key, value(input)?, errors),
            "tag" => self.tag.set(key, value(input)?, errors),
            "ttl" => self.ttl.set(key, value(input)?, errors),
            "stream" => {
                let stream: LitStr = value(input)?;
                if !STREAMS.contains(&stream.value().as_str()) {
                    errors.at(
                        &stream,
                        format_args!("`stream` is one of {}", list(STREAMS)),
                    );
                }
                self.stream.set(key, stream, errors);
            }
            "delimiter" => self.delimiter.set(key, value(input)?, errors),
            "schema" => self.schema.set(key, value(input)?, errors),
            "crate" => self.krate.set(key, value(input)?, errors),
            "nulls" => self.nulls.set(key, nulls(key, input)?, errors),
            "index" | "local_index" => {
                let index = IndexAttr::parse(key, input, errors)?;
                self.indexes.push(index);
            }
            name if settings::NAMES.contains(&name) => self.settings.option(key, input, errors)?,
            _ => {
                return Err(unknown(
                    key,
                    TABLE,
                    &format!("a table takes {}", list(TABLE)),
                ));
            }
        }
        Ok(())
    }
}

/// `#[dyna(unknown)]` of a variant of a table.
#[derive(Default)]
pub(crate) struct VariantAttr {
    pub(crate) unknown: bool,
}

impl VariantAttr {
    pub(crate) fn parse(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        for_each_option(attrs, errors, |key, input, _| {
            if key != "unknown" {
                let help = format!("a variant of a table takes {}", list(VARIANT));
                return Err(unknown(&key, VARIANT, &help));
            }
            if input.peek(Token![=]) || input.peek(syn::token::Paren) {
                return Err(syn::Error::new(key.span(), "`unknown` takes no value"));
            }
            this.unknown = true;
            Ok(())
        });
        this
    }
}

impl IndexAttr {
    /// The name that DynamoDB knows it by.
    pub(crate) fn real_name(&self) -> String {
        self.name
            .get()
            .map_or_else(|| self.ident.to_string(), LitStr::value)
    }

    fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let content;
        parenthesized!(content in input);
        let ident = content.call(Ident::parse_any)?;
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
        let local = key == "local_index";
        let mut this = Self {
            ident,
            local,
            name: Slot::default(),
            pk: Slot::default(),
            sk: Slot::default(),
            projection: Slot::default(),
            billing: Slot::default(),
        };
        options(&content, errors, |key, input, errors| {
            match key.to_string().as_str() {
                "name" => this.name.set(&key, value(input)?, errors),
                "pk" => this.pk.set(&key, value(input)?, errors),
                "sk" => this.sk.set(&key, value(input)?, errors),
                "projection" => this.projection.set(&key, value(input)?, errors),
                "billing" => {
                    let billing = settings::billing(input, errors)?;
                    this.billing.set(&key, billing, errors);
                }
                _ => {
                    return Err(unknown(
                        &key,
                        INDEX,
                        &format!("an index takes {}", list(INDEX)),
                    ));
                }
            }
            Ok(())
        })?;
        Ok(this)
    }
}

impl Parse for KeyAttr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return Ok(Self {
                kind: KeyKind::S,
                name: input.parse()?,
            });
        }
        let kind = input.call(Ident::parse_any)?;
        let content;
        parenthesized!(content in input);
        let name = content.parse()?;
        match kind.to_string().as_str() {
            "string" => Ok(Self {
                kind: KeyKind::S,
                name,
            }),
            "number" => Ok(Self {
                kind: KeyKind::N,
                name,
            }),
            "binary" => Ok(Self {
                kind: KeyKind::B,
                name,
            }),
            _ => Err(syn::Error::new(
                kind.span(),
                "a key attribute is `\"name\"`, `number(\"name\")` or `binary(\"name\")`",
            )),
        }
    }
}

impl Parse for IndexProjectionAttr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        const FORMS: &str = "a projection is \"all\", \"keys_only\" or include(\"attribute\", ..)";
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return match text.value().as_str() {
                "all" => Ok(Self::All),
                "keys_only" => Ok(Self::KeysOnly),
                _ => Err(syn::Error::new(text.span(), FORMS)),
            };
        }
        let include = input.call(Ident::parse_any)?;
        if include != "include" {
            return Err(syn::Error::new(include.span(), FORMS));
        }
        let content;
        parenthesized!(content in input);
        let attributes = content.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
        Ok(Self::Include(attributes.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::{TABLE, settings};

    #[test]
    fn unknown_options_are_compared_with_every_setting() {
        let missing = settings::NAMES.iter().filter(|name| !TABLE.contains(name));
        assert_eq!(missing.collect::<Vec<_>>(), [] as [&&str; 0]);
    }
}
