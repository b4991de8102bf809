//! How items are read: what queries and scans share.

use crate::cursor::Cursor;
use crate::expr::Expr;
use crate::read::attributes::ReadTarget;
use crate::read::merge::MergeOptions;
use crate::read::order::Order;
use crate::transport::limiter::Limiter;

/// How the items of a query or a scan are read.
#[derive(Clone)]
pub(crate) struct ReadOptions {
    /// The filter.
    pub(crate) filter: Expr,
    /// The attributes to read of each item.
    pub(crate) attributes: ReadTarget,
    /// Most items in all.
    pub(crate) limit: Option<usize>,
    /// Most items that DynamoDB looks at for one response.
    pub(crate) page_size: Option<i32>,
    pub(crate) consistency: Consistency,
    pub(crate) expired: Expired,
    /// How many pages are asked for before they are wanted.
    pub(crate) prefetch: usize,
    pub(crate) start: Start,
    /// Whether DynamoDB says what it costs.
    pub(crate) return_consumed_capacity: bool,
    /// What it may consume per second.
    pub(crate) limiter: Option<Limiter>,
}

/// The consistency of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Consistency {
    /// Those of a moment ago.
    #[default]
    Eventual,
    /// All writes that were acknowledged before.
    Strong,
}

impl Consistency {
    /// As requests say it.
    pub(crate) fn as_member(self) -> Option<bool> {
        (self == Self::Strong).then_some(true)
    }
}

/// The treatment of items that have expired and are not deleted yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Expired {
    #[default]
    Returned,
    LeftOut,
}

/// In which order of the sort keys items come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Direction {
    #[default]
    Ascending,
    Descending,
}

impl Direction {
    /// The other one.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }
}

/// Where reading begins.
#[derive(Clone, Default)]
pub(crate) enum Start {
    #[default]
    Beginning,
    /// With what comes after it.
    After(Cursor),
    /// With what comes before it.
    Before(Cursor),
}

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As many items as the limit says, or without one the response to one request of each call.
    Page,
    /// All items, up to the limit.
    All,
    /// The same, but more than one is an error.
    One,
}

impl ReadOptions {
    pub(crate) fn new() -> Self {
        Self {
            filter: Expr::default(),
            attributes: ReadTarget::WHOLE,
            limit: None,
            page_size: None,
            consistency: Consistency::default(),
            expired: Expired::default(),
            prefetch: 0,
            start: Start::default(),
            return_consumed_capacity: false,
            limiter: None,
        }
    }

    /// At most so many items for each response, and at least one.
    pub(crate) fn set_page_size(&mut self, items: u32) {
        self.page_size = Some(i32::try_from(items.max(1)).unwrap_or(i32::MAX));
    }

    /// Whether items are read from the far end to the near one, and then turned round.
    pub(crate) fn is_reversed(&self) -> bool {
        matches!(self.start, Start::Before(_))
    }

    /// How calls are read together.
    pub(crate) fn plan(&self, extent: Extent, order: Order, concurrency: usize) -> MergeOptions {
        let is_page = extent == Extent::Page;
        MergeOptions {
            order,
            concurrency,
            prefetch: if is_page { 0 } else { self.prefetch },
            pages: match self.limit {
                None if is_page => 1,
                _ => usize::MAX,
            },
            limit: self.limit,
        }
    }
}
