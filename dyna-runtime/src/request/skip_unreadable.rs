//! Reads that put aside what they cannot read.

use crate::entity::projection::{Gives, View};
use crate::read::Page;
use crate::request::query::Steps;
use crate::request::{Query, Scan};
use crate::schema::KeySpace;
use crate::table::StoredIn;
use crate::table::{DynaTable, Lists, Table};
use crate::transport::Answer;

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
