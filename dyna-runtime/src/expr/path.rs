//! Where in an item a value is: an attribute, and the way down into it.

use super::render::Rendered;
use crate::codec::EncodeError;

/// A path to a value. Its names are known when the program is compiled; the keys of maps are data.
#[derive(Clone)]
pub(crate) struct Path {
    root: Name,
    steps: Vec<Step>,
}

/// An attribute, or the field of a nested struct.
#[derive(Clone, Copy)]
pub(super) struct Name {
    /// As it is stored.
    pub(super) attribute: &'static str,
    /// As an expression names it: an alias such as `#status` where it must.
    pub(super) expr: &'static str,
}

#[derive(Clone)]
enum Step {
    Field(Name),
    Index(usize),
    Key(String),
}

impl Path {
    pub(super) const fn new(attribute: &'static str, expr: &'static str) -> Self {
        Self {
            root: Name { attribute, expr },
            steps: Vec::new(),
        }
    }

    pub(super) const fn root(&self) -> &Name {
        &self.root
    }

    pub(super) fn then(mut self, next: Self) -> Self {
        self.steps.push(Step::Field(next.root));
        self.steps.extend(next.steps);
        self
    }

    pub(super) fn at(mut self, index: usize) -> Self {
        self.steps.push(Step::Index(index));
        self
    }

    pub(super) fn entry(mut self, key: String) -> Self {
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
    pub(super) fn locate(&self, error: EncodeError) -> EncodeError {
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
