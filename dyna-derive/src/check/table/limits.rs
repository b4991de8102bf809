//! Limits of DynamoDB that would fail the creation of the table.

use crate::attr::{IndexAttr, IndexProjectionAttr, KeyAttr, TableAttr};
use crate::error::Errors;
use crate::model::const_name;
use syn::LitStr;

/// The most indexes that a table has in DynamoDB.
const MOST_LOCAL: usize = 5;
const MOST_GLOBAL: usize = 20;

/// The indexes of a table, and all of its key attributes.
pub(super) fn check_indexes(table: &TableAttr, errors: &mut Errors) {
    let indexes = &table.indexes;
    for (at, index) in indexes.iter().enumerate() {
        check_names(index, &indexes[..at], errors);
        if index.local && table.sk.get().is_none() {
            errors.at(
                &index.ident,
                "a table without a sort key has no local indexes",
            );
        }
        if let Some(IndexProjectionAttr::Include(attributes)) = index.projection.get()
            && attributes.is_empty()
        {
            errors.help(
                &index.ident,
                "`include()` names no attribute",
                "write `projection = \"keys_only\"`",
            );
        }
        check_apart(index.pk.all().iter().chain(index.sk.all()), errors);
    }
    for (local, most) in [(true, MOST_LOCAL), (false, MOST_GLOBAL)] {
        let mut alike = indexes.iter().filter(|index| index.local == local);
        if let Some(index) = alike.nth(most) {
            let what = if local { "local" } else { "global" };
            errors.at(
                &index.ident,
                format_args!("a table can have at most {most} {what} indexes"),
            );
        }
    }
    check_apart(table.pk.get().into_iter().chain(table.sk.get()), errors);
    check_attributes(table, errors);
}

/// An index has names of its own: in Rust, in DynamoDB, and as a constant.
fn check_names(index: &IndexAttr, earlier: &[IndexAttr], errors: &mut Errors) {
    let (ident, name) = (&index.ident, index.real_name());
    let constant = const_name(ident);
    if earlier.iter().any(|other| other.ident == *ident) {
        errors.at(ident, format_args!("index `{ident}` is declared twice"));
    } else if earlier.iter().any(|other| other.real_name() == name) {
        errors.at(ident, format_args!("two indexes are called `{name}`"));
    } else if let Some(other) = earlier
        .iter()
        .find(|other| const_name(&other.ident) == constant)
    {
        errors.help(
            ident,
            format_args!(
                "indexes `{}` and `{ident}` would both have the constant `{constant}`",
                other.ident
            ),
            "give one of them another name in Rust: `index(other, name = \"..\", ..)`",
        );
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !(3..=255).contains(&name.len()) || !name.chars().all(plain) {
        errors.help(
            ident,
            format_args!("DynamoDB does not take `{name}` as the name of an index"),
            "3 to 255 letters, digits, `_`, `-` and `.`: `index(short, name = \"..\", ..)`",
        );
    }
}

/// Every attribute has one type, a name, and one purpose.
fn check_attributes(table: &TableAttr, errors: &mut Errors) {
    let keys = table.pk.get().into_iter().chain(table.sk.get());
    let indexes = table.indexes.iter();
    let keys = keys.chain(indexes.flat_map(|index| index.pk.all().iter().chain(index.sk.all())));
    let mut seen: Vec<&KeyAttr> = Vec::new();
    for key in keys {
        let name = key.name.value();
        if name.is_empty() || name.len() > 255 || name.contains('<') {
            errors.help(
                &key.name,
                "this is the name of a key attribute, such as \"pk\"",
                "templates such as \"USER#<id>\" are written on the entities",
            );
        }
        match seen.iter().find(|other| other.name.value() == name) {
            Some(other) if other.kind != key.kind => {
                errors.at(
                    &key.name,
                    format_args!("attribute `{name}` is declared with two types"),
                );
            }
            Some(_) => {}
            None => seen.push(key),
        }
    }
    let tag = table.tag.get().map(LitStr::value);
    if let Some(ttl) = table.ttl.get()
        && (seen.iter().any(|key| key.name.value() == ttl.value()) || tag == Some(ttl.value()))
    {
        errors.at(
            ttl,
            "the time of expiry is a number of its own, neither a key nor the tag",
        );
    }
}

/// DynamoDB's own rules, with `{variables}` in between.
pub(super) fn check_name(name: &LitStr, errors: &mut Errors) {
    let text = name.value();
    let parts = text.split(['{', '}']);
    let braces: Vec<char> = text.chars().filter(|c| matches!(c, '{' | '}')).collect();
    let paired = braces.chunks(2).all(|pair| pair == ['{', '}']);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let valid = parts
        .enumerate()
        .all(|(at, part)| part.chars().all(plain) && (at % 2 == 0 || !part.is_empty()));
    let long_enough = !braces.is_empty() || text.len() >= 3;
    if !paired || !valid || !long_enough || text.len() > 255 {
        errors.help(
            name,
            "DynamoDB does not take this as the name of a table",
            "3 to 255 letters, digits, `_`, `-` and `.`, with variables such as `{stage}` in between",
        );
    }
}

/// The attributes of a key are different ones.
fn check_apart<'k>(keys: impl Iterator<Item = &'k KeyAttr>, errors: &mut Errors) {
    let mut seen: Vec<String> = Vec::new();
    for key in keys {
        let name = key.name.value();
        if seen.contains(&name) {
            errors.at(
                &key.name,
                format_args!("`{name}` is in this key already: its attributes are different ones"),
            );
        }
        seen.push(name);
    }
}
