//! `#[derive(DynaEntity)]`: what the struct and its options say, together.

use super::delimiter::delimiter;
use super::fields::{RawField, check_attributes, flattened, named_fields, raw_field};
use super::indexes::indexes;
use super::managed::check_managed;
use super::names::{check_consts, check_setters};
use super::templates::{TemplateScope, TemplateSite};
use crate::attr::{EntityAttr, FieldAttr, SerdeAttr, TableRef, crate_path};
use crate::docs;
use crate::error::Errors;
use crate::model::{Entity, Key, Part};
use crate::template::{Format, Function, LayoutItem};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, LitStr, Path};

const ONE_STRUCT: &str = "an entity is a struct with named fields";
const NAME_FIELDS: &str = "name the fields: templates refer to them as `<field>`";

/// The entity, or all that is wrong with it.
pub(crate) fn entity(input: &DeriveInput) -> Result<Entity, Errors> {
    let mut errors = Errors::default();
    let entity = read(input, &mut errors).filter(|_| errors.is_empty());
    if let Some(entity) = &entity {
        check_setters(&entity.setters(), &mut errors);
    }
    errors.into_result(entity)
}

fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Entity> {
    let attr = EntityAttr::parse(&input.attrs, errors);
    let serde = SerdeAttr::parse(&input.attrs, errors);
    check_generics(input, errors);
    let fields = fields(input, &serde, errors);
    let delimiter = delimiter(attr.delimiter.get(), errors);
    let table = table(input, &attr, errors);
    let scope = TemplateScope {
        entity: &input.ident,
        delimiter,
        fields: fields.as_deref().unwrap_or_default(),
    };
    let (pk, sk) = (attr.pk.as_slice(), attr.sk.as_slice());
    let key = scope.key(pk, sk, TemplateSite::Primary(&input.ident), errors);
    let indexes = indexes(&scope, &attr, errors);
    if let Some(fields) = &fields {
        check_fields(fields, key.as_ref(), errors);
    }
    if let Some(key) = &key {
        check_lossy(key, errors);
    }
    if let Some(form) = &serde.other_form {
        errors.help(
            form,
            format_args!("an entity is stored field by field, and `{form}` stores another form"),
            "remove it from the struct",
        );
    }
    let (table, key, fields) = (table?, key?, fields?);
    let tag = attr.tag.get().map(LitStr::value);
    Some(Entity {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        krate: crate_path(attr.krate.get()),
        table,
        tag: tag.unwrap_or_else(|| input.ident.unraw().to_string()),
        delimiter,
        key,
        indexes,
        stores_null: attr.nulls.get().is_some(),
        sees_unknown: serde.deny_unknown_fields || fields.iter().any(|field| field.flatten),
        flattened: flattened(&fields),
        fields: fields.into_iter().filter_map(RawField::stored).collect(),
        doc: docs::first_paragraph(&docs::comment(&input.attrs)),
    })
}

fn check_fields(fields: &[RawField], key: Option<&Key>, errors: &mut Errors) {
    check_key_only(fields, key, errors);
    check_managed(fields, key, errors);
    check_attributes(fields, errors);
    check_consts(fields.iter().filter_map(RawField::constant), errors);
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
    if let Some(fields) = named_fields(input) {
        let fields = fields.named.iter().filter_map(|field| {
            let dyna = FieldAttr::parse(&field.attrs, errors);
            raw_field(field, serde, dyna, errors)
        });
        return Some(fields.collect());
    }
    let (what, help) = match &input.data {
        Data::Enum(_) => (
            "an enum",
            "an enum of entities is a table: derive `DynaTable` on it",
        ),
        Data::Union(_) => ("a union", NAME_FIELDS),
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => ("a unit struct", NAME_FIELDS),
        Data::Struct(_) => ("a tuple struct", NAME_FIELDS),
    };
    errors.help(
        &input.ident,
        format_args!("{ONE_STRUCT}, and `{}` is {what}", input.ident),
        help,
    );
    None
}

fn table(input: &DeriveInput, attr: &EntityAttr, errors: &mut Errors) -> Option<Path> {
    match attr.table.get() {
        Some(TableRef::Of(path)) => Some(path.clone()),
        Some(TableRef::Own(_)) => Some(input.ident.clone().into()),
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
