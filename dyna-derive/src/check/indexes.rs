//! The indexes that an entity is in.

use super::delimiter::delimiter;
use super::names::{ENTITY_FUNCTIONS, TABLE_FUNCTIONS};
use super::templates::{TemplateScope, TemplateSite};
use crate::attr::{EntityAttr, IndexUse, TableRef};
use crate::error::{Errors, did_you_mean};
use crate::model::{Index, Key, ManagedRole, Part, When, each};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Path};

pub(super) fn indexes(
    scope: &TemplateScope<'_>,
    attr: &EntityAttr,
    primary: Option<&Key>,
    errors: &mut Errors,
) -> Vec<Index> {
    let uses: &[IndexUse] = &attr.indexes;
    let own = matches!(attr.table.get(), Some(TableRef::Own(_)));
    let mut indexes: Vec<Index> = Vec::new();
    for index in uses {
        let name = index.name.clone();
        let accessor = index.query_name();
        if index.needs_query_name() {
            errors.help(
                &name,
                format_args!(
                    "`{name}` is a keyword, so the query of this index cannot have its name"
                ),
                format_args!("give the query a name, such as `as = {accessor}`"),
            );
        }
        check_declared(scope, attr, &name, errors);
        if indexes.iter().any(|other| other.name == name) {
            errors.at(&name, format_args!("index `{name}` is given twice"));
        }
        let function = accessor.unraw().to_string();
        let function = function.as_str();
        if ENTITY_FUNCTIONS.contains(&function) || own && TABLE_FUNCTIONS.contains(&function) {
            errors.help(
                &accessor,
                format_args!(
                    "`{accessor}` is reserved: entities have (or will have) a function of that name"
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
            let (one, many) = if accessor == each(&other.accessor) {
                (&other.accessor, &accessor)
            } else {
                (&accessor, &other.accessor)
            };
            errors.help(
                &accessor,
                format_args!(
                    "`{many}` is also the name of the query of `{one}` over several partitions"
                ),
                "give one of them another name with `as = ..`",
            );
        }
        // A local index has the partition key of its table. That the index is local, the table has to say.
        let inherits_pk = index.pk.get().is_none();
        let pk = match primary {
            Some(_) if inherits_pk => attr.pk.as_slice(),
            // What is wrong with the primary key has been reported.
            None if inherits_pk => continue,
            _ => index.pk.all(),
        };
        let own = delimiter(index.delimiter.get(), errors);
        let own = own.as_deref().unwrap_or(scope.delimiter);
        let delimiters = [if inherits_pk { scope.delimiter } else { own }, own];
        let place = TemplateSite::Index;
        let when = index
            .when
            .get()
            .map(|path| when(scope, primary, path, errors));
        if let Some(key) = scope.key(pk, index.sk.all(), delimiters, place, errors) {
            let index = Index {
                name,
                accessor,
                key,
                inherits_pk,
                when: when.flatten(),
                holds_all: false,
            };
            check_inputs(scope, &index, errors);
            indexes.push(index);
        }
    }
    indexes
}

/// An entity that is its own table uses the indexes that it declares. Those of another table the types tell.
fn check_declared(scope: &TemplateScope<'_>, attr: &EntityAttr, name: &Ident, errors: &mut Errors) {
    let Some(TableRef::Own(table)) = attr.table.get() else {
        return;
    };
    if table.indexes.iter().any(|index| index.ident == *name) {
        return;
    }
    let declared: Vec<_> = table
        .indexes
        .iter()
        .map(|index| index.ident.to_string())
        .collect();
    let hint = did_you_mean(&name.to_string(), declared.iter().map(String::as_str));
    let help = if declared.is_empty() {
        format!("declare one in `table(..)`: `index({name}, pk = \"..\", sk = \"..\")`")
    } else {
        format!(
            "its indexes are `{}`; another is declared in `table(..)`: `index({name}, pk = \"..\", sk = \"..\")`",
            declared.join("`, `")
        )
    };
    let entity = scope.entity;
    let message = format_args!("table `{entity}` has no index `{name}`{hint}");
    errors.help(name, message, help);
}

/// What decides whether an item is in an index: a field, or a function of the entity.
fn when(
    scope: &TemplateScope<'_>,
    primary: Option<&Key>,
    path: &Path,
    errors: &mut Errors,
) -> Option<When> {
    let field = path.get_ident().map(|ident| {
        let mut fields = scope.fields.iter();
        fields.find(|raw| raw.field.ident == *ident)
    });
    match field {
        Some(Some(raw)) if raw.skip.is_some() || raw.flatten || raw.key_only.is_some() => {
            errors.help(
                path,
                format_args!("`{}` is not stored in an attribute of its own, so it cannot decide about an index", raw.field.ident),
                "store the field as it is",
            );
            None
        }
        Some(Some(raw)) => Some(When::Field(Box::new(Part::of_field(
            &raw.field,
            path.span(),
        )))),
        Some(None) => {
            let names = scope.fields.iter().map(|raw| raw.field.ident.to_string());
            let names: Vec<_> = names.collect();
            let name = path.to_token_stream().to_string();
            if let Some((message, help)) = scope.uncommon(&name) {
                errors.help(path, message, help);
                return None;
            }
            let hint = did_you_mean(&name, names.iter().map(String::as_str));
            errors.help(
                path,
                format_args!("`{}` has no field `{name}`{hint}", scope.entity),
                "write a field of type `bool`, or a function with its path, such as `Self::is_open` or `crate::keys::is_open`",
            );
            None
        }
        None => {
            check_decided_by_all(scope, path, errors)?;
            let in_key =
                |name: &str| primary.is_some_and(|key| key.parts().any(|part| part.path == name));
            let fields = scope.fields.iter();
            let fields = fields.filter(|raw| !in_key(&raw.field.ident.unraw().to_string()));
            Some(When::Function {
                path: path.clone(),
                fields: fields
                    .map(|raw| Part::of_field(&raw.field, path.span()))
                    .collect(),
            })
        }
    }
}

/// A function of the whole entity sees all of its fields, so all of them are what is stored.
fn check_decided_by_all(scope: &TemplateScope<'_>, path: &Path, errors: &mut Errors) -> Option<()> {
    const HELP: &str = "decide by a field of type `bool`, or by a function of some fields in the template that returns `Option`: `<(a, b)|crate::keys::f>`";
    if scope.is_enum {
        errors.help(
            path,
            "this function may look at the variant, and at fields that only some variants have",
            HELP,
        );
        return None;
    }
    let mut fields = scope.fields.iter();
    let why = fields.find_map(|raw| match filled_in(raw.field.managed) {
        _ if raw.skip.is_some() || raw.flatten => Some((raw, "is skipped or flattened by serde")),
        true => Some((raw, "is filled in by every write")),
        false => None,
    });
    let Some((raw, why)) = why else {
        return Some(());
    };
    errors.help(
        path,
        format_args!(
            "this function may look at `{}`, which {why}",
            raw.field.ident
        ),
        HELP,
    );
    None
}

/// What a key is made of besides its placeholders is not filled in by writes: it could not follow.
fn check_inputs(scope: &TemplateScope<'_>, index: &Index, errors: &mut Errors) {
    for input in index.inputs() {
        let mut fields = scope.fields.iter();
        let raw = fields.find(|raw| input.fields.first() == Some(&raw.field.ident));
        if raw.is_some_and(|raw| filled_in(raw.field.managed)) {
            errors.help(
                &input.span,
                format_args!(
                    "`{}` is filled in by every write, and the key of index `{}` could not follow",
                    input.path, index.name
                ),
                "remove it from the function, or remove the option and set the field yourself",
            );
        }
    }
}

fn filled_in(managed: Option<ManagedRole>) -> bool {
    use ManagedRole::{CreatedAt, UpdatedAt, Version};
    matches!(managed, Some(Version | CreatedAt | UpdatedAt))
}
