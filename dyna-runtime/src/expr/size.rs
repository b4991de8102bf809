//! Conditions on the size of a field.

use super::condition::Condition;
use super::expression::Expr;
use super::node::{Junction, Node, Other, Subject};
use super::path::Path;
use super::render::Rendered;
use aws_sdk_dynamodb::types::AttributeValue;
use std::fmt;
use std::marker::PhantomData;

/// The size of a field, to be compared: `Message::REACTIONS.size().gt(3)`.
#[must_use = "a size is there to be compared"]
pub struct Size<E> {
    path: Path,
    entity: PhantomData<fn() -> E>,
}

impl<E> Size<E> {
    pub(super) fn new(path: Path) -> Self {
        Self {
            path,
            entity: PhantomData,
        }
    }

    /// Is equal.
    pub fn eq(self, size: usize) -> Condition<E> {
        self.compare(" = ", size)
    }

    /// Is not equal.
    pub fn ne(self, size: usize) -> Condition<E> {
        self.compare(" <> ", size)
    }

    /// Is less.
    pub fn lt(self, size: usize) -> Condition<E> {
        self.compare(" < ", size)
    }

    /// Is less or equal.
    pub fn le(self, size: usize) -> Condition<E> {
        self.compare(" <= ", size)
    }

    /// Is greater.
    pub fn gt(self, size: usize) -> Condition<E> {
        self.compare(" > ", size)
    }

    /// Is greater or equal.
    pub fn ge(self, size: usize) -> Condition<E> {
        self.compare(" >= ", size)
    }

    /// Is one of the two or lies between them; never, if `low` is greater than `high`.
    pub fn between(self, low: usize, high: usize) -> Condition<E> {
        let node = |path| {
            if low > high {
                Node::Never
            } else {
                Node::Between(Subject::Size(path), number(low), number(high))
            }
        };
        Condition::from_expr(Expr::wherever(&self.path, Junction::Or, node))
    }

    fn compare(self, comparator: &'static str, size: usize) -> Condition<E> {
        let node =
            |path| Node::Compare(Subject::Size(path), comparator, Other::Value(number(size)));
        let junction = Junction::of(comparator);
        Condition::from_expr(Expr::wherever(&self.path, junction, node))
    }
}

/// Without the keys of maps, which may be personal data.
impl<E> fmt::Debug for Size<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Rendered::default();
        self.path.render(&mut out);
        write!(f, "Size({})", out.expression)
    }
}

fn number(size: usize) -> AttributeValue {
    AttributeValue::N(size.to_string())
}
