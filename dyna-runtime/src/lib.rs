//! Dyna: DynamoDB keys, indexes and queries for Rust structs, checked at compile time.

pub mod codec;
#[cfg(feature = "embedded")]
pub mod embedded;
mod entity;
mod error;
mod key;
mod proof;
mod range;
mod request;
pub mod schema;
pub mod shape;
mod table;

pub use codec::sets::{binary_set, number_set, string_set};
#[cfg(feature = "derive")]
pub use dyna_derive::{DynaEntity, DynaFields, DynaTable, KeyPart};
pub use entity::{DynaEntity, EntityMeta, Field, FieldMeta, IndexMeta, KeyTemplates};
pub use error::{Error, Result};
pub use key::{
    AsPart, Civil, DATE, DatePart, Key, KeyBuf, KeyError, KeyErrorKind, KeyPart, Ordered,
    RFC3339_MILLIS, rfc3339,
};
pub use range::PartRange;
pub use request::{Cursor, Delete, Explain, Get, Page, Put, Query};
pub use table::{DynaTable, ListedIn, Table};

/// What generated code names. Not part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::entity::{
        DynaEntity, EntityMeta, Field, FieldMeta, IndexMeta, KeyReader, KeyTemplates, KeyWriter,
    };
    pub use crate::key::{
        AsPart, AsValue, DatePart, FinalRange, IndexOf, Key, KeyBuf, KeyError, KeyOf, KeyPart,
        Lower, Padded, Parsed, Sha256, Shard, SortableKeyPart, TextPart, TextPrefix, Upper, apply,
        given, laid_out, lower, padded, rest, sha256, shape_of, shard, sized, upper,
    };
    pub use crate::proof::{
        Foreign, check_entity, check_listed, check_partition, check_sort, same_table,
    };
    pub use crate::range::{FixedRange, InnerRange, LastRange};
    pub use crate::request::{Delete, Done, Draft, Get, Put, Query, Steps, query};
    pub use crate::schema::{
        Attribute, B, Conditions, Eventual, HasField, HasIndex, IndexSchema, KeySpace, Kind, N,
        Name, NoSort, NoTable, Partial, Primary, Projection, S, Schema, Scope, Secondary,
        StreamView, Strong, TableSchema, Tag, Whole, index,
    };
    pub use crate::shape::{
        DIGIT, LayoutItem, Part, Seg, Shape, Template, byte, date, lit, mixed, part, run,
    };
    pub use crate::table::{DynaTable, ListedIn};
    pub use aws_sdk_dynamodb::Client;
}
