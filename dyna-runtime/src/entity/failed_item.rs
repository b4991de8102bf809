//! The stored item that made a write fail, as an entity.

use super::Entity;
use crate::entity::decode;
use crate::error::{Error, Failure, Result};

impl Error {
    /// The stored item that did not meet the condition of a write of `E`, if there is one. In a transaction it is the first one of `E`;
    /// [`failures`](Self::failures) has the others.
    pub fn current_item<E: Entity>(&self) -> Option<Result<E>> {
        match self {
            Self::TransactionCancelled { failures, .. } => {
                failures.iter().find_map(Failure::current_item)
            }
            Self::ConditionFailed {
                entity,
                item: Some(item),
                ..
            }
            | Self::VersionConflict {
                entity,
                item: Some(item),
                ..
            } if *entity == E::META.name => Some(decode(item.clone())),
            Self::OutcomeUnknown {
                refused: Some(refused),
                ..
            } if refused.entity == E::META.name => refused.item.clone().map(decode),
            _ => None,
        }
    }
}

impl Failure {
    /// The stored item that did not meet the condition of this operation, if it is one of `E` and there is an item.
    pub fn current_item<E: Entity>(&self) -> Option<Result<E>> {
        let item = self.item.as_ref().filter(|_| self.id == E::META.id())?;
        Some(decode(item.clone()))
    }
}
