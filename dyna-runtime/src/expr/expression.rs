//! A condition without the type of its entity.

use super::path::Path;
use super::render::Rendered;
use crate::codec::EncodeError;
use crate::expr::node::Junction;
use crate::expr::node::Node;
use crate::expr::node::Other;
use crate::expr::node::Subject;
use crate::expr::node::constant;
use crate::schema::AttributeName;
use crate::schema::{IndexSchema, KeyAttribute};
use aws_sdk_dynamodb::types::AttributeValue;
use std::fmt;

/// A condition whose entity is known elsewhere; by default one that is always true.
#[derive(Clone, Default)]
pub(crate) struct Expr {
    pub(super) node: Node,
    /// The first value that cannot be written.
    pub(super) error: Option<EncodeError>,
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

    /// The attribute still equals the loaded value, under any of its names. Missing and NULL are equal.
    pub(crate) fn is(path: &Path, value: Option<AttributeValue>) -> Self {
        match value {
            Some(value) if !value.is_null() => Self::compare(path, " = ", &value),
            _ => Self::missing(path),
        }
    }

    /// An attribute has this value, whatever its name: one of a flattened field, or of a variant of an enum.
    pub(crate) fn attribute_is(name: &str, value: &AttributeValue) -> Self {
        Self {
            node: Node::Attribute(name.to_owned(), value.clone()),
            ..Self::default()
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

    /// The attribute is not NULL; it may be missing.
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

    /// The attribute is missing or not of this type: `N`.
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

    pub(super) fn join(junction: Junction, exprs: impl IntoIterator<Item = Self>) -> Self {
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

    pub(super) fn negate(self) -> Self {
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

    pub(super) fn refuse(mut self, is: impl Fn(&str) -> bool, problem: &'static str) -> Self {
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
