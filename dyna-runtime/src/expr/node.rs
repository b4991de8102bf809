//! The parts of a condition, and their text.

use super::path::Path;
use super::render::Rendered;
use crate::schema::KeyAttribute;
use aws_sdk_dynamodb::types::AttributeValue;

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
    /// An attribute whose name is data has this value.
    Attribute(String, AttributeValue),
    Join(Junction, Vec<Node>),
    Not(Box<Node>),
}

/// The left side of a comparison.
#[derive(Clone)]
pub(super) enum Subject {
    Value(Path),
    Size(Path),
}

/// The right side of a comparison.
#[derive(Clone)]
pub(super) enum Other {
    Value(AttributeValue),
    /// Another attribute of the same item.
    Path(Path),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Junction {
    And,
    Or,
}

/// A condition on the key attribute that is true of every item, or of none.
pub(super) fn constant(known: bool, key: &KeyAttribute) -> Node {
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
    pub(super) const NULL: Self = Self::Value(AttributeValue::Null(true));
}

impl Junction {
    /// How a comparison of a value that has several names is joined: the others are missing, and of these only `<>` is true.
    pub(super) fn of(comparator: &str) -> Self {
        match comparator {
            " <> " => Self::And,
            _ => Self::Or,
        }
    }

    /// The constant that an empty junction is, or its opposite.
    pub(super) const fn constant(self, of_nothing: bool) -> Node {
        match (self, of_nothing) {
            (Self::And, true) | (Self::Or, false) => Node::Always,
            (Self::And, false) | (Self::Or, true) => Node::Never,
        }
    }
}

impl Node {
    /// Writes it where it is joined by `outer`: `OR` inside of `AND` takes parentheses, because `AND` binds tighter.
    pub(super) fn render_in(&self, outer: Option<Junction>, out: &mut Rendered) {
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

    pub(super) fn render(&self, out: &mut Rendered) {
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
            Self::Attribute(name, value) => {
                out.key(name);
                out.push(" = ");
                out.value(value);
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
    pub(super) fn find(&self, is: &impl Fn(&str) -> bool) -> Option<&Path> {
        let (path, other) = match self {
            Self::Always | Self::Never | Self::Attribute(..) => return None,
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

    pub(super) fn render(&self, out: &mut Rendered) {
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
