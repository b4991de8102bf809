//! What DynamoDB changes in place it must find: not under an alias of the field, and where it sets what is absent, not as NULL.

use crate::codec::{EncodeError, Item};
use crate::entity::changes::{Change, Clause};
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
    /// What must not be so for a change to do what it says.
    pub(crate) fn of(clause: &Clause) -> Vec<Self> {
        let path = &clause.path;
        let mut all: Vec<Self> = path.way().iter().flat_map(Self::under_alias).collect();
        match clause.change {
            // The aliases are removed.
            Change::Set(_) | Change::Remove => {}
            _ => all.extend(Self::under_alias(path)),
        }
        if matches!(clause.change, Change::SetIfAbsent(_)) {
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

    /// What is wrong with the item that failed the condition, if this is.
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
                    "is stored under its alias `{alias}`, where an update does not find it: set the whole field, or write the item with `put`"
                );
                (path, problem)
            }
        };
        Some(path.locate(EncodeError::new(problem)))
    }
}
