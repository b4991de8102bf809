//! The options of a table that no key depends on: billing, encryption, backups, protection, resource tags.

use super::options::{Slot, flag, list, options, value};
use crate::error::Errors;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitInt, LitStr, Token, parenthesized};

pub(super) const NAMES: &[&str] = &[
    "billing",
    "table_class",
    "deletion_protection",
    "point_in_time_recovery",
    "encryption",
    "resource_tags",
    "partial",
];
const CLASSES: &[&str] = &["standard", "infrequent_access"];
const BILLING: &str = "billing is \"on_demand\" or provisioned(read = 5, write = 5)";
const ENCRYPTION: &str = "encryption is \"aws_owned\", \"aws_managed\" or kms(\"alias/of-a-key\")";

/// What DynamoDB takes of tags.
const MOST_TAGS: usize = 50;
const LONGEST_KEY: usize = 128;
const LONGEST_VALUE: usize = 256;

/// The options of a table that no key depends on.
#[derive(Default)]
pub(crate) struct SettingsAttr {
    pub(crate) billing: Slot<BillingAttr>,
    pub(crate) table_class: Slot<LitStr>,
    pub(crate) deletion_protection: Slot<()>,
    pub(crate) point_in_time_recovery: Slot<()>,
    pub(crate) encryption: Slot<EncryptionAttr>,
    pub(crate) resource_tags: Slot<Vec<(LitStr, LitStr)>>,
    pub(crate) partial: Slot<()>,
}

/// `"on_demand"` or `provisioned(read = 5, write = 5)`
#[derive(Clone, Copy)]
pub(crate) enum BillingAttr {
    OnDemand,
    Provisioned { read: u32, write: u32 },
}

/// `"aws_owned"`, `"aws_managed"` or `kms("alias/key")`
pub(crate) enum EncryptionAttr {
    Owned,
    Managed,
    Kms(LitStr),
}

impl SettingsAttr {
    /// Reads one of [`NAMES`].
    pub(super) fn option(
        &mut self,
        key: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        match key.to_string().as_str() {
            "billing" => {
                let billing = billing(input, errors)?;
                self.billing.set(key, billing, errors);
            }
            "encryption" => self.encryption.set(key, value(input)?, errors),
            "deletion_protection" => flag(&mut self.deletion_protection, key, input, errors)?,
            "point_in_time_recovery" => flag(&mut self.point_in_time_recovery, key, input, errors)?,
            "partial" => flag(&mut self.partial, key, input, errors)?,
            "resource_tags" => {
                let tags = tags(key, input, errors)?;
                self.resource_tags.set(key, tags, errors);
            }
            _ => {
                let class: LitStr = value(input)?;
                if !CLASSES.contains(&class.value().as_str()) {
                    errors.at(
                        &class,
                        format_args!("`table_class` is one of {}", list(CLASSES)),
                    );
                }
                self.table_class.set(key, class, errors);
            }
        }
        Ok(())
    }
}

/// `(team = "chat", "cost-center" = "42")`
fn tags(
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> syn::Result<Vec<(LitStr, LitStr)>> {
    if !input.peek(syn::token::Paren) {
        let message =
            "resource tags are `resource_tags(team = \"chat\", \"cost-center\" = \"42\")`";
        return Err(syn::Error::new(key.span(), message));
    }
    let content;
    parenthesized!(content in input);
    let tags = content.parse_terminated(tag, Token![,])?;
    let tags: Vec<(LitStr, LitStr)> = tags.into_iter().collect();
    for (at, (name, tag)) in tags.iter().enumerate() {
        let text = name.value();
        if text.is_empty() || text.chars().count() > LONGEST_KEY || text.starts_with("aws:") {
            errors.at(
                name,
                format_args!(
                    "AWS does not take `{text}` as the name of a tag: it has 1 to {LONGEST_KEY} characters and does not start with `aws:`"
                ),
            );
        }
        if tag.value().chars().count() > LONGEST_VALUE {
            errors.at(
                tag,
                format_args!("the value of a tag has at most {LONGEST_VALUE} characters"),
            );
        }
        if tags.iter().take(at).any(|(other, _)| other.value() == text) {
            errors.at(name, format_args!("the tag `{text}` is given twice"));
        }
    }
    if let Some((name, _)) = tags.get(MOST_TAGS) {
        errors.at(
            name,
            format_args!("a table can have at most {MOST_TAGS} tags"),
        );
    }
    Ok(tags)
}

fn tag(input: ParseStream<'_>) -> syn::Result<(LitStr, LitStr)> {
    let name = if input.peek(LitStr) {
        input.parse()?
    } else {
        let name = input.call(Ident::parse_any)?;
        LitStr::new(&name.unraw().to_string(), name.span())
    };
    Ok((name, value(input)?))
}

/// `= "on_demand"` or `= provisioned(read = 5, write = 5)`
pub(super) fn billing(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<BillingAttr> {
    input.parse::<Token![=]>()?;
    if input.peek(LitStr) {
        let text: LitStr = input.parse()?;
        return match text.value().as_str() {
            "on_demand" => Ok(BillingAttr::OnDemand),
            _ => Err(syn::Error::new(text.span(), BILLING)),
        };
    }
    let mode = input.call(Ident::parse_any)?;
    if mode != "provisioned" || !input.peek(syn::token::Paren) {
        return Err(syn::Error::new(mode.span(), BILLING));
    }
    let (mut read, mut write) = (Slot::default(), Slot::default());
    let content;
    parenthesized!(content in input);
    options(&content, errors, |key, input, errors| {
        let slot = match key.to_string().as_str() {
            "read" => &mut read,
            "write" => &mut write,
            _ => return Err(syn::Error::new(key.span(), BILLING)),
        };
        slot.set(&key, units(input, errors)?, errors);
        Ok(())
    })?;
    match (read.into_inner(), write.into_inner()) {
        (Some(read), Some(write)) => Ok(BillingAttr::Provisioned { read, write }),
        _ => Err(syn::Error::new(mode.span(), BILLING)),
    }
}

/// `= 5`
fn units(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<u32> {
    let literal: LitInt = value(input)?;
    let units = literal.base10_parse()?;
    if units == 0 {
        errors.at(&literal, "DynamoDB provisions at least one capacity unit");
    }
    Ok(units)
}

impl Parse for EncryptionAttr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return match text.value().as_str() {
                "aws_owned" => Ok(Self::Owned),
                "aws_managed" => Ok(Self::Managed),
                _ => Err(syn::Error::new(text.span(), ENCRYPTION)),
            };
        }
        let kms = input.call(Ident::parse_any)?;
        if kms != "kms" || !input.peek(syn::token::Paren) {
            return Err(syn::Error::new(kms.span(), ENCRYPTION));
        }
        let content;
        parenthesized!(content in input);
        let key: LitStr = content.parse()?;
        if key.value().is_empty() {
            return Err(syn::Error::new(key.span(), ENCRYPTION));
        }
        Ok(Self::Kms(key))
    }
}
