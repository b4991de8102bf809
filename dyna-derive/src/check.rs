//! Raw attributes to the model: small checks, each of which reports and goes on.

mod scope;

use crate::attr::{EntityAttr, FieldAttr, IndexUse, TableRef, crate_path};
use crate::attr::{SerdeAttr, Skip};
use crate::docs;
use crate::error::Errors;
use crate::model::{Entity, Field, FlatField, Flattened, Form, Index, Kept, Key, Part};
use crate::names::{ENTITY_FUNCTIONS, TABLE_FUNCTIONS, check_consts, check_setters};
use crate::template::{Format, Function, LayoutItem};
use proc_macro2::TokenStream;
use quote::ToTokens;
use scope::{Place, Scope};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Ident, LitStr};

const ONE_STRUCT: &str = "an entity is a struct with named fields";

/// The entity, or all that is wrong with it.
pub(crate) fn entity(input: &DeriveInput) -> Result<Entity, Errors> {
    let mut errors = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut errors);
    let serde = SerdeAttr::parse(&input.attrs, &mut errors);
    let krate = crate_path(attr.krate.get());
    check_generics(input, &mut errors);
    let fields = fields(input, &serde, &mut errors);
    let delimiter = delimiter(attr.delimiter.get(), &mut errors);
    let table = table(input, &attr, &mut errors);
    let scope = Scope {
        entity: &input.ident,
        krate: &krate,
        delimiter,
        fields: fields.as_deref().unwrap_or_default(),
    };
    let key = scope.key(
        attr.pk.as_slice(),
        attr.sk.as_slice(),
        Place::Primary(&input.ident),
        &mut errors,
    );
    let indexes = indexes(&scope, &attr, &mut errors);
    if let Some(fields) = &fields {
        check_key_only(fields, key.as_ref(), &mut errors);
        check_kept(fields, key.as_ref(), &mut errors);
        check_attributes(fields, &mut errors);
        check_consts(fields.iter().filter_map(RawField::constant), &mut errors);
    }
    if let Some(key) = &key {
        check_lossy(key, &mut errors);
    }
    if let Some(form) = &serde.other_form {
        errors.help(
            form,
            format_args!("an entity is stored field by field, and `{form}` stores another form"),
            "remove it from the struct",
        );
    }
    let entity = match (key, table, fields, errors.is_empty()) {
        (Some(key), Some(table), Some(fields), true) => Entity {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            table,
            tag: attr
                .tag
                .get()
                .map_or_else(|| input.ident.unraw().to_string(), LitStr::value),
            delimiter,
            key,
            indexes,
            stores_null: attr.nulls.get().is_some(),
            sees_unknown: serde.deny_unknown_fields || fields.iter().any(|field| field.flatten),
            flattened: flattened(&fields),
            fields: fields.into_iter().filter_map(RawField::stored).collect(),
            doc: docs::first_paragraph(&input.attrs),
            krate,
        },
        _ => return Err(errors),
    };
    check_setters(&entity.setters(), &mut errors);
    if errors.is_empty() {
        Ok(entity)
    } else {
        Err(errors)
    }
}

/// A field as it is written, with what serde says of it.
pub(crate) struct RawField {
    field: Field,
    key_only: Option<Ident>,
    skip: Option<Skip>,
    flatten: bool,
    aliases: Vec<String>,
    with: Option<Ident>,
}

impl RawField {
    /// The field, if it has an attribute of its own.
    pub(crate) fn stored(self) -> Option<Field> {
        (self.skip.is_none() && !self.flatten).then_some(self.field)
    }

    /// The field, if it has a constant.
    fn constant(&self) -> Option<&Field> {
        (self.skip.is_none() && !self.flatten && self.key_only.is_none()).then_some(&self.field)
    }
}

/// What the entity flattens, and the names that this may not write besides those of stored fields.
fn flattened(fields: &[RawField]) -> Flattened {
    let (flat, named): (Vec<_>, Vec<_>) = fields.iter().partition(|raw| raw.flatten);
    if flat.is_empty() {
        return Flattened::default();
    }
    let attribute = |raw: &&RawField| raw.field.attribute.clone();
    let unread = named.iter().filter(|raw| raw.skip == Some(Skip::Reading));
    let unwritten = named.iter().filter(|raw| raw.skip == Some(Skip::Writing));
    let write_only: Vec<_> = unread.map(attribute).collect();
    let declared = unwritten
        .map(attribute)
        .chain(write_only.iter().cloned())
        .chain(named.iter().flat_map(|raw| raw.aliases.iter().cloned()))
        .collect();
    let written = flat
        .iter()
        .filter(|raw| matches!(raw.skip, None | Some(Skip::Reading)));
    let fields = written.map(|raw| FlatField {
        ident: raw.field.ident.clone(),
        ty: raw.field.ty.clone(),
        serialize: raw.field.serialize.clone(),
        is_read: raw.field.deserialize.is_none() && raw.skip.is_none(),
    });
    Flattened {
        fields: fields.collect(),
        declared,
        write_only,
    }
}

fn check_generics(input: &DeriveInput, errors: &mut Errors) {
    if !input.generics.params.is_empty() {
        errors.help(
            &input.generics,
            format_args!(
                "`{}` is generic, and an entity is one type of item",
                input.ident
            ),
            "write an entity for each type, or make the generic part a field",
        );
    }
}

fn fields(input: &DeriveInput, serde: &SerdeAttr, errors: &mut Errors) -> Option<Vec<RawField>> {
    let what = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                return Some(
                    fields
                        .named
                        .iter()
                        .filter_map(|field| {
                            let dyna = FieldAttr::parse(&field.attrs, errors);
                            raw_field(field, serde, dyna, errors)
                        })
                        .collect(),
                );
            }
            Fields::Unnamed(_) => "a tuple struct",
            Fields::Unit => "a unit struct",
        },
        Data::Enum(_) => "an enum",
        Data::Union(_) => "a union",
    };
    let help = match &input.data {
        Data::Enum(_) => "an enum of entities is a table: derive `DynaTable` on it",
        _ => "name the fields: templates refer to them as `<field>`",
    };
    errors.help(
        &input.ident,
        format_args!("{ONE_STRUCT}, and `{}` is {what}", input.ident),
        help,
    );
    None
}

/// The field with what its attributes say: `dyna` is the one of ours.
pub(crate) fn raw_field(
    field: &syn::Field,
    container: &SerdeAttr,
    dyna: FieldAttr,
    errors: &mut Errors,
) -> Option<RawField> {
    let ident = field.ident.clone()?;
    let serde = SerdeAttr::parse(&field.attrs, errors);
    let name = ident.unraw().to_string();
    let attribute = serde.rename.unwrap_or_else(|| {
        container
            .rename_all
            .map_or_else(|| name.clone(), |case| case.field(&name))
    });
    // Without a function of its own, an `Option` that is not there is `None` to serde.
    let is_read = serde.deserialize.is_some() && serde.default.is_none();
    let asked = is_read && container.default.is_none() && scope::is_option(&field.ty);
    // Serde takes an alias that is the name itself, and one that is given twice.
    let mut aliases = serde.aliases.clone();
    aliases.sort();
    aliases.dedup();
    aliases.retain(|alias| *alias != attribute);
    Some(RawField {
        field: Field {
            ident,
            vis: field.vis.clone(),
            ty: field.ty.clone(),
            attribute,
            aliases,
            stores_null: dyna.flag("nulls").is_some(),
            key_only: dyna.flag("key_only").is_some(),
            kept: kept(&dyna, errors),
            doc: docs::first_paragraph(&field.attrs),
            form: Form::of(serde.serialize.as_ref(), serde.module),
            serialize: serde.serialize,
            deserialize: serde.deserialize,
            asked,
        },
        key_only: dyna.flag("key_only").cloned(),
        skip: serde.skip,
        flatten: serde.flatten,
        aliases: serde.aliases,
        with: serde.with,
    })
}

/// What Dyna does with the field: one thing at most.
fn kept(dyna: &FieldAttr, errors: &mut Errors) -> Option<Kept> {
    let mut given = Kept::ALL
        .into_iter()
        .filter_map(|(name, kept)| Some((dyna.flag(name)?, kept)));
    let (flag, kept) = given.next()?;
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
    Some(kept)
}

/// The delimiter: one ASCII punctuation mark.
pub(crate) fn delimiter(given: Option<&LitStr>, errors: &mut Errors) -> u8 {
    let Some(literal) = given else { return b'#' };
    match literal.value().as_bytes() {
        [byte] if byte.is_ascii_punctuation() && !b"<>".contains(byte) => *byte,
        _ => {
            errors.at(
                literal,
                "a delimiter is one ASCII punctuation mark other than `<` and `>`, such as \"#\"",
            );
            b'#'
        }
    }
}

fn table(input: &DeriveInput, attr: &EntityAttr, errors: &mut Errors) -> Option<TokenStream> {
    match attr.table.get() {
        Some(TableRef::Of(path)) => Some(path.to_token_stream()),
        Some(TableRef::Own(_)) => Some(input.ident.to_token_stream()),
        // A misspelled option has been reported.
        None if !errors.is_empty() => None,
        None => {
            errors.help(
                &input.ident,
                format_args!("`{}` has no table", input.ident),
                "write `#[dyna(table = Table, ..)]` with the enum that lists it, \
                 or `table(name = \"..\", pk = \"..\")` and derive `DynaTable` too if the table holds nothing else",
            );
            None
        }
    }
}

fn indexes(scope: &Scope<'_>, attr: &EntityAttr, errors: &mut Errors) -> Vec<Index> {
    let uses: &[IndexUse] = &attr.indexes;
    let own = matches!(attr.table.get(), Some(TableRef::Own(_)));
    let mut indexes: Vec<Index> = Vec::new();
    for index in uses {
        let name = index.name.clone();
        let accessor = index
            .accessor
            .get()
            .cloned()
            .unwrap_or_else(|| name.clone());
        if indexes.iter().any(|other| other.name == name) {
            errors.at(&name, format_args!("index `{name}` is given twice"));
        }
        let function = accessor.unraw().to_string();
        let function = function.as_str();
        if ENTITY_FUNCTIONS.contains(&function) || own && TABLE_FUNCTIONS.contains(&function) {
            errors.help(
                &accessor,
                format_args!(
                    "entities have, or will have, a function `{accessor}` of another meaning"
                ),
                format_args!("give the query of this index another name, such as `as = by_{name}`"),
            );
        }
        if indexes.iter().any(|other| other.accessor == accessor) {
            errors.help(
                &accessor,
                format_args!("two indexes are queried by `{}::{accessor}`", scope.entity),
                "name one of them with `as = ..`",
            );
        }
        if let Some(other) = indexes
            .iter()
            .find(|other| accessor == each(&other.accessor) || other.accessor == each(&accessor))
        {
            errors.help(
                &accessor,
                format_args!(
                    "`{accessor}` and `{}` differ by `_each`, which is the query over several partitions",
                    other.accessor
                ),
                "give one of them another name with `as = ..`",
            );
        }
        let place = Place::Index(&name);
        if let Some(key) = scope.key(index.pk.all(), index.sk.all(), place, errors) {
            indexes.push(Index {
                name,
                accessor,
                key,
            });
        }
    }
    indexes
}

/// The query over several partitions.
fn each(accessor: &Ident) -> String {
    format!("{}_each", accessor.unraw())
}

fn check_key_only(fields: &[RawField], key: Option<&Key>, errors: &mut Errors) {
    for raw in fields {
        let Some(key_only) = &raw.key_only else {
            continue;
        };
        let name = raw.field.ident.unraw().to_string();
        if let Some(with) = &raw.with {
            errors.help(
                with,
                format_args!("`{name}` is read from the key, so `{with}` would have no effect"),
                "remove it, or remove `key_only`",
            );
        }
        if raw.skip.is_some() || raw.flatten {
            errors.at(
                key_only,
                format_args!(
                    "`{name}` cannot be both `key_only` and skipped or flattened by serde"
                ),
            );
        }
        if let Some(key) = key
            && !key
                .parts()
                .any(|part| part.path == name && part.is_readable())
        {
            errors.help(
                key_only,
                format_args!(
                    "`{name}` is not stored, and cannot be read back from the primary key"
                ),
                format_args!(
                    "write `<{name}>` in `pk` or `sk`, without a function or a date layout"
                ),
            );
        }
    }
}

/// What Dyna fills in is there once, is stored, and is not chosen by the primary key.
fn check_kept(fields: &[RawField], key: Option<&Key>, errors: &mut Errors) {
    check_version(fields, errors);
    for (name, kept) in Kept::ALL {
        let with = |raw: &&RawField| raw.field.kept == Some(kept);
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
            if kept == Kept::Ttl {
                continue;
            }
            let field = &raw.field.ident;
            errors.help(
                field,
                format_args!("`{field}` is part of the primary key, so it cannot be `{name}`"),
                if kept == Kept::Unique {
                    "a primary key is unique by itself"
                } else {
                    "give the value when the entity is made, and remove the option"
                },
            );
        }
        if let (Some(first), Some(second)) = (given.next(), given.next())
            && kept != Kept::Unique
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
    let is_version = |raw: &&RawField| raw.field.kept == Some(Kept::Version);
    let written = fields.iter().filter(is_version);
    for with in written.filter_map(|raw| raw.with.as_ref()) {
        errors.help(
            with,
            "a version is counted by DynamoDB, so serde has to store it as a number",
            "remove this option",
        );
    }
}

/// A primary key that holds only a part of each field does not tell items apart.
fn check_lossy(key: &Key, errors: &mut Errors) {
    let lossy = |part: &Part| {
        matches!(part.function, Some(Function::Shard(_)))
            || matches!(&part.format, Some(Format::Layout(items)) if !items.iter().any(LayoutItem::is_day))
    };
    if let Some(part) = key.parts().next()
        && key.parts().all(lossy)
    {
        errors.help(
            &key.pk[0].literal,
            format_args!(
                "this key says only a part of `{}`, so different items would have the same key",
                part.path
            ),
            "add a field that tells them apart, such as an id",
        );
    }
}

/// Each stored field has an attribute of its own, under each of its names.
pub(crate) fn check_attributes(fields: &[RawField], errors: &mut Errors) {
    let stored: Vec<_> = fields
        .iter()
        .filter(|raw| raw.skip.is_none() && !raw.flatten)
        .collect();
    for (at, raw) in stored.iter().enumerate() {
        let Field {
            ident, attribute, ..
        } = &raw.field;
        if attribute.is_empty() {
            errors.help(
                ident,
                format_args!("`{ident}` is stored in an attribute without a name"),
                "give it one: `#[serde(rename = \"..\")]`",
            );
        }
        if let Some(other) = stored[..at]
            .iter()
            .find(|other| other.field.attribute == *attribute)
        {
            errors.at(
                ident,
                format_args!(
                    "`{}` and `{ident}` are both stored as `{attribute}`",
                    other.field.ident
                ),
            );
        }
        let others = stored.iter().filter(|other| other.field.ident != *ident);
        for alias in &raw.field.aliases {
            let mut others = others.clone();
            let is_same = |other: &&&RawField| {
                let Field {
                    attribute, aliases, ..
                } = &other.field;
                attribute == alias || aliases.contains(alias)
            };
            if let Some(other) = others.find(is_same) {
                errors.at(
                    ident,
                    format_args!(
                        "the alias `{alias}` of `{ident}` is a name of `{}` too",
                        other.field.ident
                    ),
                );
            }
        }
    }
}
