//! The fields that Dyna fills in by itself.

use super::fields::RawField;
use crate::attr::FieldAttr;
use crate::error::Errors;
use crate::model::{Key, ManagedRole};
use syn::ext::IdentExt;

/// What Dyna does with the field: one thing at most.
pub(super) fn managed(dyna: &FieldAttr, errors: &mut Errors) -> Option<ManagedRole> {
    let mut given = ManagedRole::ALL
        .into_iter()
        .filter_map(|(name, managed)| Some((dyna.flag(name)?, managed)));
    let (flag, managed) = given.next()?;
    if let Some((other, _)) = given.next() {
        errors.at(
            other,
            format_args!("a field cannot be both `{flag}` and `{other}`"),
        );
    }
    if let Some(key_only) = dyna.flag("key_only") {
        errors.at(
            key_only,
            format_args!("`{flag}` is stored in an attribute, so the field cannot be `key_only`"),
        );
    }
    Some(managed)
}

/// What Dyna fills in is there once, is stored, and is not chosen by the primary key.
pub(super) fn check_managed(fields: &[RawField], key: Option<&Key>, errors: &mut Errors) {
    check_version(fields, errors);
    for (name, managed) in ManagedRole::ALL {
        let with = |raw: &&RawField| raw.field.managed == Some(managed);
        let mut given = fields.iter().filter(with);
        for raw in given
            .clone()
            .filter(|raw| raw.skip.is_some() || raw.flatten)
        {
            let field = &raw.field.ident;
            errors.at(
                field,
                format_args!("`{field}` is `{name}`, so serde cannot skip or flatten it"),
            );
        }
        let in_key = |raw: &&RawField| {
            let ident = raw.field.ident.unraw().to_string();
            key.is_some_and(|key| key.parts().any(|part| part.path == ident))
        };
        for raw in given.clone().filter(in_key) {
            if managed == ManagedRole::Ttl {
                continue;
            }
            let field = &raw.field.ident;
            errors.help(
                field,
                format_args!("`{field}` is part of the primary key, so it cannot be `{name}`"),
                if managed == ManagedRole::Unique {
                    "a primary key is unique by itself"
                } else {
                    "give the value when the entity is made, and remove the option"
                },
            );
        }
        if let (Some(first), Some(second)) = (given.next(), given.next())
            && managed != ManagedRole::Unique
        {
            errors.at(
                &second.field.ident,
                format_args!("`{}` is `{name}` already", first.field.ident),
            );
        }
    }
}

/// DynamoDB counts a version itself, so it is stored as the number that it is.
fn check_version(fields: &[RawField], errors: &mut Errors) {
    let is_version = |raw: &&RawField| raw.field.managed == Some(ManagedRole::Version);
    let written = fields.iter().filter(is_version);
    for with in written.filter_map(|raw| raw.with.as_ref()) {
        errors.help(
            with,
            "a version is counted by DynamoDB, so serde has to store it as a number",
            "remove this option",
        );
    }
}
