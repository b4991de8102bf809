//! Queries whose type does not say which key they read.

use super::{NoSteps, Query};
use crate::derived::Derived;
use crate::entity::projection::CanYield;
use crate::schema::{Eventual, IndexSchema, Queryable, TableSchema};
use std::marker::PhantomData;

/// A query of `E`, an entity or a collection, by whichever key of its table: see [`into_any`](Query::into_any).
pub type AnyQuery<E, V = E> = Query<E, AnyKey<V>, NoSteps, V>;

/// A key that yields `V`, as was proved before it was forgotten which it is.
#[doc(hidden)]
#[derive(Debug)]
pub struct AnyKey<V>(PhantomData<fn() -> V>);

/// Yields `V`, and nothing else.
#[doc(hidden)]
#[derive(Debug)]
pub struct Proved<V>(PhantomData<fn() -> V>);

impl<V, K> CanYield<V, K> for Proved<V> {
    const ONLY_BY_DERIVE: Derived = Derived;
}

impl<V> Queryable for AnyKey<V> {
    const ONLY_BY_DERIVE: Derived = Derived;
    type Pk = ();
    type Sk = ();
    type Consistency = Eventual;
    type Coverage = Proved<V>;
    /// Not known here: the query itself has it.
    const INDEX: &'static IndexSchema = &TableSchema::BROKEN.key;
}
