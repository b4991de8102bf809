//! What is derived, once it is checked: valid by construction, facts and names, every name computed once.

mod collection;
mod entity;
mod field;
mod key;
mod key_part;
mod names;
mod nested;
mod projection;
mod setters;
mod signatures;
mod table;

pub(crate) use collection::Collection;
pub(crate) use entity::{Entity, Feed, FieldRole, Index};
pub(crate) use field::{Field, FlatField, Flattened, Form, ManagedRole, WhenAbsent};
pub(crate) use key::{
    ArgUse, Key, KeySlot, Part, Partitions, Piece, Role, Step, StepRange, Template, distinct,
};
pub(crate) use key_part::{KeyPart, PartForm};
pub(crate) use names::{const_name, each, form, setters, steps};
pub(crate) use nested::{Nested, Reachable};
pub(crate) use projection::{ProjectedField, Projection};
pub(crate) use setters::Setter;
pub(crate) use signatures::{Constant, IndexSignature, KeySignature, Signatures};
pub(crate) use table::{
    Declaration, Encryption, Entities, IndexProjection, KeyAttribute, KeyKind, KeySchema, Member,
    Schema, Scope, Settings, StreamViewType, Table, TableClass, TableIndex, Throughput,
};
