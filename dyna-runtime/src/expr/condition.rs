//! Conditions: a tree of comparisons, simplified while it is built.

use super::path::Path;
use crate::codec::EncodeError;
use crate::expr::expression::Expr;
use crate::expr::node::Junction;
use crate::expr::node::Node;
use std::fmt;
use std::marker::PhantomData;

/// Something that is true or false of an item of `E`: what a read filters by, or a write depends on.
///
/// It comes from a [`Field`](super::Field): `Message::CONTENT.contains("x").and(Message::EDITED.eq(true))`. A value that cannot be
/// stored is an error of the request that the condition is given to.
#[must_use = "a condition does nothing until a request has it"]
pub struct Condition<E> {
    expr: Expr,
    entity: PhantomData<fn() -> E>,
}

/// What a query of `E` is filtered by: a condition on its items.
#[diagnostic::on_unimplemented(
    message = "this is no condition on the items of `{E}`",
    label = "a condition on the fields of another type",
    note = "a collection is filtered by a field that all members have: `.filter({E}::for_all(condition))`"
)]
pub trait FilterOf<E> {
    /// The condition.
    fn into_condition(self) -> Condition<E>;
}

impl<E> FilterOf<E> for Condition<E> {
    fn into_condition(self) -> Self {
        self
    }
}

impl<E> Condition<E> {
    /// A condition on the value at a path, under whichever name it is stored, or the error of a value that was meant for it.
    pub(super) fn of<V>(
        path: &Path,
        value: Result<V, EncodeError>,
        node: impl Fn(Path, &V) -> Node,
    ) -> Self {
        Self::try_of(path, value, |path, value| {
            Expr::wherever(path, Junction::Or, |path| node(path, &value))
        })
    }

    /// A condition, or the error of a value that was meant for this place.
    pub(super) fn try_of<V>(
        path: &Path,
        value: Result<V, EncodeError>,
        expr: impl FnOnce(&Path, V) -> Expr,
    ) -> Self {
        match value {
            Ok(value) => Self::from_expr(expr(path, value)),
            Err(error) => Self::from_expr(Expr {
                node: Node::Never,
                error: Some(path.locate(error)),
            }),
        }
    }

    pub(super) fn from_expr(expr: Expr) -> Self {
        Self {
            expr,
            entity: PhantomData,
        }
    }

    pub(crate) fn into_expr(self) -> Expr {
        self.expr
    }

    /// The same condition on items of others, which have those attributes that are shared.
    pub(crate) fn of_others<O>(
        self,
        is_shared: impl Fn(&str) -> bool,
        problem: &'static str,
    ) -> Condition<O> {
        Condition::from_expr(self.expr.refuse(|name| !is_shared(name), problem))
    }

    /// Both are true.
    pub fn and(self, other: Self) -> Self {
        Self::all([self, other])
    }

    /// At least one of the two is true.
    pub fn or(self, other: Self) -> Self {
        Self::any([self, other])
    }

    /// It is false. The same as `!condition`.
    #[expect(
        clippy::should_implement_trait,
        reason = "it is implemented too; in a chain a method reads better"
    )]
    pub fn not(self) -> Self {
        !self
    }

    /// All of them are true: always, if there are none.
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(Junction::And, conditions)
    }

    /// At least one of them is true: never, if there are none.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(Junction::Or, conditions)
    }

    fn joined(junction: Junction, conditions: impl IntoIterator<Item = Self>) -> Self {
        let exprs = conditions.into_iter().map(Self::into_expr);
        Self::from_expr(Expr::join(junction, exprs))
    }
}

impl<E> std::ops::Not for Condition<E> {
    type Output = Self;

    fn not(self) -> Self {
        Self::from_expr(self.expr.negate())
    }
}

impl<E> Clone for Condition<E> {
    fn clone(&self) -> Self {
        Self::from_expr(self.expr.clone())
    }
}

/// The expression, without the values.
impl<E> fmt::Debug for Condition<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({:?})", self.expr)
    }
}
