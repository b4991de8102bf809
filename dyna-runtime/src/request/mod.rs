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

pub use batch_get::{Batch, BatchGet};
pub use batch_write::{BatchWrite, ToBatch};
pub use check::{Asking, Check, HasCondition, Unasked};
pub use delete::Delete;
pub use entity::DynaEntity;
pub use explain::Explain;
pub use get::Get;
pub use moves::Move;
pub use put::Put;
pub use query::{
    Done, Draft, EntityQuery, InPartition, Query, Steps, collect, draft, query, query_each,
};
pub use scan::Scan;
pub use skip_unreadable::SkipUnreadable;
pub use transact::{IntoPut, ReturnsNothing, Transact};
pub use transact_get::{ProjectedKey, TransactGet, TransactKey};
pub use update::Update;
