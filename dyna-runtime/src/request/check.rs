//! Asking something of an item that a transaction does not write.

use crate::entity::Entity;
use crate::entity::Key;
use crate::entity::fill::Presence;
use crate::error::Result;
use crate::expr::{Condition, Expr};
use crate::write::{Action, Write};
use std::marker::PhantomData;

/// Lets a transaction depend on an item that it does not write: `User::check("ann").exists()`, given to
/// [`TransactWrite::check`](super::TransactWrite::check).
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
    label = "nothing is asked of the item",
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
    /// This must be true of the item; of no item, comparisons are false. Several conditions must all be true.
    pub fn when(self, condition: Condition<E>) -> ConditionCheck<E> {
        self.and(condition.into_expr())
    }

    /// There must be an item.
    pub fn exists(self) -> ConditionCheck<E> {
        self.and(Presence::Present.condition(E::META.schema))
    }

    /// There must be no item.
    pub fn missing(self) -> ConditionCheck<E> {
        self.and(Presence::Absent.condition(E::META.schema))
    }

    fn and(self, condition: Expr) -> ConditionCheck<E> {
        ConditionCheck {
            key: self.key,
            condition: self.condition.and(condition),
            state: PhantomData,
        }
    }

    pub(super) fn write(self) -> Result<Write> {
        let key = self.key.into_id()?.into_item(&E::META.schema.key);
        Ok(Write {
            condition: self.condition,
            ..Write::new(E::META, Action::Check(key))
        })
    }
}

impl<E: Entity, C> std::fmt::Debug for ConditionCheck<E, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Check({:?})", self.key)
    }
}
