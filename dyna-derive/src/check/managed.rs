//! The fields that Dyna fills in by itself.

use super::fields::RawField;
use crate::attr::{FieldAttr, SentinelAttr};
use crate::error::Errors;
use crate::model::{Key, ManagedRole, Sentinel, SentinelPiece};
use crate::template::{self, Piece, Placeholder, Problem};
use syn::LitStr;
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
    check_scopes(fields, key, errors);
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
                format_args!("a `{name}` field cannot be skipped or flattened by serde: `{field}`"),
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
            "a version must be stored as a number, because DynamoDB increments it",
            "remove this option",
        );
    }
}

/// The key of the items that stand for the values of a unique field: the field once, and fields of the primary key.
pub(super) fn sentinel(attr: &SentinelAttr, field: &str, errors: &mut Errors) -> Option<Sentinel> {
    let pieces = pieces(&attr.pk, errors);
    let sk = attr.sk.as_ref().map(|sk| fixed(sk, errors));
    let (pieces, sk) = (pieces?, sk.map_or(Some(None), |sk| sk.map(Some))?);
    let name = |placeholder: &Placeholder| placeholder.path.join(".").replace("r#", "");
    let placeholders = pieces.iter().filter_map(|piece| match piece {
        Piece::Placeholder(placeholder) => Some(placeholder),
        Piece::Literal(_) => None,
    });
    let is_plain = |one: &&Placeholder| one.format.is_none() && one.functions.is_empty();
    let changed = placeholders.clone().find(|one| !is_plain(one));
    let values = placeholders.filter(|one| name(one) == field).count();
    let (message, at) = match (changed, values) {
        (None, 1) => {
            return Some(Sentinel {
                literal: attr.pk.clone(),
                pieces: pieces.into_iter().map(sentinel_piece).collect(),
                sk,
                tag: attr.tag.as_ref().map(LitStr::value),
            });
        }
        (Some(changed), _) => (
            "the key of a unique value has fields without a format or a function".to_owned(),
            changed.at.clone(),
        ),
        (None, _) => (
            format!("the key of a unique value has the field once: `<{field}>`"),
            0..attr.pk.value().len(),
        ),
    };
    let help = format!(
        "write `UNIQUE#<{field}>`, or `<{field}..>` for values with the delimiter; fields of the primary key may stand before it"
    );
    let help = Some(help);
    errors.template(&attr.pk, &Problem { message, help, at });
    None
}

fn sentinel_piece(piece: Piece) -> SentinelPiece {
    match piece {
        Piece::Literal(text) => SentinelPiece::Literal(text),
        Piece::Placeholder(placeholder) => SentinelPiece::Field {
            name: placeholder.path.join(".").replace("r#", ""),
            rest: placeholder.rest,
            at: placeholder.at,
        },
    }
}

/// A value is unique within fields that never change while the item exists, and that are stored.
fn check_scopes(fields: &[RawField], key: Option<&Key>, errors: &mut Errors) {
    for (raw, sentinel) in fields
        .iter()
        .filter_map(|raw| Some((raw, raw.field.sentinel.as_ref()?)))
    {
        let own = raw.field.ident.unraw().to_string();
        for piece in &sentinel.pieces {
            let SentinelPiece::Field { name, at, .. } = piece else {
                continue;
            };
            let Some(key) = key.filter(|_| *name != own) else {
                continue;
            };
            let scope = fields.iter().find(|raw| raw.field.ident.unraw() == name);
            let is_stored = scope.is_some_and(|raw| raw.constant().is_some());
            let is_in_key = key.parts().any(|part| part.path == *name);
            let (message, help) = match (is_in_key, is_stored) {
                (true, true) => continue,
                (true, false) => (
                    format!(
                        "`{name}` has no attribute of its own, from which the key of a unique value could be made"
                    ),
                    "remove `key_only`",
                ),
                (false, _) => (
                    format!("`{name}` is not part of the primary key"),
                    "a value is unique in the whole table, or within fields of the primary key, which never change",
                ),
            };
            let problem = Problem {
                message,
                help: Some(help.to_owned()),
                at: at.clone(),
            };
            errors.template(&sentinel.literal, &problem);
        }
    }
}

/// A template without placeholders.
fn fixed(literal: &LitStr, errors: &mut Errors) -> Option<String> {
    let pieces = pieces(literal, errors)?;
    let placeholder = pieces.iter().find_map(|piece| match piece {
        Piece::Placeholder(placeholder) => Some(placeholder.at.clone()),
        Piece::Literal(_) => None,
    });
    if let Some(at) = placeholder {
        let problem = Problem {
            message: "the sort key of a unique value is the same for all of them".to_owned(),
            help: Some("write text without a placeholder".to_owned()),
            at,
        };
        errors.template(literal, &problem);
        return None;
    }
    Some(literal.value().replace("<<", "<"))
}

fn pieces(literal: &LitStr, errors: &mut Errors) -> Option<Vec<Piece>> {
    match template::parse(&literal.value()) {
        Ok(template) => Some(template.pieces),
        Err(problems) => {
            for problem in &problems {
                errors.template(literal, problem);
            }
            None
        }
    }
}
