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
mod step;
mod table;
mod variants;

pub(crate) use collection::Collection;
pub(crate) use entity::{Delimiter, Entity, Feed, FieldRole, Index, When};
pub(crate) use field::{
    Field, FlatField, Flattened, Form, ManagedRole, Sentinel, SentinelPiece, WhenAbsent,
};
pub(crate) use key::{ArgUse, Key, KeySlot, Part, Partitions, Piece, Role, Template, distinct};
pub(crate) use key_part::{KeyPart, PartForm};
pub(crate) use names::{const_name, each, form, setter, setters, steps};
pub(crate) use nested::{Nested, Reachable};
pub(crate) use projection::{ProjectedField, Projection};
pub(crate) use setters::Setter;
pub(crate) use signatures::{Constant, IndexSignature, KeySignature, SetterSignature, Signatures};
pub(crate) use step::{Closes, Open, Step, StepRange};
pub(crate) use table::{
    Declaration, Encryption, Entities, IndexProjection, KeyAttribute, KeyKind, KeySchema, Member,
    Schema, Scope, Settings, StreamViewType, Table, TableClass, TableIndex, Throughput,
};
pub(crate) use variants::{Variant, Variants};
