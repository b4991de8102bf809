//! A query whose last field has no delimiter after it, so that the next field has to be given too.

use super::{QuerySpec, Steps};
use crate::read::Page;
use crate::transport::ResponseFuture;
use std::ops::Deref;

/// A query that cannot be sent yet: `S` are the steps that must follow. What queries have otherwise is here only to say so.
#[derive(Debug)]
#[must_use = "the sort key is not finished: fix the next field"]
pub struct Unfinished<S>(S);

impl<S: Steps> Unfinished<S> {
    /// The steps that must follow.
    #[doc(hidden)]
    pub fn new(spec: QuerySpec) -> Self {
        Self(S::new(spec))
    }
}

impl<S> Deref for Unfinished<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

/// Steps after which a query can be sent: nothing implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the sort key is not finished: the template has no delimiter between this field and the next",
    label = "fix the next field first",
    note = "the text before it could go on: a key that begins with \"ann\" may be one of \"anna\"",
    note = "for all keys that begin with a text, call `_starts_with` instead of fixing the field"
)]
pub trait CanEnd {
    /// There is none.
    fn never<T>(&self) -> T;
}

#[doc(hidden)]
impl<S> Unfinished<S> {
    /// Needs the next field.
    pub fn send<T>(self, _db: &T) -> ResponseFuture<'static, Page<()>>
    where
        S: CanEnd,
    {
        self.0.never()
    }

    /// Needs the next field.
    pub fn all<T>(self, _db: &T) -> ResponseFuture<'static, Vec<()>>
    where
        S: CanEnd,
    {
        self.0.never()
    }

    /// Needs the next field.
    pub fn one<T>(self, _db: &T) -> ResponseFuture<'static, Option<()>>
    where
        S: CanEnd,
    {
        self.0.never()
    }

    /// Needs the next field.
    pub fn limit(self, _items: usize) -> Self
    where
        S: CanEnd,
    {
        self.0.never()
    }

    /// Needs the next field.
    pub fn descending(self) -> Self
    where
        S: CanEnd,
    {
        self.0.never()
    }

    /// Needs the next field.
    pub fn finish(self) -> Self
    where
        S: CanEnd,
    {
        self.0.never()
    }
}
