//! Every kind of read, compared with the model.

use super::case::Case;
use super::known::{is_known, tell};
use super::world::{Checked, World};
use dyna_runtime::{Error, Get, rcu};
use std::fmt::Debug;

impl<C: Case> World<C> {
    /// Makes all reads: those of partitions once for each item that is stored, and for one that need not be.
    pub(crate) async fn read_all(&self, like: &C) -> Checked {
        self.by_keys(like).await?;
        self.scans().await?;
        for like in self.model.values().chain([like]) {
            for at in 0..C::KEYS.len() {
                self.partitions(like, at)
                    .await
                    .map_err(|problem| format!("{:?}: {problem}", C::KEYS[at].accessor))?;
            }
            self.ranges(like).await?;
        }
        Ok(())
    }

    /// `get`, `batch_get`, `transact_get`, with and without a projection.
    async fn by_keys(&self, other: &C) -> Checked {
        let db = &self.db;
        let others: Vec<_> = self.model.values().chain([other]).cloned().collect();
        let wanted = |one: &C| self.model.get(&one.id()).cloned();
        for one in &others {
            let get = || Get::new(one.key_of());
            same("get", get().consistent().send(db).await, &wanted(one))?;
            let raw = Get::new(one.raw_key_of()).consistent().send(db).await;
            same("get by the stored key", raw, &wanted(one))?;
            let view = get().project::<C::View>().send(db).await;
            same(
                "get of a projection",
                view,
                &wanted(one).map(|one| one.view()),
            )?;
        }
        let mut seen = std::collections::BTreeSet::new();
        let once: Vec<_> = others.iter().filter(|one| seen.insert(one.id())).collect();
        let keys = || once.iter().map(|one| one.key_of());
        let wanted: Vec<_> = once.iter().map(|one| wanted(one)).collect();
        let batch = db.batch_get(keys()).await.map(|batch| batch.items);
        same("batch_get", batch, &wanted)?;
        let raw = once.iter().map(|one| one.raw_key_of());
        let batch = db.batch_get(raw).await.map(|batch| batch.items);
        same("batch_get by stored keys", batch, &wanted)?;
        let (metered, meter) = db.metered();
        let limited = metered.batch_get(keys()).at_most(rcu(100_000)).await;
        same(
            "batch_get with a limit",
            limited.map(|batch| batch.items),
            &wanted,
        )?;
        if meter.consumed().read <= 0.0 {
            return Err("batch_get consumed nothing".to_owned());
        }
        let together = db.transact_get(keys().collect::<Vec<_>>()).await;
        same("transact_get", together, &wanted)
    }

    /// Scans of the entity, of the table and of indexes.
    async fn scans(&self) -> Checked {
        let db = &self.db;
        let all: Vec<C> = self.model.values().cloned().collect();
        same_set("scan", C::scanned(db).await, all.clone())?;
        same("count of a scan", C::scan_count(db).await, &all.len())?;
        let views = all.iter().map(Case::view).collect();
        same_set("scan of a projection", C::scan_views(db).await, views)?;
        let table = all.iter().map(Case::as_tab);
        let table = table.chain(self.sides.iter().map(C::side_as_tab)).collect();
        same_set("scan of the table", C::table(db).await, table)?;
        for at in 0..C::KEYS.len() {
            let is_in = |one: &&C| one.partition(at).is_some();
            let members = all.iter().filter(is_in).cloned().collect();
            if let Some(found) = self.beside.index_scan(db, at) {
                same_set("scan of an index", found.await, members)?;
            }
        }
        if let Some([missing, there]) = C::missing(db) {
            let (none, some) = all.into_iter().partition(Case::is_missing);
            let missing = same_set("missing()", missing.await, none);
            let there = same_set("exists()", there.await, some);
            match missing.and(there) {
                Err(problem) if is_known(12) => tell(12, &problem),
                checked => return checked,
            }
        }
        Ok(())
    }

    /// The items of a partition, in the order of their sort keys.
    pub(crate) fn members(&self, like: &C, at: usize) -> Vec<C> {
        let partition = like.partition(at);
        let all = self.model.values();
        let members = all.filter(|one| partition.is_some() && one.partition(at) == partition);
        let mut members: Vec<C> = members.cloned().collect();
        members.sort_by_key(|one| one.sort(at));
        members
    }

    async fn partitions(&self, like: &C, at: usize) -> Checked {
        let (db, wanted) = (&self.db, self.members(like, at));
        // Items that are equal in an index come in any order.
        let in_order = |found: &[C], backward: bool| {
            let sorted = found.iter().map(|one| one.sort(at));
            if backward {
                sorted.is_sorted_by(|a, b| a >= b)
            } else {
                sorted.is_sorted()
            }
        };
        let reads = [
            ("query", like.all(db, at), false),
            ("descending", like.newest(db, at), true),
            ("hydrate", like.hydrated(db, at), false),
        ];
        for (what, read, backward) in reads {
            let Some(read) = read else { continue };
            let found = read.await;
            if let Ok(found) = &found
                && !in_order(found, backward)
            {
                return Err(format!("{what} is out of order: {found:?}"));
            }
            same_set(what, found, wanted.clone())?;
        }
        if let Some(count) = like.count(db, at) {
            same("count", count.await, &wanted.len())?;
        }
        if let Some(views) = like.views(db, at) {
            let wanted = wanted.iter().map(Case::view).collect();
            same_set("query of a projection", views.await, wanted)?;
        }
        Ok(())
    }

    /// Parts of a partition of the table: ranges, pages, what has not expired, and collections.
    async fn ranges(&self, like: &C) -> Checked {
        let (db, members) = (&self.db, self.members(like, 0));
        let chosen = |is_in: &dyn Fn(&C) -> bool| -> Vec<C> {
            members.iter().filter(|one| is_in(one)).cloned().collect()
        };
        let n = |one: &C| one.part("n").unwrap().parse::<u32>().unwrap();
        let range = like.range(db, 1, 7).await;
        same("range", range, &chosen(&|one| (1..=7).contains(&n(one))))?;
        let now = u64::try_from(self.now() / 1000).unwrap();
        let unexpired = chosen(&|one| one.ends().is_none_or(|ends| ends > now));
        same("skip_expired", like.live(db).await, &unexpired)?;
        if let Some((found, law)) = like.starting(db) {
            same("starts_with", found.await, &chosen(&|one| law(one, like)))?;
        }
        if let Some((found, law)) = like.above(db) {
            let all = self.model.values().filter(|one| law(one, like)).cloned();
            same_set("filter", found.await, all.collect())?;
        }
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let page = like
                .paged(db, cursor)
                .await
                .map_err(|error| error.to_string())?;
            pages.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        same("pages", Ok(pages), &members)?;
        let mut both: Vec<_> = members.iter().map(Case::as_both).collect();
        if like.partition(0) == self.beside.partition(0) {
            both.extend(self.sides.iter().map(C::side_as_both));
        }
        same("collection", like.both(db).await, &both)
    }
}

/// What was read is what it must be.
fn same<T: PartialEq + Debug>(what: &str, read: Result<T, Error>, wanted: &T) -> Checked {
    match read {
        Ok(found) if found == *wanted => Ok(()),
        Ok(found) => Err(format!("{what} gives {found:?}, not {wanted:?}")),
        Err(error) => Err(format!("{what} fails: {error}")),
    }
}

/// The same, in any order.
fn same_set<T: PartialEq + Debug>(
    what: &str,
    read: Result<Vec<T>, Error>,
    wanted: Vec<T>,
) -> Checked {
    let found = read.map_err(|error| format!("{what} fails: {error}"))?;
    let mut left = wanted;
    for one in &found {
        match left.iter().position(|other| other == one) {
            Some(at) => drop(left.swap_remove(at)),
            None => return Err(format!("{what} gives {one:?}, and must not")),
        }
    }
    match left.first() {
        None => Ok(()),
        Some(lost) => Err(format!("{what} does not give {lost:?}")),
    }
}
