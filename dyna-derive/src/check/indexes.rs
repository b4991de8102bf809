//! The indexes that an entity is in.

use super::names::{ENTITY_FUNCTIONS, TABLE_FUNCTIONS};
use super::templates::{TemplateScope, TemplateSite};
use crate::attr::{EntityAttr, IndexUse, TableRef};
use crate::error::Errors;
use crate::model::{Index, each};
use syn::ext::IdentExt;

pub(super) fn indexes(
    scope: &TemplateScope<'_>,
    attr: &EntityAttr,
    errors: &mut Errors,
) -> Vec<Index> {
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
        let place = TemplateSite::Index(&name);
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
