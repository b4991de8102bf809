//! What an update needs beyond what it was told: the keys that follow the fields, what Dyna keeps, and the whole of a new item.

use crate::codec::{EncodeError, Item};
use crate::entity::changes::{Change, Changes, Clause};
use crate::entity::fill;
use crate::entity::fill::Presence;
use crate::entity::fill::{Loaded, Lock};
use crate::entity::in_place::InPlace;
use crate::entity::{Fields, Functions, KeyField, restore};
use crate::error::{Error, Result};
use crate::expr::{Expr, Path};
use crate::managed::Unique;
use crate::schema::AttributeName;
use crate::write::sentinel;
use crate::write::{Action, Write};
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

impl Changes {
    /// The write that it is.
    pub(crate) fn complete(mut self, functions: &Functions, now: SystemTime) -> Result<Write> {
        if let Some(refused) = self.refused.take() {
            return Err(refused.into_error(self.meta));
        }
        self.check_nested()?;
        let mut clauses = self.clauses.iter();
        let readable = clauses.try_for_each(|clause| clause.check_readable(functions));
        readable.map_err(|source| self.failed(source))?;
        self.expire(now)?;
        if !self.clauses.is_empty() || self.presence == Presence::Any {
            self.keep(now)?;
        }
        let mut companions = Vec::new();
        let mut lock = None;
        if let Some(loaded) = self.loaded.take() {
            lock = Lock::of(self.meta, &loaded);
            let locked = lock.as_ref().map(Lock::condition).unwrap_or_default();
            self.condition = locked.and(std::mem::take(&mut self.condition));
            companions = self.follow(functions, &loaded, now)?;
        } else if self.presence == Presence::Any {
            self.make_whole(functions, now)?;
        }
        let in_place = self.in_place();
        self.remove_aliases();
        let found = in_place.iter().map(InPlace::condition);
        let found = found.fold(Expr::default(), Expr::and);
        let presence = self.presence.condition(self.meta.schema);
        Ok(Write {
            condition: presence.and(self.condition).and(found),
            lock,
            companions,
            operation: match self.presence {
                Presence::Any => "upsert",
                Presence::Absent | Presence::Present => "update",
            },
            presence: self.presence,
            in_place,
            ..Write::new(self.meta, Action::Update(self.key, self.clauses))
        })
    }

    fn failed(&self, source: EncodeError) -> Error {
        Error::Encode {
            entity: self.meta.name,
            source,
        }
    }

    /// What must not be so for DynamoDB to find what it changes.
    fn in_place(&self) -> Vec<InPlace> {
        let created_at = self
            .meta
            .managed
            .created_at
            .map(|stamp| stamp.name.attribute);
        let all = self.clauses.iter().flat_map(InPlace::of);
        // The time of creation that an item does not know, it does not know.
        let is_time =
            |one: &InPlace| matches!(one, InPlace::Null(path) if Some(path.name()) == created_at);
        all.filter(|one| !is_time(one)).collect()
    }

    /// Removes a field under its other names where it is written or removed: an item with both could not be read.
    fn remove_aliases(&mut self) {
        let written = |clause: &&Clause| matches!(clause.change, Change::Set(_) | Change::Remove);
        let aliases = self.clauses.iter().filter(written);
        let aliases = aliases.flat_map(|clause| clause.path.aliases());
        let removed = aliases.map(|path| Clause::new(path, Change::Remove));
        let removed: Vec<_> = removed.collect();
        self.clauses.extend(removed);
    }

    /// Inside of an attribute the types do not tell what a key is made of.
    fn check_nested(&self) -> Result<()> {
        for clause in self
            .clauses
            .iter()
            .filter(|clause| !clause.path.is_attribute())
        {
            let key_fields = self.meta.key_fields.iter();
            let key_fields = key_fields.filter(|feed| feed.path().overlaps(&clause.path));
            for feed in key_fields {
                let known = self.loaded.is_some() && matches!(clause.change, Change::Set(_));
                let problem = if self.meta.is_in_key(feed.path) {
                    "is part of the primary key, which no update can change"
                } else if known || clause.with_keys {
                    continue;
                } else {
                    "is part of an index key: set it with the setter of the index, or with `update_loaded`"
                };
                return Err(self.failed(clause.path.locate(EncodeError::new(problem))));
            }
        }
        Ok(())
    }

    /// Adds what every change brings with it: the next version, and the time.
    fn keep(&mut self, now: SystemTime) -> Result<()> {
        let kept = &self.meta.managed;
        if let Some(version) = kept.version {
            let one = AttributeValue::N("1".to_owned());
            let path = Path::attribute(version.name);
            self.clauses.push(Clause::new(path, Change::Add(one)));
            if let Some(loaded) = &self.loaded {
                fill::next_version(self.meta, version, loaded.get(version.name.attribute))?;
            } else {
                let condition = std::mem::take(&mut self.condition);
                self.condition = condition.and(fill::has_next_version(version));
            }
        }
        if let Some(stamp) = &kept.updated_at {
            let value = stamp.at(now).map_err(|source| self.failed(source))?;
            let path = Path::attribute(stamp.name);
            self.clauses.push(Clause::new(path, Change::Set(value)));
        }
        if let (Some(stamp), Presence::Any) = (&kept.created_at, self.presence) {
            let value = stamp.at(now).map_err(|source| self.failed(source))?;
            let path = Path::attribute(stamp.name);
            self.clauses
                .push(Clause::new(path, Change::SetIfAbsent(value)));
        }
        Ok(())
    }

    /// Makes the time of expiry follow its field.
    fn expire(&mut self, now: SystemTime) -> Result<()> {
        let (Some(expiry), Some(attribute)) = (&self.meta.managed.expiry, self.meta.schema.ttl)
        else {
            return Ok(());
        };
        let field = Path::attribute(expiry.name);
        let mut clauses = self.clauses.iter();
        let Some(clause) = clauses.find(|clause| clause.path.overlaps(&field)) else {
            return Ok(());
        };
        let is_itself = expiry.name.attribute == attribute.name;
        let change = match &clause.change {
            _ if self.loaded.is_none() && !self.meta.managed.unique.is_empty() => {
                Err(EncodeError::new(
                    "says when the unique values of the item expire: start with `update_loaded(&item)`, which knows them",
                ))
            }
            Change::Set(value) if is_itself && value.is_n() => return Ok(()),
            Change::Set(value) if clause.path.is_attribute() => expiry.of(value, now),
            Change::Remove if clause.path.is_attribute() => Ok(None),
            _ if is_itself => return Ok(()),
            _ => Err(EncodeError::new(
                "is the time of expiry, which cannot follow a change that DynamoDB makes in place",
            )),
        };
        let change = change.map_err(|source| self.failed(field.locate(source)))?;
        let change = change.map_or(Change::Remove, Change::Set);
        // The field may be the time of expiry itself.
        let path = if expiry.name.attribute == attribute.name {
            field
        } else {
            Path::attribute(&attribute)
        };
        self.clauses.retain(|clause| !clause.path.overlaps(&path));
        self.clauses.push(Clause::new(path, change));
        Ok(())
    }

    /// Makes the keys of indexes follow the fields of a loaded item, as long as the other fields are still what they were. Returns what
    /// the change of unique fields takes.
    fn follow(&mut self, functions: &Functions, old: &Item, now: SystemTime) -> Result<Vec<Write>> {
        let mut new = old.clone();
        for clause in &self.clauses {
            let value = match &clause.change {
                Change::Set(value) => Some(value.clone()),
                Change::Remove => None,
                // These are of no key.
                _ => continue,
            };
            self.apply(clause, value, &mut new)?;
        }
        let new = (functions.reread)(new)?;
        let old = Loaded {
            item: old,
            reread: functions.reread,
        };
        self.follow_keys(old, &new);
        self.hand_over(old, &new, now)
    }

    /// Sets the keys of the indexes whose fields change. What they are made of besides must still be what was loaded: also if the
    /// version is, because the entity may be another than the one that was loaded with it.
    fn follow_keys(&mut self, old: Loaded<'_>, new: &Item) {
        let is_written = |feed: &KeyField| {
            let (feed, mut clauses) = (feed.path(), self.clauses.iter());
            clauses.any(|clause| clause.path.overlaps(&feed))
        };
        let is_changed =
            |n: &usize| self.is_apart(*n) && self.meta.key_fields_of(*n).any(is_written);
        let changed: Vec<usize> = (0..self.meta.indexes.len()).filter(is_changed).collect();
        let is_fed = |feed: &&KeyField| {
            let mut key_fields = changed.iter().flat_map(|n| self.meta.key_fields_of(*n));
            key_fields.any(|one| one.path == feed.path)
        };
        let key_fields = self
            .meta
            .key_fields
            .iter()
            .filter(is_fed)
            .map(KeyField::path);
        let is_given = |feed: &Path| {
            let mut clauses = self.clauses.iter();
            clauses.any(|clause| clause.path.covers(feed))
        };
        let others = key_fields.filter(|feed| !is_given(feed));
        let others = others.map(|feed| old.still(&feed));
        let others = others.fold(Expr::default(), Expr::and);
        let condition = std::mem::take(&mut self.condition);
        self.condition = condition.and(others);
        self.set_keys(&changed, new.clone());
    }

    /// Whether an attribute of an index is stored apart from the fields, so that it has to follow them.
    fn is_apart(&self, n: usize) -> bool {
        let index = self.meta.indexes.get(n);
        let mut attributes = index
            .into_iter()
            .flat_map(|index| index.schema.attributes());
        attributes.any(|attribute| self.follows(attribute))
    }

    /// Gives up the old values of unique fields that change, and takes the new ones. All of them expire with the item.
    fn hand_over(&mut self, loaded: Loaded<'_>, new: &Item, now: SystemTime) -> Result<Vec<Write>> {
        let (meta, kept) = (self.meta, &self.meta.managed);
        if kept.unique.is_empty() {
            return Ok(Vec::new());
        }
        let old = loaded.item;
        let is_written = |name: AttributeName| {
            let (field, mut clauses) = (Path::attribute(name), self.clauses.iter());
            clauses.any(|clause| clause.path.overlaps(&field))
        };
        let mut changed = sentinel::Changed {
            old,
            new,
            is_expiry_written: kept.expiry.is_some_and(|expiry| is_written(expiry.name)),
            now,
        };
        let is_expiry_given = changed.is_expiry_written;
        let takes_values = kept.expiry.is_some() && changed.is_of_values(meta);
        if takes_values && fill::is_relative(meta, new, now)? {
            changed.is_expiry_written = true;
        }
        let is_held = |unique: &&Unique| changed.is_expiry_written || is_written(unique.name);
        let mut held = sentinel::hold(kept.unique.iter().filter(is_held), loaded);
        // New values get the time of expiry that was loaded, and values that have expired are not given up.
        if takes_values && (!is_expiry_given || fill::has_expired(meta, old, now)?) {
            held = held.and(loaded.same_expiry(meta));
        }
        let condition = std::mem::take(&mut self.condition);
        self.condition = condition.and(held);
        if takes_values && !is_expiry_given {
            self.set_expiry(fill::expiry(meta, new, now)?);
        }
        changed.writes(meta)
    }

    /// Sets the time of expiry, unless a field of its own holds it.
    fn set_expiry(&mut self, at: Option<AttributeValue>) {
        let Some(ttl) = self.meta.schema.ttl else {
            return;
        };
        if !self.meta.has_attribute(ttl.name) {
            let change = at.map_or(Change::Remove, Change::Set);
            let path = Path::attribute(&ttl);
            self.clauses.push(Clause::new(path, change));
        }
    }

    fn apply(&self, clause: &Clause, value: Option<AttributeValue>, item: &mut Item) -> Result<()> {
        let path = &clause.path;
        path.put(item, value).ok_or_else(|| {
            let problem = "is inside of something that the item does not have";
            self.failed(path.locate(EncodeError::new(problem)))
        })
    }

    /// Adds what a new item needs: its tag, the fields of its key, and the index keys that are made of them.
    fn make_whole(&mut self, functions: &Functions, now: SystemTime) -> Result<()> {
        let schema = self.meta.schema;
        let tag = schema.tag.map(|tag| {
            let value = AttributeValue::S(self.meta.tag.to_owned());
            (tag.attribute.name.to_owned(), value)
        });
        let mut item = restore(functions.keys, self.key.clone(), Fields::All)?;
        item.extend(tag);
        let given: Vec<String> = item.keys().cloned().collect();
        for clause in &self.clauses {
            let value = match &clause.change {
                Change::Set(value)
                | Change::SetIfAbsent(value)
                | Change::Plus(value)
                | Change::Append(value)
                | Change::Prepend(value)
                | Change::Add(value) => Some(value.clone()),
                Change::Remove | Change::Delete(_) => None,
            };
            self.apply(clause, value, &mut item)?;
        }
        let whole = (functions.reread)(item.clone());
        let mut whole = whole.map_err(|error| {
            self.failed(EncodeError::new(format!(
                "an upsert may make a new item, which would not be whole: {error}"
            )))
        })?;
        fill::expire(self.meta, &mut whole, now)?;
        self.check_expiry(&given, &whole)?;
        for name in schema
            .tag
            .iter()
            .map(|tag| AttributeName::from(&tag.attribute))
        {
            self.set_given(name, &whole);
        }
        for field in self.meta.fields {
            if given.iter().any(|given| given == field.attribute) && !field.key_only {
                self.set_given(field.stored(), &whole);
            }
        }
        for (n, index) in self.meta.indexes.iter().enumerate() {
            let of_the_key = self.meta.key_fields_of(n).next().is_none();
            for attribute in index.schema.attributes() {
                if of_the_key {
                    self.set_given(AttributeName::from(attribute), &whole);
                } else if item.get(attribute.name) != whole.get(attribute.name) {
                    let problem = format!(
                        "an upsert may make a new item, so it needs all fields of the index `{}`",
                        index.accessor
                    );
                    return Err(self.failed(EncodeError::new(problem)));
                }
            }
        }
        Ok(())
    }

    /// A new item expires when its field says: where the key gives the field, the time of expiry is set; where a default does, the caller
    /// has to.
    fn check_expiry(&mut self, given: &[String], whole: &Item) -> Result<()> {
        let (Some(expiry), Some(ttl)) = (&self.meta.managed.expiry, self.meta.schema.ttl) else {
            return Ok(());
        };
        let path = Path::attribute(&ttl);
        let is_set = self.clauses.iter().any(|one| one.path.overlaps(&path));
        if is_set || !whole.contains_key(ttl.name) {
            return Ok(());
        }
        if given.iter().any(|given| given == expiry.name.attribute) {
            self.set_given(AttributeName::from(&ttl), whole);
            return Ok(());
        }
        let problem =
            "says when the item expires: an upsert may make a new item, so it has to set it";
        Err(self.failed(EncodeError::new(problem).in_field(expiry.name.attribute)))
    }

    /// Sets an attribute to what the key of the item makes of it.
    fn set_given(&mut self, name: AttributeName, whole: &Item) {
        let path = Path::attribute(name);
        let is_known = |clause: &Clause| clause.path.overlaps(&path);
        if self.key.contains_key(name.attribute) || self.clauses.iter().any(is_known) {
            return;
        }
        if let Some(value) = whole.get(name.attribute) {
            self.clauses
                .push(Clause::new(path, Change::Set(value.clone())));
        }
    }
}
