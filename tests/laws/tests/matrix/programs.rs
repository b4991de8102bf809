//! Random programs: every kind of write, of new values, of items that were loaded just now and long ago, alone and in transactions.

use super::case::{Case, Edge, How};
use super::edges::edges;
use super::known::is_known;
use super::rng::Rng;
use super::world::{Checked, Want, World};
use dyna_runtime::{Error, Put};

/// How many writes a program has.
const STEPS: usize = 40;

/// How often all reads are made.
const READS: usize = 10;

const KINDS: &[&str] = &[
    "put",
    "create",
    "replace",
    "update",
    "update_loaded",
    "upsert",
    "delete",
    "delete_loaded",
    "rekey",
    "rekey_loaded",
    "batch_write",
    "transact",
];

/// How many programs each entity runs: `DYNA_MATRIX_SEEDS`, or three.
fn seeds() -> u64 {
    let given = std::env::var("DYNA_MATRIX_SEEDS").ok();
    given.map_or(3, |seeds| seeds.parse().unwrap())
}

/// Runs the programs of an entity, and tells which failed.
pub(crate) async fn programs<C: Case>() -> Vec<String> {
    let mut failures = Vec::new();
    for seed in 0..seeds() {
        let mut program = Program::<C>::new(seed).await;
        if let Err(problem) = program.run().await {
            let trace = program.trace.iter().rev().take(4).rev();
            let trace: Vec<_> = trace.map(String::as_str).collect();
            failures.push(format!(
                "seed {seed}: {problem}\n    {}",
                trace.join("\n    ")
            ));
        }
    }
    failures
}

struct Program<C: Case> {
    rng: Rng,
    world: World<C>,
    edges: Vec<Edge<C>>,
    /// What was stored some time ago.
    ago: Vec<C>,
    trace: Vec<String>,
}

impl<C: Case> Program<C> {
    async fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let world = World::new(C::make(&mut rng)).await;
        let edges = edges::<C>().into_iter();
        Self {
            rng,
            world,
            edges: edges.filter(|edge| !is_known(edge.point)).collect(),
            ago: Vec::new(),
            trace: Vec::new(),
        }
    }

    async fn run(&mut self) -> Checked {
        for step in 1..=STEPS {
            self.world.tick();
            self.step().await?;
            if step % READS == 0 {
                let like = C::make(&mut self.rng);
                self.world.read_all(&like).await?;
            }
            self.ago.extend(self.world.model.values().cloned());
            let old = self.ago.len().saturating_sub(20);
            self.ago.drain(..old);
        }
        Ok(())
    }

    fn any_stored(&mut self) -> Option<C> {
        let stored: Vec<_> = self.world.model.values().collect();
        (!stored.is_empty()).then(|| (*self.rng.pick(&stored)).clone())
    }

    /// What a caller has in hand: mostly what is stored.
    fn loaded(&mut self) -> Option<C> {
        match self.rng.below(3) {
            0 if !self.ago.is_empty() => Some(self.rng.pick(&self.ago).clone()),
            _ => self.any_stored(),
        }
    }

    /// A whole item to write: a new one, or one with the key and the version of another.
    fn given(&mut self) -> C {
        let mut new = C::make(&mut self.rng);
        if self.rng.below(2) == 0
            && let Some(mut loaded) = self.loaded()
        {
            new.re_key(&loaded);
            new.keep_created(&loaded);
            if let (Some(version), Some(loaded)) = (new.version(), loaded.version()) {
                *version = *loaded;
            }
        }
        new
    }

    /// Makes a value special, now and then. Which of the edges it is at then.
    fn bend(&mut self, given: &mut C) -> Option<usize> {
        if self.edges.is_empty() || self.rng.below(6) > 0 {
            return None;
        }
        let at = self.rng.below(self.edges.len());
        let edge = &self.edges[at];
        (edge.apply)(given);
        self.trace.push(format!("with {}", edge.name));
        Some(at)
    }

    async fn step(&mut self) -> Checked {
        let kind = *self.rng.pick(KINDS);
        let how = *self.rng.pick(&[How::Alone, How::Once, How::Together]);
        let mut given = self.given();
        if is_known(6)
            && ["create", "transact"].contains(&kind)
            && let Some(version) = given.version()
        {
            *version = 0;
        }
        let edge = self.bend(&mut given);
        let sent = match kind {
            "update" | "update_loaded" => self.change(kind == "update_loaded", how).await,
            "delete" | "delete_loaded" => self.delete(kind == "delete_loaded", how).await,
            "rekey" | "rekey_loaded" => self.moved(kind == "rekey_loaded", how, given).await,
            "batch_write" => self.batch(given).await,
            "transact" => self.transact(given).await,
            _ => self.whole(kind, how, given).await,
        };
        // What the entity does not offer is no step.
        let Some((mut want, sent)) = sent else {
            return Ok(());
        };
        let is_whole = !["update", "update_loaded", "delete", "delete_loaded"].contains(&kind);
        if let (Some(at), true) = (edge, is_whole) {
            want.must = self.edges[at].must(kind, want.must);
        }
        self.world.settle(want, sent).await
    }

    async fn whole(
        &mut self,
        kind: &str,
        how: How,
        given: C,
    ) -> Option<(Want<C>, Result<(), Error>)> {
        self.trace.push(format!("{kind} {how:?} {given:?}"));
        let World { db, .. } = &self.world;
        let (want, sent) = match kind {
            "put" => (self.world.put(&given), how.put(db, given.put_of()?)),
            "replace" => (self.world.replace(&given), how.put(db, given.replace_of()?)),
            "upsert" => (
                self.world.upsert(&given),
                how.update(db, given.upsert_of()?),
            ),
            _ => (self.world.create(&given), how.put(db, Put::create(&given))),
        };
        Some((want, sent.await))
    }

    async fn change(&mut self, is_loaded: bool, how: How) -> Option<(Want<C>, Result<(), Error>)> {
        let new = C::make(&mut self.rng);
        let old = self.loaded()?;
        let changes = C::changes();
        let at = self.rng.below(changes.len());
        let change = &changes[at];
        let apply = |v: &mut C| (change.apply)(v, &new);
        self.trace.push(format!(
            "{} of {}, {how:?}, {old:?}, from {new:?}",
            change.name,
            if is_loaded { "a loaded item" } else { "a key" }
        ));
        let db = &self.world.db;
        let (want, sent) = if is_loaded {
            let sent = old.change_of(db, at, &new, how)?;
            (self.world.change_of(&old, apply), sent)
        } else {
            let sent = old.change_by_key(db, at, &new, how)?;
            (self.world.change(&old, apply), sent)
        };
        Some((want, sent.await))
    }

    async fn delete(&mut self, is_loaded: bool, how: How) -> Option<(Want<C>, Result<(), Error>)> {
        let old = self.loaded()?;
        self.trace
            .push(format!("delete {how:?} {is_loaded} {old:?}"));
        let db = &self.world.db;
        let (want, delete) = if is_loaded {
            (self.world.delete_loaded(&old), old.delete_loaded())
        } else {
            (self.world.delete(&old), old.delete_at()?)
        };
        Some((want, how.delete(db, delete).await))
    }

    async fn moved(
        &mut self,
        is_loaded: bool,
        how: How,
        to: C,
    ) -> Option<(Want<C>, Result<(), Error>)> {
        let (mut old, mut to) = (self.loaded()?, to);
        if let (Some(version), Some(old)) = (to.version(), old.version())
            && *version != u64::MAX
        {
            *version = *old;
        }
        self.trace
            .push(format!("move {how:?} {is_loaded} {old:?} to {to:?}"));
        let db = &self.world.db;
        let (want, moved) = if is_loaded {
            (self.world.rekey_loaded(&old, &to), old.move_loaded(&to))
        } else {
            (self.world.rekey(&old, &to), old.move_at(&to)?)
        };
        Some((want, how.moved(db, moved).await))
    }

    /// One put, and deletes of others.
    async fn batch(&mut self, given: C) -> Option<(Want<C>, Result<(), Error>)> {
        let mut deleted = vec![C::make(&mut self.rng), C::make(&mut self.rng)];
        let mut seen = std::collections::BTreeSet::from([given.id()]);
        deleted.retain(|one| seen.insert(one.id()));
        self.trace
            .push(format!("batch put {given:?}, delete {deleted:?}"));
        let mut want = self.world.put(&given);
        for one in &deleted {
            want.after.remove(&one.id());
        }
        let puts = [given];
        let sent = C::batch(&self.world.db, &puts, &deleted)?;
        Some((want, sent.await))
    }

    /// A create and a delete of another item: both or neither.
    async fn transact(&mut self, given: C) -> Option<(Want<C>, Result<(), Error>)> {
        let old = self.any_stored()?;
        if old.id() == given.id() {
            return None;
        }
        self.trace
            .push(format!("create {given:?} and delete {old:?}"));
        let shared = given.unique().iter().any(|one| old.unique().contains(one));
        if shared {
            // One value cannot change hands in one transaction.
            return None;
        }
        let mut want = self.world.create(&given);
        want.after.remove(&old.id());
        let sent = self.world.db.transact();
        let sent = sent.create(&given).delete(old.delete_loaded()).send();
        let sent = sent.await;
        Some((want, sent))
    }
}
