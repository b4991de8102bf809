//! Conditions of changes in place: DynamoDB must find the attribute under its own name and, where it sets a missing one, not as NULL.

use crate::codec::{EncodeError, Item};
use crate::entity::changes::{Assignment, Change};
use crate::expr::{Expr, Path};

/// How an item must not store a field, so that an update finds it.
#[derive(Clone)]
pub(crate) enum InPlace {
    /// The field is stored as NULL, which `if_not_exists` takes for a value.
    Null(Path),
    /// The field, or a struct on the way to it, is stored under an alias.
    Alias {
        /// The name that the update uses.
        path: Path,
        /// The other one.
        alias: Path,
    },
}

impl InPlace {
    /// The conditions that must not hold for an in-place change.
    pub(crate) fn of(assignment: &Assignment) -> Vec<Self> {
        let path = &assignment.path;
        let mut all: Vec<Self> = path.way().iter().flat_map(Self::under_alias).collect();
        match assignment.change {
            // The aliases are removed.
            Change::Set(_) | Change::Remove => {}
            _ => all.extend(Self::under_alias(path)),
        }
        if matches!(assignment.change, Change::SetIfAbsent(_)) {
            all.push(Self::Null(path.clone()));
        }
        all
    }

    fn under_alias(path: &Path) -> Vec<Self> {
        let aliases = path.aliases().into_iter();
        let each = aliases.map(|alias| Self::Alias {
            path: path.clone(),
            alias,
        });
        each.collect()
    }

    pub(crate) fn condition(&self) -> Expr {
        match self {
            Self::Null(path) => Expr::not_null(path.clone()),
            Self::Alias { alias, .. } => Expr::unused(alias.clone()),
        }
    }

    /// The problem of the item that failed the condition, if this is the cause.
    pub(crate) fn problem(&self, item: &Item) -> Option<EncodeError> {
        let (path, problem) = match self {
            Self::Null(path) if path.find(item)?.is_null() => (
                path,
                "is stored as NULL, which an update cannot replace in place: set the field to a value"
                    .to_owned(),
            ),
            Self::Null(_) => return None,
            Self::Alias { path, alias } => {
                alias.find(item)?;
                let alias = alias.name();
                let problem = format!(
                    "is stored under its alias `{alias}`, which this update would not change; set the whole field, or write the item with `put`"
                );
                (path, problem)
            }
        };
        Some(path.locate(EncodeError::new(problem)))
    }
}
