//! What a query or a scan found.

use crate::collection::StoredIn;
use crate::cursor::Cursor;
use crate::error::Error;
use crate::projection::{Gives, View};
use crate::request::query::Steps;
use crate::request::{Answer, Query, Scan};
use crate::schema::KeySpace;
use crate::table::{DynaTable, Lists, Table};

/// A page of a query or a scan.
#[derive(Debug)]
#[non_exhaustive]
pub struct Page<E> {
    /// The items, in key order.
    pub items: Vec<E>,
    /// Where to go back from: give it to [`Query::before`]. None at the start, which is where a query without a cursor begins, and
    /// of a scan, since DynamoDB scans in one direction only.
    pub prev: Option<Cursor>,
    /// Where to go on, if there is more: give it to [`Query::after`].
    pub next: Option<Cursor>,
    /// What is not among the items, and why.
    pub skipped: Skipped,
    /// The read capacity units that the requests of the page consumed, if they were asked for with
    /// [`return_consumed_capacity`](Query::return_consumed_capacity).
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

impl<E> Page<E> {
    pub(super) fn empty() -> Self {
        Self::new(Vec::new())
    }

    pub(super) fn new(items: Vec<E>) -> Self {
        Self {
            items,
            prev: None,
            next: None,
            skipped: Skipped::default(),
            consumed_capacity: None,
        }
    }

    /// Adds what a call left out and consumed. What it could not read is not moved.
    pub(super) fn add(&mut self, skipped: &Skipped, consumed: Option<f64>) {
        self.skipped.foreign += skipped.foreign;
        self.skipped.unknown += skipped.unknown;
        if let Some(consumed) = consumed {
            *self.consumed_capacity.get_or_insert_default() += consumed;
        }
    }
}

/// A read that puts aside what it cannot read: `Message::query(..).skip_unreadable()`.
#[must_use = "a request does nothing until it is sent"]
#[derive(Debug)]
pub struct SkipUnreadable<R>(pub(super) R);

impl<E, K: KeySpace, S: Steps, V> SkipUnreadable<Query<E, K, S, V>> {
    /// Reads one page, as [`Query::send`] does.
    pub fn send<T: DynaTable>(self, db: &Table<T>) -> Answer<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Yields: Gives<V, K>,
    {
        self.0.page(db, true)
    }

    /// Reads all items, as [`Query::all`] does. The page has no cursors.
    pub fn all<T: DynaTable>(self, db: &Table<T>) -> Answer<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Yields: Gives<V, K>,
    {
        self.0.whole(db, true)
    }

    /// How many items there are, without the misfits. Items are not decoded to be counted.
    pub fn count<T: DynaTable>(self, db: &Table<T>) -> Answer<'_, usize>
    where
        E: StoredIn<T>,
    {
        self.0.counted(db, true)
    }
}

impl<E, K, V> SkipUnreadable<Scan<E, K, V>> {
    /// Reads one page, as [`Scan::send`] does.
    pub fn send<T: Lists<E>>(self, db: &Table<T>) -> Answer<'_, Page<V>>
    where
        K: KeySpace<Yields: Gives<V, K>>,
        V: Send + 'static,
    {
        self.0.page(db, true)
    }

    /// Reads all items, as [`Scan::all`] does. The page has no cursors.
    pub fn all<T: Lists<E>>(self, db: &Table<T>) -> Answer<'_, Page<V>>
    where
        K: KeySpace<Yields: Gives<V, K>>,
        V: Send + 'static,
    {
        self.0.whole(db, true)
    }

    /// How many items there are, without the misfits. Items are not decoded to be counted.
    pub fn count<T: Lists<E>>(self, db: &Table<T>) -> Answer<'_, usize> {
        self.0.counted(db, true)
    }
}
