//! Condition checks: an item that a transaction reads but does not write.

use crate::entity::Entity;
use crate::entity::Key;
use crate::entity::fill::Precondition;
use crate::error::Result;
use crate::expr::{Condition, Expr};
use crate::write::{Write, WriteKind};
use std::marker::PhantomData;

/// A condition check on an item that a transaction does not write: `User::check("ann").exists()`, passed to
/// [`TransactWrite::check`](super::TransactWrite::check).
///
#[doc = include_str!("../guide/lost/transact.md")]
#[must_use = "a check does nothing until a transaction has it"]
pub struct ConditionCheck<E: Entity, C = WithCondition> {
    key: Key<E>,
    condition: Expr,
    state: PhantomData<fn() -> C>,
}

/// The check has a condition.
#[derive(Debug)]
pub enum WithCondition {}

/// The check has no condition yet.
#[derive(Debug)]
pub enum NoCondition {}

/// A check that asks for something.
#[diagnostic::on_unimplemented(
    message = "a check needs a condition",
    label = "no condition",
    note = "add `.exists()`, `.missing()` or `.when(..)`"
)]
pub trait HasCondition {}
impl HasCondition for WithCondition {}

impl<E: Entity> ConditionCheck<E, NoCondition> {
    /// Of the item with this key.
    pub fn new(key: Key<E>) -> Self {
        Self {
            key,
            condition: Expr::default(),
            state: PhantomData,
        }
    }
}

impl<E: Entity, C> ConditionCheck<E, C> {
    /// Requires that the item matches the condition; without an item, comparisons are false. Several conditions are combined with AND.
    pub fn when(self, condition: Condition<E>) -> ConditionCheck<E> {
        self.and(condition.into_expr())
    }

    /// Requires that the item exists.
    pub fn exists(self) -> ConditionCheck<E> {
        self.and(Precondition::MustExist.condition(E::META.schema))
    }

    /// Requires that the item does not exist.
    pub fn missing(self) -> ConditionCheck<E> {
        self.and(Precondition::MustNotExist.condition(E::META.schema))
    }

    fn and(self, condition: Expr) -> ConditionCheck<E> {
        ConditionCheck {
            key: self.key,
            condition: self.condition.and(condition),
            state: PhantomData,
        }
    }

    pub(super) fn write(self) -> Result<Write> {
        let claim = self.key.claim();
        let key = self.key.into_id()?.into_item(&E::META.schema.key);
        Ok(Write {
            condition: self.condition,
            claim,
            ..Write::new(E::META, WriteKind::Check(key))
        })
    }
}

impl<E: Entity, C> std::fmt::Debug for ConditionCheck<E, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Check({:?})", self.key)
    }
}
