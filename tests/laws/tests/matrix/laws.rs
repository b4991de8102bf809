//! What every write must do to the model: written from the laws, not from the library.

use super::case::Case;
use super::world::{Model, Must, Want, World};

impl<C: Case> World<C> {
    fn stored(&self, like: &C) -> Option<&C> {
        self.model.get(&like.id())
    }

    /// Whether the version that the caller brings is the stored one; zero is that of no item.
    fn is_current(&self, given: &C) -> bool {
        let version = |one: &C| one.clone().version().map(|version| *version);
        let stored = self.stored(given).map_or(Some(0), version);
        version(given).is_none() || version(given) == stored
    }

    /// The item as a write leaves it.
    fn written(&self, mut given: C, is_new: bool) -> C {
        if let Some(version) = given.version() {
            *version = version.wrapping_add(1);
        }
        given.stamp(self.now(), is_new);
        given
    }

    fn with(&self, written: C) -> Model<C> {
        let mut after = self.model.clone();
        after.insert(written.id(), written);
        after
    }

    fn want(&self, possible: bool, after: Model<C>) -> Want<C> {
        let must = if possible && self.is_unique(&after) {
            Must::Succeed
        } else {
            Must::Fail
        };
        Want { must, after }
    }

    /// The same, of a write of one item. One that has expired need not take the values that it names, but may.
    fn want_of(&self, possible: bool, written: C) -> Want<C> {
        let after = self.with(written.clone());
        self.unless_outlived(&written, self.want(possible, after))
    }

    fn unless_outlived(&self, written: &C, mut want: Want<C>) -> Want<C> {
        if want.must == Must::Succeed && self.is_outlived(written, &want.after) {
            want.must = Must::Either;
        }
        want
    }

    /// `put`: replaces what is there, if it has the version that was loaded.
    pub(crate) fn put(&self, given: &C) -> Want<C> {
        let is_new = given.clone().version().is_some_and(|version| *version == 0);
        self.want_of(self.is_current(given), self.written(given.clone(), is_new))
    }

    /// `create`: only if there is none. A version of the caller's is refused or not looked at.
    pub(crate) fn create(&self, given: &C) -> Want<C> {
        let mut first = given.clone();
        let brought = first.version().map(std::mem::take).unwrap_or_default();
        let mut want = self.want_of(self.stored(given).is_none(), self.written(first, true));
        if brought != 0 && want.must == Must::Succeed {
            want.must = Must::Either;
        }
        want
    }

    /// `replace`: only if there is one, with the version that was loaded.
    pub(crate) fn replace(&self, given: &C) -> Want<C> {
        let possible = self.stored(given).is_some() && self.is_current(given);
        self.want_of(possible, self.written(given.clone(), false))
    }

    /// `update`: changes some fields of what is there.
    pub(crate) fn change(&self, key: &C, apply: impl Fn(&mut C)) -> Want<C> {
        let Some(mut stored) = self.stored(key).cloned() else {
            return self.want(false, self.model.clone());
        };
        apply(&mut stored);
        self.want_of(true, self.written(stored, false))
    }

    /// `update_loaded`: the same, of what was loaded.
    pub(crate) fn change_of(&self, loaded: &C, apply: impl Fn(&mut C)) -> Want<C> {
        self.if_loaded(loaded, self.change(loaded, apply))
    }

    /// What was loaded must have the version that is stored. If the rest is not what is stored, the write may fail.
    fn if_loaded(&self, loaded: &C, mut want: Want<C>) -> Want<C> {
        if !self.is_current(loaded) {
            want.must = Must::Fail;
        } else if self.stored(loaded) != Some(loaded) && want.must == Must::Succeed {
            want.must = Must::Either;
        }
        want
    }

    /// `upsert`: sets fields of what is there, or makes an item of them.
    pub(crate) fn upsert(&self, given: &C) -> Want<C> {
        let (mut new, stored) = (given.clone(), self.stored(given).cloned());
        new.full();
        if let Some(version) = new.version() {
            *version = 0;
        }
        let mut old = stored.clone();
        let kept = old.as_mut().and_then(Case::extra).map(std::mem::take);
        if let Some(extra) = new.extra() {
            *extra = kept.unwrap_or_default();
        }
        if let Some(old) = &mut old {
            new.keep_created(old);
            if let (Some(version), Some(old)) = (new.version(), old.version()) {
                *version = *old;
            }
        }
        self.want_of(true, self.written(new, stored.is_none()))
    }

    /// `delete`: whatever is there.
    pub(crate) fn delete(&self, key: &C) -> Want<C> {
        let mut after = self.model.clone();
        after.remove(&key.id());
        self.want(true, after)
    }

    /// `delete_loaded`: what was loaded, if it is there.
    pub(crate) fn delete_loaded(&self, loaded: &C) -> Want<C> {
        let mut want = self.if_loaded(loaded, self.delete(loaded));
        if self.stored(loaded).is_none() {
            want.must = Must::Fail;
        }
        want
    }

    /// `rekey`: from one key to a free one, or to the same.
    pub(crate) fn rekey(&self, from: &C, to: &C) -> Want<C> {
        let version = |one: &C| one.clone().version().map(|version| *version);
        let is_free = from.id() == to.id() || self.stored(to).is_none();
        let stored = self.stored(from);
        let is_current = match version(to) {
            None | Some(0) => true,
            given => stored.is_some_and(|stored| version(stored) == given),
        };
        let mut after = self.model.clone();
        after.remove(&from.id());
        let written = self.written(to.clone(), false);
        after.insert(to.id(), written.clone());
        let possible = stored.is_some() && is_free && is_current;
        self.unless_outlived(&written, self.want(possible, after))
    }

    /// `rekey_loaded`: the same, of what was loaded, whose version counts.
    pub(crate) fn rekey_loaded(&self, loaded: &C, to: &C) -> Want<C> {
        let mut to = to.clone();
        if let (Some(version), Some(old)) = (to.version(), loaded.clone().version()) {
            *version = *old;
        }
        self.if_loaded(loaded, self.rekey(loaded, &to))
    }
}
