//! `#[derive(DynaEntity)]`: the struct and its options, checked together.

use super::delimiter;
use super::fields::{RawField, check_attributes, flattened, named_fields, raw_field};
use super::indexes::indexes;
use super::managed::check_managed;
use super::names::{check_consts, check_setters};
use super::templates::{TemplateScope, TemplateSite};
use super::types::is_option;
use super::variants::{EntityFields, variants};
use crate::attr::{EntityAttr, FieldAttr, SerdeAttr, TableRef, crate_path};
use crate::docs;
use crate::error::Errors;
use crate::model::{Delimiter, Entity, Index, Key, Part};
use crate::template::{Format, LayoutItem};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Path};

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
    let delimiter = delimiter::of_entity(&attr, errors);
    let table = table(input, &attr, errors);
    let several = fields.as_ref().and_then(|fields| fields.several.as_ref());
    let scope = TemplateScope {
        entity: &input.ident,
        delimiter: &delimiter,
        fields: fields.as_ref().map_or(&[], |fields| &fields.fields),
        uncommon: several.map_or(&[], |several| &several.uncommon),
        is_enum: several.is_some(),
    };
    let (pk, sk) = (attr.pk.as_slice(), attr.sk.as_slice());
    let site = TemplateSite::Primary(&input.ident);
    let key = scope.key(pk, sk, [&delimiter; 2], site, errors);
    let mut indexes = indexes(&scope, &attr, key.as_ref(), errors);
    if let Some(fields) = &fields {
        check_fields(fields, key.as_ref(), &mut indexes, errors);
    }
    if let Some(key) = &key {
        check_lossy(key, errors);
    }
    let is_enum = matches!(input.data, Data::Enum(_));
    let is_tag = |form: &&Ident| is_enum && *form == "tag";
    if let Some(form) = serde.other_form.as_ref().filter(|form| !is_tag(form)) {
        errors.help(
            form,
            format_args!("an entity is stored field by field, and `{form}` stores another form"),
            if is_enum {
                "remove it from the enum"
            } else {
                "remove it from the struct"
            },
        );
    }
    let (table, key, fields) = (table?, key?, fields?);
    let tag = attr.tag.get().map(LitStr::value);
    let EntityFields { fields, several } = fields;
    let flattens = several.as_ref().is_some_and(|several| several.flattens);
    let (tag_field, variants) = several.map(|it| (it.tag, it.variants)).unzip();
    Some(Entity {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        krate: crate_path(attr.krate.get()),
        table,
        tag: tag.unwrap_or_else(|| input.ident.unraw().to_string()),
        delimiter: Delimiter {
            text: delimiter,
            is_inherited: attr.delimiter.get().is_none(),
        },
        key,
        indexes,
        stores_null: attr.nulls.get().is_some(),
        sees_unknown: serde.deny_unknown_fields
            || flattens
            || fields.iter().any(|field| field.flatten),
        flattened: flattened(fields.iter()),
        fields: tag_field
            .into_iter()
            .chain(fields.into_iter().filter_map(RawField::stored))
            .collect(),
        variants,
        doc: docs::first_paragraph(&docs::comment(&input.attrs)),
        partial: is_partial(&attr),
        shares_key_with: attr
            .shares_key_with
            .into_inner()
            .map_or_else(Vec::new, |paths| paths.0),
    })
}

/// Its own table may say so for it.
fn is_partial(attr: &EntityAttr) -> bool {
    let of_table = match attr.table.get() {
        Some(TableRef::Own(table)) => table.settings.partial.get().is_some(),
        _ => false,
    };
    of_table || attr.partial.get().is_some()
}

fn check_fields(
    EntityFields { fields, several }: &EntityFields,
    key: Option<&Key>,
    indexes: &mut [Index],
    errors: &mut Errors,
) {
    check_key_only(fields, key, indexes, errors);
    check_managed(fields, key, errors);
    // Those of an enum are judged variant by variant.
    if several.is_none() {
        check_attributes(fields.iter(), errors);
    }
    let tag = several.iter().map(|several| &several.tag);
    let constants = fields.iter().filter(|raw| raw.is_stored());
    let constants = constants.map(|raw| &raw.field);
    check_consts(tag.chain(constants), errors);
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

fn fields(input: &DeriveInput, serde: &SerdeAttr, errors: &mut Errors) -> Option<EntityFields> {
    if let Some(fields) = named_fields(input) {
        let fields = fields.named.iter().filter_map(|field| {
            let dyna = FieldAttr::parse(&field.attrs, errors);
            raw_field(field, serde, dyna, errors)
        });
        return Some(EntityFields {
            fields: fields.collect(),
            several: None,
        });
    }
    let what = match &input.data {
        Data::Enum(data) => return variants(input, data, serde, errors),
        Data::Union(_) => "a union",
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => "a unit struct",
        Data::Struct(_) => "a tuple struct",
    };
    errors.help(
        &input.ident,
        format_args!("{ONE_STRUCT}, and `{}` is {what}", input.ident),
        NAME_FIELDS,
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

fn check_key_only(
    fields: &[RawField],
    key: Option<&Key>,
    indexes: &mut [Index],
    errors: &mut Errors,
) {
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
        let holds = |key: &Key| {
            let mut parts = key.parts();
            parts.any(|part| part.path == name && part.inputs.is_empty() && part.is_readable())
        };
        if key.is_none_or(holds) {
            continue;
        }
        if !indexes.iter().any(|index| holds(&index.key)) {
            errors.help(
                key_only,
                format_args!("`{name}` is not stored, and cannot be read back from a key"),
                format_args!(
                    "write `<{name}>` in `pk` or `sk` of the primary key or of an index, without a function or a date layout"
                ),
            );
            continue;
        }
        if is_option(&raw.field.ty) {
            continue;
        }
        let is_dense = |index: &Index| holds(&index.key) && !index.is_sparse_without(&name);
        let mut dense: Vec<_> = indexes.iter_mut().filter(|index| is_dense(index)).collect();
        if dense.is_empty() {
            errors.help(
                &raw.field.ty,
                format_args!(
                    "`{name}` is stored in the key of an index alone, and not every item is in that index"
                ),
                format_args!("make it an `Option`, or remove `key_only`"),
            );
        } else if dense.iter().all(|index| index.has_user_function()) {
            // The types of functions tell whether they give an `Option`.
            dense[0].holds_all = true;
        }
    }
}

/// A primary key that holds only a part of each field does not tell items apart.
fn check_lossy(key: &Key, errors: &mut Errors) {
    let lossy = |part: &Part| {
        part.buckets().is_some()
            || matches!(&part.format, Some(Format::Layout(items)) if !items.iter().any(LayoutItem::is_day))
    };
    if let Some(part) = key.parts().next()
        && key.parts().all(lossy)
    {
        errors.help(
            &key.pk[0].literal,
            format_args!(
                "this key holds only a part of `{}`, such as a bucket or a month, so different items would have the same key",
                part.path
            ),
            "add a unique field, such as an id",
        );
    }
}
