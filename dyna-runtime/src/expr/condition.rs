//! Conditions: a tree of comparisons, simplified while it is built.

use super::path::Path;
use super::render::Rendered;
use crate::codec::EncodeError;
use crate::schema::AttributeName;
use crate::schema::{IndexSchema, KeyAttribute};
use aws_sdk_dynamodb::types::AttributeValue;
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

/// A condition whose entity is known elsewhere; by default one that is always true.
#[derive(Clone, Default)]
pub(crate) struct Expr {
    node: Node,
    /// The first value that cannot be written.
    error: Option<EncodeError>,
}

/// `Always` and `Never` are only ever the whole tree, a `Join` has two nodes or more, none of its own kind, and a `Not` is not
/// negated again: [`Expr::join`] and [`Expr::negate`] see to it.
#[derive(Clone, Default)]
pub(super) enum Node {
    #[default]
    Always,
    Never,
    Compare(Subject, &'static str, Other),
    Between(Subject, AttributeValue, AttributeValue),
    In(Path, Vec<AttributeValue>),
    Call(&'static str, Path, Option<AttributeValue>),
    Join(Junction, Vec<Node>),
    Not(Box<Node>),
}

/// What is compared.
#[derive(Clone)]
pub(super) enum Subject {
    Value(Path),
    Size(Path),
}

/// What it is compared with.
#[derive(Clone)]
pub(super) enum Other {
    Value(AttributeValue),
    /// What is stored there, in the same item.
    Path(Path),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Junction {
    And,
    Or,
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

impl Expr {
    /// The item has no such attribute; of its key: there is no item.
    pub(crate) fn absent(attribute: impl Into<AttributeName>) -> Self {
        Self::call("attribute_not_exists", Path::attribute(attribute))
    }

    /// The item has such an attribute; of its key: there is an item.
    pub(crate) fn present(attribute: impl Into<AttributeName>) -> Self {
        Self::call("attribute_exists", Path::attribute(attribute))
    }

    /// What is at this place is what was read there, under whichever name. Nothing and NULL are read alike.
    pub(crate) fn is(path: &Path, value: Option<AttributeValue>) -> Self {
        match value {
            Some(value) if !value.is_null() => Self::compare(path, " = ", &value),
            _ => Self::missing(path),
        }
    }

    /// Nothing is at this place, or NULL, which is read alike.
    pub(crate) fn missing(path: &Path) -> Self {
        Self::join(Junction::And, path.wherever().into_iter().map(Self::empty))
    }

    /// Something is at this place, and not NULL.
    pub(crate) fn exists(path: &Path) -> Self {
        let exists = |path: Path| {
            let there = Self::call("attribute_exists", path.clone());
            there.and(Self::compare_at(path, " <> ", Other::NULL))
        };
        Self::join(Junction::Or, path.wherever().into_iter().map(exists))
    }

    /// The same of this path alone.
    fn empty(path: Path) -> Self {
        let absent = Self::call("attribute_not_exists", path.clone());
        absent.or(Self::compare_at(path, " = ", Other::NULL))
    }

    /// Nothing is stored under this path, not even NULL.
    pub(crate) fn unused(path: Path) -> Self {
        Self::call("attribute_not_exists", path)
    }

    /// What is at this place is not NULL; it may be missing.
    pub(crate) fn not_null(path: Path) -> Self {
        Self::compare_at(path, " <> ", Other::NULL)
    }

    /// The value at this place, under whichever name, compared with another.
    pub(crate) fn compare(path: &Path, comparator: &'static str, value: &AttributeValue) -> Self {
        Self::wherever(path, Junction::of(comparator), |path| {
            Node::Compare(
                Subject::Value(path),
                comparator,
                Other::Value(value.clone()),
            )
        })
    }

    /// The values at two places, compared. What has no value is not equal to anything.
    pub(super) fn beside(path: &Path, comparator: &'static str, other: &Path) -> Self {
        let paths = path.wherever().into_iter();
        let pairs = paths.flat_map(|path| {
            let others = other.wherever().into_iter();
            others.map(move |other| (path.clone(), other))
        });
        let each = pairs.map(|(path, other)| {
            let compared = Self::compare_at(path.clone(), comparator, Other::Path(other));
            match comparator {
                " = " => compared.and(Self::compare_at(path, " <> ", Other::NULL)),
                " <> " => compared.or(Self::compare_at(path, " = ", Other::NULL)),
                _ => compared,
            }
        });
        Self::join(Junction::of(comparator), each)
    }

    fn compare_at(path: Path, comparator: &'static str, other: Other) -> Self {
        Self::from(Node::Compare(Subject::Value(path), comparator, other))
    }

    fn call(function: &'static str, path: Path) -> Self {
        Self::from(Node::Call(function, path, None))
    }

    /// A smaller value is at this place.
    pub(crate) fn less(path: &Path, value: &AttributeValue) -> Self {
        Self::compare(path, " < ", value)
    }

    /// This value or a smaller one is at this place.
    pub(crate) fn at_most(path: &Path, value: &AttributeValue) -> Self {
        Self::compare(path, " <= ", value)
    }

    /// True of no item.
    pub(crate) fn never() -> Self {
        Self::from(Node::Never)
    }

    /// What is stored at this place, if anything is, is not of this type: `N`.
    pub(crate) fn is_no(path: Path, code: &str) -> Self {
        let code = AttributeValue::S(code.to_owned());
        Self::from(Node::Call("attribute_type", path, Some(code))).negate()
    }

    /// The same of all names under which the value may be stored.
    pub(super) fn wherever(path: &Path, junction: Junction, node: impl Fn(Path) -> Node) -> Self {
        let paths = path.wherever().into_iter();
        Self::join(junction, paths.map(|path| Self::from(node(path))))
    }

    /// At least one of the two is true.
    pub(crate) fn or(self, other: Self) -> Self {
        Self::join(Junction::Or, [self, other])
    }

    /// Both are true.
    pub(crate) fn and(self, other: Self) -> Self {
        Self::join(Junction::And, [self, other])
    }

    fn join(junction: Junction, exprs: impl IntoIterator<Item = Self>) -> Self {
        let mut error = None;
        let mut decided = false;
        let mut nodes = Vec::new();
        for expr in exprs {
            error = error.or(expr.error);
            match expr.node {
                Node::Always if junction == Junction::And => {}
                Node::Never if junction == Junction::Or => {}
                Node::Always | Node::Never => decided = true,
                Node::Join(inner, more) if inner == junction && nodes.is_empty() => nodes = more,
                Node::Join(inner, more) if inner == junction => nodes.extend(more),
                node => nodes.push(node),
            }
        }
        let node = match (decided, nodes.len()) {
            (true, _) => junction.constant(false),
            (false, 0) => junction.constant(true),
            (false, 1) => nodes.remove(0),
            (false, _) => Node::Join(junction, nodes),
        };
        Self { node, error }
    }

    fn negate(self) -> Self {
        let node = match self.node {
            Node::Always => Node::Never,
            Node::Never => Node::Always,
            Node::Not(inner) => *inner,
            node => Node::Not(Box::new(node)),
        };
        Self { node, ..self }
    }

    /// The first value that cannot be written, if there is one.
    pub(crate) fn check(&self) -> Result<(), EncodeError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Whether it is true of every item, or of none.
    pub(crate) fn known(&self) -> Option<bool> {
        match self.node {
            Node::Always => Some(true),
            Node::Never => Some(false),
            _ => None,
        }
    }

    /// Writes it at the end of the expression, joined by `AND` to what stands there.
    ///
    /// DynamoDB has no constants: what is always or never true is said of `key`, the partition key of the table.
    pub(crate) fn render(&self, key: &KeyAttribute, out: &mut Rendered) {
        let outer = if out.expression.is_empty() {
            None
        } else {
            out.push(" AND ");
            Some(Junction::And)
        };
        match self.known() {
            Some(known) => constant(known, key).render_in(outer, out),
            None => self.node.render_in(outer, out),
        }
    }

    /// Fails if it names a key attribute of what is queried: DynamoDB takes no filter that does.
    pub(crate) fn refuse_keys(self, schema: &IndexSchema) -> Self {
        let is_key = |name: &str| schema.attributes().any(|key| key.name == name);
        self.refuse(
            is_key,
            "a filter cannot name a key attribute of what it queries",
        )
    }

    /// Fails if it names an attribute that the index does not hold: it would never be there, whatever the item has.
    pub(crate) fn refuse_absent(self, index: &IndexSchema, table: &IndexSchema) -> Self {
        self.refuse(
            |name| !index.holds(table, name),
            "a filter cannot name an attribute that the index does not hold",
        )
    }

    fn refuse(mut self, is: impl Fn(&str) -> bool, problem: &'static str) -> Self {
        if self.error.is_none()
            && let Some(path) = self.node.find(&is)
        {
            self.error = Some(path.locate(EncodeError::new(problem)));
        }
        self
    }
}

impl From<Node> for Expr {
    fn from(node: Node) -> Self {
        Self { node, error: None }
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Rendered::default();
        self.node.render(&mut out);
        f.write_str(&out.expression)
    }
}

/// A condition on the key attribute that is true of every item, or of none.
fn constant(known: bool, key: &KeyAttribute) -> Node {
    let key = Path::attribute(key);
    let junction = if known { Junction::Or } else { Junction::And };
    Node::Join(
        junction,
        vec![
            Node::Call("attribute_exists", key.clone(), None),
            Node::Call("attribute_not_exists", key, None),
        ],
    )
}

impl Other {
    const NULL: Self = Self::Value(AttributeValue::Null(true));
}

impl Junction {
    /// How a comparison of a value that has several names is joined: the others are missing, and of these only `<>` is true.
    pub(super) fn of(comparator: &str) -> Self {
        match comparator {
            " <> " => Self::And,
            _ => Self::Or,
        }
    }

    /// What the junction of nothing is, or its opposite.
    const fn constant(self, of_nothing: bool) -> Node {
        match (self, of_nothing) {
            (Self::And, true) | (Self::Or, false) => Node::Always,
            (Self::And, false) | (Self::Or, true) => Node::Never,
        }
    }
}

impl Node {
    /// Writes it where it is joined by `outer`: `OR` inside of `AND` takes parentheses, because `AND` binds tighter.
    fn render_in(&self, outer: Option<Junction>, out: &mut Rendered) {
        match (self, outer) {
            (Self::Join(Junction::Or, _), Some(Junction::And)) => self.render_in_parentheses(out),
            _ => self.render(out),
        }
    }

    fn render_in_parentheses(&self, out: &mut Rendered) {
        out.push("(");
        self.render(out);
        out.push(")");
    }

    fn render(&self, out: &mut Rendered) {
        match self {
            Self::Always => out.push("always"),
            Self::Never => out.push("never"),
            Self::Compare(subject, comparator, other) => {
                subject.render(out);
                out.push(comparator);
                match other {
                    Other::Value(value) => out.value(value),
                    Other::Path(path) => path.render(out),
                }
            }
            Self::Between(subject, low, high) => {
                subject.render(out);
                out.push(" BETWEEN ");
                out.value(low);
                out.push(" AND ");
                out.value(high);
            }
            Self::In(path, values) => {
                path.render(out);
                out.push(" IN (");
                for (n, value) in values.iter().enumerate() {
                    out.push(if n == 0 { "" } else { ", " });
                    out.value(value);
                }
                out.push(")");
            }
            Self::Call(function, path, argument) => {
                out.push(function);
                out.push("(");
                path.render(out);
                if let Some(value) = argument {
                    out.push(", ");
                    out.value(value);
                }
                out.push(")");
            }
            Self::Join(junction, nodes) => {
                for (n, node) in nodes.iter().enumerate() {
                    out.push(match (n, junction) {
                        (0, _) => "",
                        (_, Junction::And) => " AND ",
                        (_, Junction::Or) => " OR ",
                    });
                    node.render_in(Some(*junction), out);
                }
            }
            Self::Not(node) => {
                out.push("NOT ");
                match **node {
                    Self::Join(..) => node.render_in_parentheses(out),
                    _ => node.render(out),
                }
            }
        }
    }

    /// A path in it that starts at such an attribute.
    fn find(&self, is: &impl Fn(&str) -> bool) -> Option<&Path> {
        let (path, other) = match self {
            Self::Always | Self::Never => return None,
            Self::Join(_, nodes) => return nodes.iter().find_map(|node| node.find(is)),
            Self::Not(node) => return node.find(is),
            Self::Compare(subject, _, Other::Path(other)) => (subject.path(), Some(other)),
            Self::Compare(subject, ..) | Self::Between(subject, ..) => (subject.path(), None),
            Self::In(path, _) | Self::Call(_, path, _) => (path, None),
        };
        let mut paths = std::iter::once(path).chain(other);
        paths.find(|path| is(path.root().attribute))
    }
}

impl Subject {
    fn path(&self) -> &Path {
        match self {
            Self::Value(path) | Self::Size(path) => path,
        }
    }

    fn render(&self, out: &mut Rendered) {
        match self {
            Self::Value(path) => path.render(out),
            Self::Size(path) => {
                out.push("size(");
                path.render(out);
                out.push(")");
            }
        }
    }
}
