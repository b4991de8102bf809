//! Reads that skip unreadable items.

use crate::entity::projection::{CanYield, View};
use crate::read::{OnMisfit, Page, skip_unreadable};
use crate::request::query::Steps;
use crate::request::{Query, Scan};
use crate::schema::Queryable;
use crate::table::StoredIn;
use crate::table::{DynaTable, HasEntity, Table};
use crate::transport::ResponseFuture;

/// A read that puts aside what it cannot read: `Message::query(..).skip_unreadable()`.
#[must_use = "a request does nothing until it is sent"]
#[derive(Debug)]
pub struct SkipUnreadable<R>(pub(super) R);

impl<E, K: Queryable, S: Steps, V> SkipUnreadable<Query<E, K, S, V>> {
    /// Reads one page, as [`Query::send`] does.
    pub fn send<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Coverage: CanYield<V, K>,
    {
        self.0.page(db, skip_unreadable(V::read))
    }

    /// Reads all items, as [`Query::all`] does. The page has no cursors.
    pub fn all<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        E: StoredIn<T>,
        V: View<E> + Send,
        K::Coverage: CanYield<V, K>,
    {
        self.0.whole(db, skip_unreadable(V::read))
    }

    /// Counts the items, as [`Query::count`] does, without the misfits. They are decoded only with [`Table::check_keys`].
    pub fn count<T: DynaTable>(self, db: &Table<T>) -> ResponseFuture<'_, usize>
    where
        E: StoredIn<T>,
        V: View<E>,
    {
        self.0.counted(db, OnMisfit::Skip)
    }
}

impl<E, K, V> SkipUnreadable<Scan<E, K, V>> {
    /// Reads one page, as [`Scan::send`] does.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        K: Queryable<Coverage: CanYield<V, K>>,
        V: Send + 'static,
    {
        let unreadable = skip_unreadable(self.0.decode);
        self.0.page(db, unreadable)
    }

    /// Reads all items, as [`Scan::all`] does. The page has no cursors.
    pub fn all<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, Page<V>>
    where
        K: Queryable<Coverage: CanYield<V, K>>,
        V: Send + 'static,
    {
        let unreadable = skip_unreadable(self.0.decode);
        self.0.whole(db, unreadable)
    }

    /// Counts the items, as [`Scan::count`] does, without the misfits. They are decoded only with [`Table::check_keys`].
    pub fn count<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, usize>
    where
        V: 'static,
    {
        self.0.counted(db, OnMisfit::Skip)
    }
}
