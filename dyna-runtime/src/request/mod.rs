//! Requests: plain values until they are sent.

mod advice;
mod batch_get;
mod batch_write;
mod check;
mod delete;
mod entity;
mod explain;
mod get;
mod once;
mod put;
mod query;
mod rekey;
mod scan;
mod skip_unreadable;
mod transact_get;
mod transact_write;
mod unsent;
mod update;

pub use batch_get::{BatchGet, BatchGetOutput};
pub use batch_write::{BatchWrite, IntoBatchPut};
pub use check::ConditionCheck;
#[doc(hidden)]
pub use check::{HasCondition, NoCondition, WithCondition};
pub use delete::Delete;
pub use entity::DynaEntity;
pub use explain::Explain;
pub use get::Get;
pub use once::{Begun, Completed, OnceRecord, OnceState, RunOnce, Started};
pub use put::Put;
pub use query::{AnyQuery, EntityQuery, Query};
#[doc(hidden)]
pub use query::{
    Ends, InPartition, Next, NoSteps, QuerySpec, Steps, Unfinished, collect, query, query_many,
    query_spec,
};
pub use rekey::Rekey;
pub use scan::Scan;
pub use skip_unreadable::SkipUnreadable;
pub use transact_get::{ProjectedKey, TransactKey, TransactKeys};
pub use transact_write::{IntoPut, NotReturning, TransactWrite};
pub use update::Update;

pub use crate::cursor::IntoCursor;
pub use crate::read::Skipped;
pub use crate::table::HasEntity;
pub use crate::write::returning;
