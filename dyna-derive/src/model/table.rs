//! A table: its keys, its indexes, how it is run, and the entities that it lists.

use syn::{Ident, Path, Type, Visibility};

/// A checked table.
pub(crate) struct Table {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    pub(crate) declaration: Declaration,
    pub(crate) entities: Entities,
    /// Whether it opens in a process of its own: the feature of that name.
    pub(crate) embedded: bool,
    /// Whether it opens in a simulation: the feature `simulate`.
    pub(crate) simulated: bool,
}

/// Where a table says what it is.
pub(crate) enum Declaration {
    Here(Box<Schema>),
    /// On another type.
    At(Path),
}

/// What a table lists.
pub(crate) enum Entities {
    /// It is declared apart from them.
    None,
    /// The struct is the one entity.
    Itself,
    /// Those of the variants of an enum.
    Variants {
        members: Vec<Member>,
        /// The variant of all other items.
        unknown: Option<Ident>,
    },
}

/// A variant that holds an entity.
pub(crate) struct Member {
    pub(crate) variant: Ident,
    pub(crate) entity: Type,
}

/// What a table is in DynamoDB.
pub(crate) struct Schema {
    pub(crate) name: String,
    /// What its doc comment says first.
    pub(crate) doc: String,
    pub(crate) key: KeySchema,
    pub(crate) indexes: Vec<TableIndex>,
    pub(crate) tag: Option<String>,
    pub(crate) ttl: Option<String>,
    pub(crate) stream: Option<StreamViewType>,
    pub(crate) settings: Settings,
    pub(crate) delimiter: String,
    pub(crate) stores_null: bool,
}

/// An index that a table declares.
pub(crate) struct TableIndex {
    /// Its name in Rust, with the user's span.
    pub(crate) ident: Ident,
    /// The constant that scans take, unless a field has that name.
    pub(crate) constant: Option<Ident>,
    pub(crate) key: KeySchema,
}

/// The key of a table or an index.
pub(crate) struct KeySchema {
    /// The name that DynamoDB knows the index by; empty for the table.
    pub(crate) name: String,
    pub(crate) scope: Scope,
    pub(crate) pk: Vec<KeyAttribute>,
    pub(crate) sk: Vec<KeyAttribute>,
    pub(crate) projection: IndexProjection,
    pub(crate) throughput: Option<Throughput>,
}

/// What a key is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Table,
    Global,
    Local,
}

/// An attribute of a key.
#[derive(Clone)]
pub(crate) struct KeyAttribute {
    pub(crate) name: String,
    pub(crate) kind: KeyKind,
}

/// The type of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyKind {
    S,
    N,
    B,
}

/// What an index holds besides keys.
pub(crate) enum IndexProjection {
    All,
    KeysOnly,
    Include(Vec<String>),
}

/// Provisioned capacity units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Throughput {
    pub(crate) read: u32,
    pub(crate) write: u32,
}

/// The settings that are given: billing, storage class, protection, encryption, resource tags.
pub(crate) struct Settings {
    /// `None` is on demand.
    pub(crate) provisioned: Option<Throughput>,
    pub(crate) table_class: Option<TableClass>,
    pub(crate) deletion_protection: bool,
    pub(crate) point_in_time_recovery: bool,
    pub(crate) encryption: Option<Encryption>,
    pub(crate) resource_tags: Vec<(String, String)>,
    pub(crate) partial: bool,
}

/// `table_class = ".."`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableClass {
    Standard,
    InfrequentAccess,
}

/// `encryption = ..`
pub(crate) enum Encryption {
    AwsOwned,
    AwsManaged,
    Kms(String),
}

/// `stream = ".."`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamViewType {
    KeysOnly,
    NewImage,
    OldImage,
    NewAndOldImages,
}

impl Table {
    /// The entities with the variants that hold them: none unless the table is an enum.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.entities {
            Entities::Variants { members, .. } => members,
            Entities::None | Entities::Itself => &[],
        }
    }
}
