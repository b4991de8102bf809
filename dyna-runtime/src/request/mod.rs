//! Requests: plain values until they are sent.

mod advice;
mod batch_get;
mod batch_write;
mod check;
mod delete;
mod entity;
mod explain;
mod get;
mod moves;
mod put;
mod query;
mod scan;
mod skip_unreadable;
mod transact;
mod transact_get;
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
pub use moves::Rekey;
pub use put::Put;
#[doc(hidden)]
pub use query::{Draft, InPartition, NoSteps, Steps, collect, draft, query, query_many};
pub use query::{EntityQuery, Query};
pub use scan::Scan;
pub use skip_unreadable::SkipUnreadable;
pub use transact::{IntoPut, NotReturning, TransactWrite};
pub use transact_get::{ProjectedKey, TransactKey, TransactKeys};
pub use update::Update;

pub use crate::cursor::IntoCursor;
pub use crate::read::Skipped;
pub use crate::table::HasEntity;
pub use crate::write::returning;
