//! A page of a query or a scan.

use crate::cursor::Cursor;
use crate::error::{Error, Result};

/// A page of a query or a scan.
#[derive(Debug)]
#[non_exhaustive]
pub struct Page<E> {
    /// The items, in key order.
    pub items: Vec<E>,
    /// Where to go back from: give it to [`Query::before`](crate::Query::before). None at the start, which is where a query without a
    /// cursor begins, and of a scan, since DynamoDB scans in one direction only.
    pub prev: Option<Cursor>,
    /// Where to go on, if there may be more: give it to [`Query::after`](crate::Query::after). The last page can be empty, since DynamoDB does
    /// not look ahead.
    pub next: Option<Cursor>,
    /// Items that were returned by DynamoDB and left out, and why.
    pub skipped: Skipped,
    /// The read capacity units that the requests of the page consumed, if they were asked for with
    /// [`return_consumed_capacity`](crate::Query::return_consumed_capacity).
    pub consumed_capacity: Option<f64>,
}

/// The items that DynamoDB returned and a read left out.
///
/// What a filter leaves out in DynamoDB is not counted: that of the request, and in a table with a tag the one on the tag, which requests
/// have where items of other entities are in reach.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Skipped {
    /// Items of other entities of the table, and sentinels of unique fields.
    pub foreign: usize,
    /// Items of no entity of the table, such as those of a newer program.
    pub unknown: usize,
    /// Items that cannot be read: collected only after `skip_unreadable`, otherwise the read fails. [`Error::key`] says which items
    /// they are.
    pub unreadable: Vec<Error>,
}

impl Skipped {
    pub(super) fn add(&mut self, other: Self) {
        self.foreign += other.foreign;
        self.unknown += other.unknown;
        self.unreadable.extend(other.unreadable);
    }
}

impl<E> Page<E> {
    /// Its items alone.
    #[expect(clippy::unnecessary_wraps, reason = "the last step of a request")]
    pub(crate) fn into_items(self) -> Result<Vec<E>> {
        Ok(self.items)
    }

    /// Its last item alone.
    #[expect(clippy::unnecessary_wraps, reason = "the last step of a request")]
    pub(crate) fn into_item(mut self) -> Result<Option<E>> {
        Ok(self.items.pop())
    }
}

/// A page without its items.
#[derive(Default)]
pub(crate) struct PageInfo {
    pub(crate) prev: Option<Cursor>,
    pub(crate) next: Option<Cursor>,
    pub(crate) skipped: Skipped,
    pub(crate) consumed_capacity: Option<f64>,
}

impl PageInfo {
    /// The page with its items.
    pub(crate) fn with<E>(self, items: Vec<E>) -> Page<E> {
        Page {
            items,
            prev: self.prev,
            next: self.next,
            skipped: self.skipped,
            consumed_capacity: self.consumed_capacity,
        }
    }

    /// Adds what a call left out and consumed.
    pub(crate) fn add(&mut self, skipped: Skipped, consumed: Option<f64>) {
        self.skipped.add(skipped);
        if let Some(consumed) = consumed {
            *self.consumed_capacity.get_or_insert_default() += consumed;
        }
    }
}
