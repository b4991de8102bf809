//! From changes to a write: recomputed keys, managed attributes, and complete new items.

use crate::codec::{EncodeError, Item};
use crate::entity::changes::{Assignment, Change, ItemChanges};
use crate::entity::fill;
use crate::entity::fill::Precondition;
use crate::entity::fill::VersionCheck;
use crate::entity::in_place::InPlace;
use crate::entity::loaded::LoadedItem;
use crate::entity::owner::claim::Claim;
use crate::entity::{Functions, KeyField, RestoredFields, restore_key_fields};
use crate::error::{Error, Result};
use crate::expr::{Expr, Path};
use crate::key::{KeyError, KeyErrorKind};
use crate::managed::UniqueField;
use crate::schema::AttributeName;
use crate::write::sentinel;
use crate::write::{Write, WriteKind};
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

impl ItemChanges {
    /// The write that it is.
    pub(crate) fn into_write(mut self, functions: &Functions, now: SystemTime) -> Result<Write> {
        if let Some(refused) = self.refused.take() {
            return Err(refused.into_error(self.meta));
        }
        self.check_nested()?;
        let mut assignments = self.assignments.iter();
        let readable = assignments.try_for_each(|assignment| assignment.check_readable(functions));
        readable.map_err(|source| self.failed(source))?;
        self.expire(now)?;
        if !self.assignments.is_empty() || self.precondition == Precondition::None {
            self.keep(now)?;
        }
        let mut companions = Vec::new();
        let mut version_check = None;
        if let Some(loaded) = self.loaded.take() {
            version_check = VersionCheck::of(self.meta, &loaded);
            let locked = version_check
                .as_ref()
                .map(VersionCheck::condition)
                .unwrap_or_default();
            self.condition = locked.and(std::mem::take(&mut self.condition));
            companions = self.recompute_keys(functions, &loaded, now)?;
        } else if self.precondition == Precondition::None {
            self.check_complete(functions, now)?;
        }
        let in_place = self.in_place();
        self.remove_aliases();
        let found = in_place.iter().map(InPlace::condition);
        let found = found.fold(Expr::default(), Expr::and);
        let precondition = self.precondition.condition(self.meta.schema);
        Ok(Write {
            condition: precondition.and(self.condition).and(found),
            version_check,
            companions,
            operation: match self.precondition {
                Precondition::None => "upsert",
                Precondition::MustNotExist | Precondition::MustExist => "update",
            },
            precondition: self.precondition,
            in_place,
            claim: self.claim,
            ..Write::new(self.meta, WriteKind::Update(self.key, self.assignments))
        })
    }

    fn failed(&self, source: EncodeError) -> Error {
        Error::Encode {
            entity: self.meta.name,
            source,
        }
    }

    /// The conditions that must not hold for changes in place.
    fn in_place(&self) -> Vec<InPlace> {
        let created_at = self
            .meta
            .managed
            .created_at
            .map(|stamp| stamp.name.attribute);
        let all = self.assignments.iter().flat_map(InPlace::of);
        // A `created_at` that is NULL stays NULL: it does not fail the update.
        let is_time =
            |one: &InPlace| matches!(one, InPlace::Null(path) if Some(path.name()) == created_at);
        all.filter(|one| !is_time(one)).collect()
    }

    /// Removes a field under its other names where it is written or removed: an item with both could not be read.
    fn remove_aliases(&mut self) {
        let written =
            |assignment: &&Assignment| matches!(assignment.change, Change::Set(_) | Change::Remove);
        let aliases = self.assignments.iter().filter(written);
        let aliases = aliases.flat_map(|assignment| assignment.path.aliases());
        let removed = aliases.map(|path| Assignment::new(path, Change::Remove));
        let removed: Vec<_> = removed.collect();
        self.assignments.extend(removed);
    }

    /// Inside of an attribute the types do not tell what a key is made of.
    fn check_nested(&self) -> Result<()> {
        for assignment in self
            .assignments
            .iter()
            .filter(|assignment| !assignment.path.is_attribute())
        {
            let key_fields = self.meta.key_fields.iter();
            let key_fields = key_fields.filter(|feed| feed.overlaps(&assignment.path));
            for feed in key_fields {
                let known = self.loaded.is_some() && matches!(assignment.change, Change::Set(_));
                let problem = if self.meta.is_in_key(feed.path) {
                    "is part of the primary key, which no update can change"
                } else if known || assignment.with_keys {
                    continue;
                } else {
                    "is part of an index key: set it with the setter of the index, or with `update_loaded`"
                };
                return Err(self.failed(assignment.path.locate(EncodeError::new(problem))));
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
            self.assignments
                .push(Assignment::new(path, Change::Add(one)));
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
            self.assignments
                .push(Assignment::new(path, Change::Set(value)));
        }
        if let (Some(stamp), Precondition::None) = (&kept.created_at, self.precondition) {
            let value = stamp.at(now).map_err(|source| self.failed(source))?;
            let path = Path::attribute(stamp.name);
            self.assignments
                .push(Assignment::new(path, Change::SetIfAbsent(value)));
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
        let mut assignments = self.assignments.iter();
        let Some(assignment) = assignments.find(|assignment| assignment.path.overlaps(&field))
        else {
            return Ok(());
        };
        let is_itself = expiry.name.attribute == attribute.name;
        let change = match &assignment.change {
            _ if self.loaded.is_none() && !self.meta.managed.unique.is_empty() => {
                Err(EncodeError::new(
                    "says when the unique values of the item expire: start with `update_loaded(&item)`, which knows them",
                ))
            }
            Change::Set(value) if is_itself && value.is_n() => return Ok(()),
            Change::Set(value) if assignment.path.is_attribute() => expiry.of(value, now),
            Change::Remove if assignment.path.is_attribute() => Ok(None),
            _ if is_itself => return Ok(()),
            _ => Err(EncodeError::new(
                "is the `ttl` field: the TTL cannot be recomputed after a change in place, such as `add`; set a value",
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
        self.assignments
            .retain(|assignment| !assignment.path.overlaps(&path));
        self.assignments.push(Assignment::new(path, change));
        Ok(())
    }

    /// Makes the keys of indexes follow the fields of a loaded item, as long as the other fields are still what they were. Returns what
    /// the change of unique fields takes.
    fn recompute_keys(
        &mut self,
        functions: &Functions,
        old: &Item,
        now: SystemTime,
    ) -> Result<Vec<Write>> {
        let mut new = old.clone();
        for assignment in &self.assignments {
            let value = match &assignment.change {
                Change::Set(value) => Some(value.clone()),
                Change::Remove => None,
                // These are of no key.
                _ => continue,
            };
            self.apply(assignment, value, &mut new)?;
        }
        let new = (functions.reread)(new)?;
        let old = LoadedItem {
            item: old,
            reread: functions.reread,
        };
        self.follow_keys(old, &new);
        self.hand_over(old, &new, now)
    }

    /// Sets the keys of the indexes whose fields change. What they are made of besides must still be what was loaded: also if the
    /// version is, because the entity may be another than the one that was loaded with it.
    fn follow_keys(&mut self, old: LoadedItem<'_>, new: &Item) {
        let is_written = |feed: &KeyField| {
            let mut assignments = self.assignments.iter();
            assignments.any(|assignment| feed.overlaps(&assignment.path))
        };
        let is_changed =
            |n: &usize| self.is_apart(*n) && self.meta.key_fields_of(*n).any(is_written);
        let changed: Vec<usize> = (0..self.meta.indexes.len()).filter(is_changed).collect();
        let is_fed = |feed: &&KeyField| {
            let mut key_fields = changed.iter().flat_map(|n| self.meta.key_fields_of(*n));
            key_fields.any(|one| one.path == feed.path)
        };
        let key_fields = self.meta.key_fields.iter().filter(is_fed);
        let is_given = |feed: &&KeyField| {
            let mut assignments = self.assignments.iter();
            assignments.any(|assignment| feed.is_covered_by(&assignment.path))
        };
        let others = key_fields.filter(|feed| !is_given(feed));
        let others = others.map(|feed| old.still_feeds(feed));
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
    fn hand_over(
        &mut self,
        loaded: LoadedItem<'_>,
        new: &Item,
        now: SystemTime,
    ) -> Result<Vec<Write>> {
        let (meta, kept) = (self.meta, &self.meta.managed);
        if kept.unique.is_empty() {
            return Ok(Vec::new());
        }
        let old = loaded.item;
        let is_written = |name: AttributeName| {
            let (field, mut assignments) = (Path::attribute(name), self.assignments.iter());
            assignments.any(|assignment| assignment.path.overlaps(&field))
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
        let is_held = |unique: &&UniqueField| changed.is_expiry_written || is_written(unique.name);
        let mut held = sentinel::still_held(kept.unique.iter().filter(is_held), loaded);
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
            self.assignments.push(Assignment::new(path, change));
        }
    }

    fn apply(
        &self,
        assignment: &Assignment,
        value: Option<AttributeValue>,
        item: &mut Item,
    ) -> Result<()> {
        let path = &assignment.path;
        path.put(item, value).ok_or_else(|| {
            let problem = "is inside a value that the item does not have";
            self.failed(path.locate(EncodeError::new(problem)))
        })
    }

    /// Adds what a new item needs: its tag, the fields of its key, and the index keys that are made of them.
    fn check_complete(&mut self, functions: &Functions, now: SystemTime) -> Result<()> {
        let schema = self.meta.schema;
        if self.claim != Claim::Own {
            let kind = KeyErrorKind::TemplateMismatch;
            return Err(Box::new(KeyError::new(self.meta.name, schema.pk().name, kind)).into());
        }
        let tag = schema.tag.map(|tag| {
            let value = AttributeValue::S(self.meta.tag.to_owned());
            (tag.attribute.name.to_owned(), value)
        });
        let mut item = restore_key_fields(functions.keys, self.key.clone(), RestoredFields::All)?;
        item.extend(tag);
        let given: Vec<String> = item.keys().cloned().collect();
        for assignment in &self.assignments {
            let value = match &assignment.change {
                Change::Set(value)
                | Change::SetIfAbsent(value)
                | Change::Plus(value)
                | Change::Append(value)
                | Change::Prepend(value)
                | Change::Add(value) => Some(value.clone()),
                Change::Remove | Change::Delete(_) => None,
            };
            self.apply(assignment, value, &mut item)?;
        }
        let whole = (functions.reread)(item.clone());
        let mut whole = whole.map_err(|error| {
            self.failed(EncodeError::new(format!(
                "an upsert may create the item, and the new item could not be decoded: {error}"
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
            let is_given = |field: &KeyField| {
                let mut clauses = self.assignments.iter();
                self.meta.is_in_key(field.path)
                    && clauses.any(|clause| field.is_covered_by(&clause.path))
            };
            let of_the_key = self.meta.key_fields_of(n).all(is_given);
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
        let is_set = self.assignments.iter().any(|one| one.path.overlaps(&path));
        if is_set || !whole.contains_key(ttl.name) {
            return Ok(());
        }
        if given.iter().any(|given| given == expiry.name.attribute) {
            self.set_given(AttributeName::from(&ttl), whole);
            return Ok(());
        }
        let problem = "is the `ttl` field: an upsert may create the item, so it must set it";
        Err(self.failed(EncodeError::new(problem).in_field(expiry.name.attribute)))
    }

    /// Sets an attribute to what the key of the item makes of it.
    fn set_given(&mut self, name: AttributeName, whole: &Item) {
        let path = Path::attribute(name);
        let is_known = |assignment: &Assignment| assignment.path.overlaps(&path);
        if self.key.contains_key(name.attribute) || self.assignments.iter().any(is_known) {
            return;
        }
        if let Some(value) = whole.get(name.attribute) {
            self.assignments
                .push(Assignment::new(path, Change::Set(value.clone())));
        }
    }
}
