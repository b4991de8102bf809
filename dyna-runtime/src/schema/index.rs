//! A primary key or an index as data.

use crate::schema::Throughput;

/// The key of a table or of a secondary index.
#[derive(Debug)]
#[non_exhaustive]
pub struct IndexSchema {
    /// The name of the index; empty for the table's own key.
    pub name: &'static str,
    /// The kind of key.
    pub kind: IndexKind,
    /// The attributes of the partition key: one, or up to four of a global index.
    pub pk: &'static [KeyAttribute],
    /// The attributes of the sort key, in their order: none, one, or up to four of a global index.
    pub sk: &'static [KeyAttribute],
    /// The attributes that the index holds.
    pub projection: Projection,
    /// The provisioned throughput: only global indexes of a provisioned table have one of their own.
    pub throughput: Option<Throughput>,
    /// The key conditions of queries: one set for each attribute of the sort key, and one if it has none.
    pub conditions: &'static [KeyConditions],
}

impl IndexSchema {
    /// A key that holds all attributes, without throughput of its own.
    #[doc(hidden)]
    pub const fn new(
        kind: IndexKind,
        name: &'static str,
        pk: &'static [KeyAttribute],
        sk: &'static [KeyAttribute],
        conditions: &'static [KeyConditions],
    ) -> Self {
        Self {
            name,
            kind,
            pk,
            sk,
            projection: Projection::All,
            throughput: None,
            conditions,
        }
    }

    /// The same, with these attributes.
    #[doc(hidden)]
    pub const fn projection(self, projection: Projection) -> Self {
        Self { projection, ..self }
    }

    /// The same, with a throughput of its own.
    #[doc(hidden)]
    pub const fn throughput(self, throughput: Throughput) -> Self {
        let throughput = Some(throughput);
        Self { throughput, ..self }
    }

    /// Its attributes: those of the partition key, then those of the sort key.
    pub fn attributes(&self) -> impl Iterator<Item = &'static KeyAttribute> + use<> {
        self.pk.iter().chain(self.sk)
    }
}

/// A key attribute.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct KeyAttribute {
    /// Its name.
    pub name: &'static str,
    /// How expressions name it: an alias such as `#status` if its name is a reserved word.
    pub expr: &'static str,
    /// Its type.
    pub kind: ScalarType,
}

impl KeyAttribute {
    /// An attribute, its name in expressions, and its type.
    #[doc(hidden)]
    pub const fn new(name: &'static str, expr: &'static str, kind: ScalarType) -> Self {
        Self { name, expr, kind }
    }

    /// The alias and the name, if expressions need an alias.
    pub fn alias(&self) -> Option<(&'static str, &'static str)> {
        (self.expr != self.name).then_some((self.expr, self.name))
    }
}

/// The type of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarType {
    /// A string.
    S,
    /// A number.
    N,
    /// Bytes.
    B,
}

/// The kind of an [`IndexSchema`]: primary key, local or global index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexKind {
    /// The table's own.
    Table,
    /// A local secondary index's: the partition key is the table's.
    Local,
    /// A global secondary index's.
    Global,
}

/// The attributes that an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Projection {
    /// All of them.
    All,
    /// The keys of the table and of the index.
    KeysOnly,
    /// The keys, and these.
    Include(&'static [&'static str]),
}

/// The key condition expressions of an index, complete: `:p` is the partition, `:s` and `:t` bound an attribute of the sort key.
///
/// Further attributes of the partition key are `:p1` to `:p3`, and those of the sort key that come before the bounded one `:k0` to `:k2`.
#[derive(Debug)]
pub struct KeyConditions {
    /// The whole partition.
    pub all: &'static str,
    /// One sort key.
    pub equals: &'static str,
    /// All sort keys with a prefix.
    pub begins_with: &'static str,
    /// All sort keys from `:s` to `:t`.
    pub between: &'static str,
    /// All sort keys from `:s` on.
    pub at_least: &'static str,
    /// All sort keys up to `:s`.
    pub at_most: &'static str,
}
