//! Reading page by page: what queries and scans share.

pub(crate) mod attributes;
mod buffered;
mod count;
pub(crate) mod expiry;
pub(crate) mod expressions;
pub(crate) mod fetch;
pub(crate) mod filter;
pub(crate) mod get;
mod items;
mod merge;
mod options;
mod order;
mod page;
mod pager;
mod run;
mod single_pass;

pub(crate) use count::{CountCheck, OnMisfit, count, count_check};
pub use items::ItemStream;
pub(crate) use merge::MergeOptions;
pub(crate) use options::{Consistency, Direction, Expired, Extent, ReadOptions, Start};
pub(crate) use order::Order;
pub(crate) use page::PageInfo;
pub use page::{Page, Skipped};
pub(crate) use pager::{Call, Pager, is_key, key_of, skip_unreadable};
pub(crate) use run::{OnUnreadable, ReadOutput, ReadRequest, Run, Stop, decoded};
