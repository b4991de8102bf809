//! Paths into an item: an attribute, and the steps into its value.

use super::render::Rendered;
use crate::codec::{EncodeError, Item};
use crate::schema::AttributeName;
use aws_sdk_dynamodb::types::AttributeValue;

/// A path to a value. Its names are known when the program is compiled; the keys of maps are data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    root: AttributeName,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Field(AttributeName),
    Index(usize),
    Key(String),
}

impl Path {
    pub(crate) const fn new(root: AttributeName) -> Self {
        Self {
            root,
            steps: Vec::new(),
        }
    }

    /// An attribute as a whole.
    pub(crate) fn attribute(name: impl Into<AttributeName>) -> Self {
        Self::new(name.into())
    }

    /// Lets the attribute be stored under these names too.
    pub(super) const fn or_under(&mut self, aliases: &'static [AttributeName]) {
        self.root = self.root.aliases(aliases);
    }

    /// The places where the value may be: this one, and those in which a name of it is an alias.
    pub(crate) fn wherever(&self) -> Vec<Self> {
        let mut paths: Vec<Self> = self.root.all().map(Self::new).collect();
        for step in &self.steps {
            let extended = |path: Self| {
                let names = match step {
                    Step::Field(name) => name.all().map(Step::Field).collect(),
                    other => vec![other.clone()],
                };
                names.into_iter().map(move |step| {
                    let mut path = path.clone();
                    path.steps.push(step);
                    path
                })
            };
            paths = paths.into_iter().flat_map(extended).collect();
        }
        paths
    }

    /// The other names of the place itself, beside this one.
    pub(crate) fn aliases(&self) -> Vec<Self> {
        let renamed = |name: &AttributeName| match self.steps.split_last() {
            None => Self::new(*name),
            Some((_, way)) => Self {
                root: self.root,
                steps: way.iter().cloned().chain([Step::Field(*name)]).collect(),
            },
        };
        match self.steps.last() {
            None => self.root.aliases.iter().map(renamed).collect(),
            Some(Step::Field(name)) => name.aliases.iter().map(renamed).collect(),
            Some(_) => Vec::new(),
        }
    }

    /// The structs on the way to the place, from the outside.
    pub(crate) fn way(&self) -> Vec<Self> {
        let lengths = 0..self.steps.len();
        let upto = |length: usize| Self {
            root: self.root,
            steps: self.steps.iter().take(length).cloned().collect(),
        };
        lengths.map(upto).collect()
    }

    /// The last name on it, as it is stored; of an element of a list or an entry of a map, that of the attribute.
    pub(crate) fn name(&self) -> &'static str {
        match self.steps.last() {
            Some(Step::Field(name)) => name.attribute,
            _ => self.root.attribute,
        }
    }

    /// Whether an absent value has no place here: a field of a struct is then not there, where an element of a list and an entry of a
    /// map stay.
    pub(crate) fn is_field(&self) -> bool {
        matches!(self.steps.last(), None | Some(Step::Field(_)))
    }

    /// The attribute, and each place on the way to this one, which is the last.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Self> {
        (0..=self.steps.len()).map(|len| Self {
            steps: self.steps.iter().take(len).cloned().collect(),
            ..*self
        })
    }

    pub(crate) const fn root(&self) -> &AttributeName {
        &self.root
    }

    /// Whether it is an attribute as a whole.
    pub(crate) fn is_attribute(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether one of the two is the other, or inside of it: DynamoDB does not take both in one update.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let mut steps = self.steps.iter().zip(&other.steps);
        self.root.attribute == other.root.attribute && steps.all(|(a, b)| a == b)
    }

    /// Whether the other is this place, or inside of it: what is written here is all that is there.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.steps.len() <= other.steps.len() && self.overlaps(other)
    }

    /// Puts a value, or nothing, at this place of an item; `None` if what should contain it is not there.
    pub(crate) fn put(&self, item: &mut Item, value: Option<AttributeValue>) -> Option<()> {
        let Some((last, way)) = self.steps.split_last() else {
            match value {
                Some(value) => item.insert(self.root.attribute.to_owned(), value),
                None => item.remove(self.root.attribute),
            };
            return Some(());
        };
        let mut at = item.get_mut(self.root.attribute)?;
        for step in way {
            at = step.go(at)?;
        }
        last.put(at, value)
    }

    /// An item that has a value at this place, and nothing else.
    pub(crate) fn alone(&self, value: AttributeValue) -> Item {
        let value = self.steps.iter().rev().fold(value, |value, step| {
            let named =
                |name: &str| AttributeValue::M(Item::from([(name.to_owned(), value.clone())]));
            match step {
                Step::Field(name) => named(name.attribute),
                Step::Key(key) => named(key),
                Step::Index(_) => AttributeValue::L(vec![value]),
            }
        });
        Item::from([(self.root.attribute.to_owned(), value)])
    }

    /// How many names and positions lead to it.
    pub(crate) fn depth(&self) -> usize {
        1 + self.steps.len()
    }

    /// The value at this place of an item.
    pub(crate) fn find<'i>(&self, item: &'i Item) -> Option<&'i AttributeValue> {
        let root = item.get(self.root.attribute)?;
        self.steps
            .iter()
            .try_fold(root, |at, step| match (step, at) {
                (Step::Field(name), AttributeValue::M(map)) => map.get(name.attribute),
                (Step::Key(key), AttributeValue::M(map)) => map.get(key),
                (Step::Index(index), AttributeValue::L(list)) => list.get(*index),
                _ => None,
            })
    }

    pub(crate) fn then(mut self, next: Self) -> Self {
        self.steps.push(Step::Field(next.root));
        self.steps.extend(next.steps);
        self
    }

    pub(crate) fn at(mut self, index: usize) -> Self {
        self.steps.push(Step::Index(index));
        self
    }

    pub(crate) fn entry(mut self, key: String) -> Self {
        self.steps.push(Step::Key(key));
        self
    }

    pub(crate) fn render(&self, out: &mut Rendered) {
        out.name(self.root);
        for step in &self.steps {
            match step {
                Step::Field(name) => {
                    out.push(".");
                    out.name(*name);
                }
                Step::Index(index) => out.index(*index),
                Step::Key(key) => {
                    out.push(".");
                    out.key(key);
                }
            }
        }
    }

    /// The error of a value that was meant for this place. The keys of maps are contents, and not shown.
    pub(crate) fn locate(&self, error: EncodeError) -> EncodeError {
        let error = self
            .steps
            .iter()
            .rev()
            .fold(error, |error, step| match step {
                Step::Field(name) => error.in_field(name.attribute),
                Step::Index(index) => error.in_element(*index),
                Step::Key(_) => error.in_entry(),
            });
        error.in_field(self.root.attribute)
    }
}

impl Step {
    fn go<'i>(&self, at: &'i mut AttributeValue) -> Option<&'i mut AttributeValue> {
        match (self, at) {
            (Self::Field(name), AttributeValue::M(map)) => map.get_mut(name.attribute),
            (Self::Key(key), AttributeValue::M(map)) => map.get_mut(key),
            (Self::Index(index), AttributeValue::L(list)) => list.get_mut(*index),
            _ => None,
        }
    }

    fn put(&self, at: &mut AttributeValue, value: Option<AttributeValue>) -> Option<()> {
        match (self, at, value) {
            (Self::Index(index), AttributeValue::L(list), Some(value)) => {
                match list.get_mut(*index) {
                    Some(place) => *place = value,
                    // DynamoDB puts it at the end, wherever that is.
                    None => list.push(value),
                }
            }
            (Self::Index(index), AttributeValue::L(list), None) if *index < list.len() => {
                list.remove(*index);
            }
            (Self::Field(AttributeName { attribute, .. }), AttributeValue::M(map), Some(value)) => {
                map.insert((*attribute).to_owned(), value);
            }
            (Self::Key(key), AttributeValue::M(map), Some(value)) => {
                map.insert(key.clone(), value);
            }
            (Self::Field(AttributeName { attribute, .. }), AttributeValue::M(map), None) => {
                map.remove(*attribute);
            }
            (Self::Key(key), AttributeValue::M(map), None) => {
                map.remove(key);
            }
            _ => return None,
        }
        Some(())
    }
}
