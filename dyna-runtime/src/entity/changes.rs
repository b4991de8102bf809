//! An update under construction: the key, and what changes.

use crate::codec::absences::{LEFT_OUT, NOTHING};
use crate::codec::readback;
use crate::codec::readback::Noted;
use crate::codec::size::{check_depth, value_size};
use crate::codec::{DecodeError, EncodeError, Item};
use crate::entity::WhenAbsent;
use crate::entity::fill::Precondition;
use crate::entity::key_text;
use crate::entity::owner::claim::Claim;
use crate::entity::{
    Entity, EntityMeta, FieldMeta, Functions, KeyFunctions, KeyWriter, index_only,
};
use crate::entity::{Key, check_native};
use crate::error::{Error, Result};
use crate::expr::{Encoding, Expr, Field, Path};
use crate::key::{KeyError, KeyId, ParsedKey};
use crate::schema::KeyAttribute;
use aws_sdk_dynamodb::types::AttributeValue;

/// An update under construction: what a generated type of index setters holds.
#[derive(Clone)]
pub struct ItemChanges {
    pub(crate) meta: &'static EntityMeta,
    pub(crate) key: Item,
    pub(crate) precondition: Precondition,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) condition: Expr,
    /// The item as it was loaded, if it was.
    pub(crate) loaded: Option<Item>,
    /// The first thing that keeps the update from being made.
    pub(crate) refused: Option<InvalidChange>,
    /// Whether its key was given as it is stored, and is none of the entity's own.
    pub(crate) claim: Claim,
}

/// Why an update is not made.
#[derive(Clone)]
pub(crate) enum InvalidChange {
    Key(Box<KeyError>),
    Value(EncodeError),
}

impl InvalidChange {
    pub(crate) fn into_error(self, meta: &EntityMeta) -> Error {
        match self {
            Self::Key(error) => Error::Key(error),
            Self::Value(source) => Error::Encode {
                entity: meta.name,
                source,
            },
        }
    }
}

/// One change of one place.
#[derive(Clone)]
pub(crate) struct Assignment {
    pub(crate) path: Path,
    pub(crate) change: Change,
    /// Whether the keys of its indexes are set with it.
    pub(crate) with_keys: bool,
    /// Whether it is not sure that its value can be read.
    is_unsure: bool,
}

impl Assignment {
    pub(crate) fn new(path: Path, change: Change) -> Self {
        Self {
            path,
            change,
            with_keys: false,
            is_unsure: false,
        }
    }

    /// Fails if what it stores could not be read as a part of the entity.
    pub(crate) fn check_readable(&self, functions: &Functions) -> Result<(), EncodeError> {
        let Some(value) = self.change.stored().filter(|_| self.is_unsure) else {
            return Ok(());
        };
        // All but this value is missing, which is found out further outside.
        let mut item = self.path.alone(value.clone());
        let Some(variants) = functions.meta.variants else {
            let checked = (functions.check_part)(item, self.path.depth());
            return checked.map_err(EncodeError::unreadable);
        };
        // Of an enum serde reads a copy of the item, so that nothing tells how deep in it something is wrong. All variants read the
        // field alike.
        variants.mark(&mut item);
        let is_elsewhere = |error: &DecodeError| {
            let is_field = |name| functions.meta.has_attribute(name) || variants.has_first(name);
            error.missing_attribute().is_some_and(is_field)
        };
        match (functions.check_part)(item, 0) {
            Err(error) if !is_elsewhere(&error) => {
                Err(self.path.locate(EncodeError::unreadable(error)))
            }
            _ => Ok(()),
        }
    }

    /// How many bytes the item has of it at least, whatever was there.
    pub(crate) fn size(&self) -> usize {
        let value = match &self.change {
            Change::Set(value) | Change::Append(value) | Change::Prepend(value) => value,
            Change::Add(set) if !set.is_n() => set,
            _ => return 0,
        };
        let name = self.path.root().attribute.len();
        value_size(value) + if self.path.is_attribute() { name } else { 0 }
    }
}

/// A change of one attribute or nested value.
#[derive(Clone)]
pub(crate) enum Change {
    Set(AttributeValue),
    SetIfAbsent(AttributeValue),
    /// Adds a number, where `ADD` is not taken: inside of an attribute.
    Plus(AttributeValue),
    Append(AttributeValue),
    Prepend(AttributeValue),
    Remove,
    /// Adds a number, or elements of a set.
    Add(AttributeValue),
    /// Takes elements from a set.
    Delete(AttributeValue),
}

impl Change {
    /// The value that is stored as it is, in an attribute or in a list.
    fn stored(&self) -> Option<&AttributeValue> {
        match self {
            Self::Set(value)
            | Self::SetIfAbsent(value)
            | Self::Append(value)
            | Self::Prepend(value) => Some(value),
            Self::Plus(_) | Self::Remove | Self::Add(_) | Self::Delete(_) => None,
        }
    }
}

impl ItemChanges {
    fn empty(meta: &'static EntityMeta, precondition: Precondition) -> Self {
        Self {
            meta,
            key: Item::new(),
            precondition,
            assignments: Vec::new(),
            condition: Expr::default(),
            loaded: None,
            refused: None,
            claim: Claim::Own,
        }
    }

    pub(crate) fn new<E: Entity>(key: Key<E>, precondition: Precondition) -> Self {
        let claim = key.claim();
        Self {
            claim,
            ..Self::of(E::META, key.into_id(), precondition)
        }
    }

    fn of(
        meta: &'static EntityMeta,
        key: Result<KeyId, Box<KeyError>>,
        precondition: Precondition,
    ) -> Self {
        let mut changes = Self::empty(meta, precondition);
        match key.map(|id| id.into_item(&meta.schema.key)) {
            Ok(key) => changes.key = key,
            Err(error) => changes.refuse(InvalidChange::Key(error)),
        }
        changes
    }

    /// All of it, and leaves nothing.
    pub(crate) fn take(&mut self) -> Self {
        let nothing = Self::empty(self.meta, self.precondition);
        std::mem::replace(self, nothing)
    }

    /// Of the item of an entity that was loaded.
    pub(crate) fn loaded(meta: &'static EntityMeta, item: Result<Item>) -> Self {
        let mut changes = Self::empty(meta, Precondition::MustExist);
        match item {
            Ok(item) => {
                let key = |attribute: &KeyAttribute| item.get_key_value(attribute.name);
                let key = meta.schema.key.attributes().filter_map(key);
                changes.key = key.map(|(k, v)| (k.clone(), v.clone())).collect();
                changes.loaded = Some(item);
            }
            Err(error) => changes.refuse(InvalidChange::of(error)),
        }
        changes
    }

    pub(crate) fn refuse(&mut self, refused: InvalidChange) {
        if self.refused.is_none() {
            self.refused = Some(refused);
        }
    }

    /// Makes a change, if its value can be written.
    pub(crate) fn push(
        &mut self,
        path: Path,
        value: Result<AttributeValue, EncodeError>,
        change: fn(AttributeValue) -> Change,
    ) {
        match value {
            Ok(value) => self.change(path, change(value)),
            Err(error) => self.refuse(InvalidChange::Value(path.locate(error))),
        }
    }

    /// Sets the place of a field, or removes it if the value is absent and not stored.
    pub(crate) fn set<E, T, R, W>(
        &mut self,
        field: Field<E, T, R, W>,
        value: Option<AttributeValue>,
    ) {
        self.refuse_nothing(&field.path, field.encoding);
        let value = self.stored(&field.path, field.encoding, value);
        if value.is_none() && self.has_default(&field.path) {
            self.refuse(InvalidChange::Value(
                field.path.locate(EncodeError::new(LEFT_OUT)),
            ));
        }
        self.change(field.path, value.map_or(Change::Remove, Change::Set));
    }

    /// Sets a place that is empty. Without a value that is stored it stays so.
    pub(crate) fn set_if_missing<E, T, R, W>(
        &mut self,
        field: Field<E, T, R, W>,
        value: Option<AttributeValue>,
    ) {
        self.refuse_nothing(&field.path, field.encoding);
        if let Some(value) = self.stored(&field.path, field.encoding, value) {
            self.change(field.path, Change::SetIfAbsent(value));
        }
    }

    /// Whether a place is a field that may be read as `Some` where it is not stored.
    fn has_default(&self, path: &Path) -> bool {
        let field = FieldMeta::stored_in(self.meta.fields, path.root().attribute);
        path.is_attribute() && field.is_some_and(|field| field.when_absent == WhenAbsent::Defaulted)
    }

    /// Refuses a `Some` of which nothing is stored, or only NULL: it would be read as `None`. Where NULL is stored on purpose, the
    /// field may read it as what it was.
    fn refuse_nothing<T>(&mut self, path: &Path, encoding: Encoding<T>) {
        if readback::peek() == Some(Noted::Nothing) && !encoding.stores_null() {
            self.refuse(InvalidChange::Value(path.locate(EncodeError::new(NOTHING))));
        }
    }

    /// What is stored of a value: nothing of an absent field, but NULL where that is asked for, and in place of an element of a list or
    /// an entry of a map. NULL is never a key.
    fn stored<T>(
        &self,
        path: &Path,
        encoding: Encoding<T>,
        value: Option<AttributeValue>,
    ) -> Option<AttributeValue> {
        let keeps_null = encoding.stores_null() || !path.is_field();
        let value = value.or(keeps_null.then_some(AttributeValue::Null(true)))?;
        (!(value.is_null() && self.is_key(path))).then_some(value)
    }

    pub(crate) fn change(&mut self, path: Path, change: Change) {
        if let Err(refused) = self.check(&path, &change) {
            self.refuse(refused);
        }
        self.assignments.push(Assignment {
            is_unsure: readback::noted().is_some(),
            ..Assignment::new(path, change)
        });
    }

    /// Whether a place is a key attribute.
    fn is_key(&self, path: &Path) -> bool {
        let mut keys = self.meta.key_attributes();
        path.is_attribute() && keys.any(|key| key == path.root().attribute)
    }

    /// A place is changed once, and text that is a key itself has no text that a key may not have.
    fn check(&self, path: &Path, change: &Change) -> Result<(), InvalidChange> {
        let refused = |problem: &str| InvalidChange::Value(path.locate(EncodeError::new(problem)));
        if self
            .assignments
            .iter()
            .any(|other| other.path.overlaps(path))
        {
            return Err(refused("is changed twice in one update"));
        }
        if let Some(value) = change.stored() {
            let checked = check_depth(value, path.depth() - 1);
            checked.map_err(|error| InvalidChange::Value(path.locate(error)))?;
        }
        match change {
            Change::Set(value) | Change::SetIfAbsent(value) if path.is_attribute() => {
                let attribute = path.root().attribute;
                check_native(self.meta, attribute, value).map_err(InvalidChange::Key)?;
                match FieldMeta::stored_in(self.meta.fields, attribute) {
                    Some(field) => {
                        let checked = self.meta.check_outside(field, value);
                        checked.map_err(InvalidChange::Value)
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Sets a field of the primary key that the key does not give back, in an upsert that was given it.
    pub(crate) fn given<E, T, R, W>(&mut self, field: Field<E, T, R, W>, value: &T) {
        readback::forget();
        match field.encoding.write(value) {
            Ok(value) => self.set(field, value),
            Err(error) => self.refuse(InvalidChange::Value(field.path.locate(error))),
        }
    }

    /// Sets the fields of indexes, and their keys after them. `write` is given the key of the item.
    #[doc(hidden)]
    pub fn indexed<E: Entity>(
        &self,
        indexes: &[usize],
        write: impl FnOnce(&ParsedKey<'_>, &mut IndexFields) -> Result<(), KeyError>,
    ) -> Self {
        let mut write = Some(write);
        self.set_indexed(
            KeyFunctions::of::<E>(),
            indexes,
            &mut |key, out| match write.take() {
                Some(write) => write(key, out),
                None => Ok(()),
            },
        )
    }

    fn set_indexed(
        &self,
        functions: &KeyFunctions,
        indexes: &[usize],
        write: &mut dyn FnMut(&ParsedKey<'_>, &mut IndexFields) -> Result<(), KeyError>,
    ) -> Self {
        let mut changes = self.clone();
        if changes.refused.is_some() {
            return changes;
        }
        let mut out = IndexFields {
            keys: KeyWriter::without_tag(self.meta, Vec::new()),
            key_only: Vec::new(),
            changes: &mut changes,
        };
        let pk = key_text(&self.key, self.meta.schema.pk().name);
        let sk = self.meta.schema.sk();
        let sk = sk.map_or("", |sk| key_text(&self.key, sk.name));
        let key = ParsedKey::new(self.meta.name, self.meta.schema, &self.meta.key, [pk, sk]);
        let written = key.and_then(|key| write(&key, &mut out));
        let key_only = std::mem::take(&mut out.key_only);
        let keys = written.map_err(Box::new).and_then(|()| out.keys.finish());
        match keys.map(|keys| (check_held(functions, &keys, key_only), keys)) {
            Ok((Ok(()), keys)) => changes.set_keys(indexes, keys),
            Ok((Err(refused), _)) => changes.refuse(refused),
            Err(error) => changes.refuse(InvalidChange::Key(error)),
        }
        changes
    }

    /// Sets the key attributes of some indexes to what they are now, and removes those that are not there.
    pub(crate) fn set_keys(&mut self, indexes: &[usize], mut keys: Item) {
        for index in indexes.iter().filter_map(|n| self.meta.indexes.get(*n)) {
            for attribute in index.schema.attributes() {
                // What another index has in common with it stays for that one, and without the rest the item is not in this one. It
                // is not stale: the fields that both are made of change for both. Only the fields of the other tell whether the
                // item is in that one, and they may have changed since the item was loaded.
                let others = self.meta.indexes.iter().enumerate();
                let mut others = others.filter(|(n, _)| !indexes.contains(n));
                let is_shared = others.any(|(_, other)| {
                    let mut theirs = other.schema.attributes();
                    theirs.any(|theirs| theirs.name == attribute.name)
                });
                let is_kept = is_shared && !keys.contains_key(attribute.name);
                if self.follows(attribute) && !is_kept {
                    let change = keys.remove(attribute.name);
                    let change = change.map_or(Change::Remove, Change::Set);
                    let path = Path::attribute(attribute);
                    self.assignments.push(Assignment::new(path, change));
                }
            }
        }
    }

    /// Whether an attribute of an index follows the fields, and has not done so yet: the primary key and the tag never change, and a
    /// field that is a key itself is set like any other.
    pub(crate) fn follows(&self, attribute: &KeyAttribute) -> bool {
        !self.key.contains_key(attribute.name)
            && !self.meta.schema.is_tag(attribute.name)
            && !self.meta.has_attribute(attribute.name)
            && !self
                .assignments
                .iter()
                .any(|assignment| assignment.path.root().attribute == attribute.name)
    }
}

/// Fails if the keys of indexes do not hold the values that are stored there alone.
fn check_held(
    functions: &KeyFunctions,
    keys: &Item,
    values: Vec<(&'static str, Option<AttributeValue>)>,
) -> Result<(), InvalidChange> {
    if values.is_empty() {
        return Ok(());
    }
    let held = index_only(functions, keys.clone()).map_err(InvalidChange::of)?;
    for (attribute, value) in values {
        if held.get(attribute) != value.as_ref() {
            let problem = "is stored only in an index key, which cannot represent this value";
            return Err(InvalidChange::Value(
                EncodeError::new(problem).in_field(attribute),
            ));
        }
    }
    Ok(())
}

/// Takes the fields of indexes, and writes their keys.
pub struct IndexFields<'c> {
    changes: &'c mut ItemChanges,
    keys: KeyWriter,
    /// The values that the keys alone store.
    key_only: Vec<(&'static str, Option<AttributeValue>)>,
}

impl IndexFields<'_> {
    /// The new value of a field.
    pub fn field<E, T, R, W>(&mut self, field: Field<E, T, R, W>, value: &T) {
        readback::forget();
        match field.encoding.checked().write(value) {
            Ok(value) => self.changes.set(field, value),
            Err(error) => self
                .changes
                .refuse(InvalidChange::Value(field.path.locate(error))),
        }
        if let Some(assignment) = self.changes.assignments.last_mut() {
            assignment.with_keys = true;
        }
    }

    /// The new value of a field that is stored in the keys of indexes alone.
    pub fn key_only(
        &mut self,
        attribute: &'static str,
        value: Result<AttributeValue, EncodeError>,
    ) {
        match value {
            Ok(value) => {
                let value = Some(value).filter(|value| !value.is_null());
                self.key_only.push((attribute, value));
            }
            Err(error) => self
                .changes
                .refuse(InvalidChange::Value(error.in_field(attribute))),
        }
    }

    /// A field that the key of the item was made of, and does not give back as it is: this must be what is stored.
    pub fn expect<E, T, R, W>(&mut self, field: Field<E, T, R, W>, value: &T) {
        // An upsert that was given the field sets it, and is refused if the keys are made of another value.
        let mut assignments = self.changes.assignments.iter();
        if assignments.any(|one| one.path.covers(&field.path)) {
            return;
        }
        match field.encoding.write(value) {
            Ok(value) => {
                let mut stored = Expr::is(&field.path, value);
                if self.changes.precondition == Precondition::None {
                    // A new item is given what the key says.
                    stored = Precondition::MustNotExist
                        .condition(self.changes.meta.schema)
                        .or(stored);
                }
                let condition = std::mem::take(&mut self.changes.condition);
                self.changes.condition = condition.and(stored);
            }
            Err(error) => self
                .changes
                .refuse(InvalidChange::Value(field.path.locate(error))),
        }
    }

    /// The keys.
    pub fn keys(&mut self) -> &mut KeyWriter {
        &mut self.keys
    }
}

impl std::fmt::Debug for IndexFields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "IndexFields({})", self.changes.meta.name)
    }
}

/// Without the values, which may be personal data.
impl std::fmt::Debug for ItemChanges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Changes({})", self.meta.name)
    }
}

/// The generated type that sets the fields of indexes together; what it holds is the update so far.
pub trait Setters: Clone {
    /// Holds an update.
    fn new(changes: ItemChanges) -> Self;

    /// The update so far.
    fn changes(&self) -> &ItemChanges;

    /// The update so far.
    fn changes_mut(&mut self) -> &mut ItemChanges;
}

/// No index of the entity has a key that has to follow its fields.
#[derive(Debug, Clone)]
pub struct NoSetters(ItemChanges);

impl Setters for NoSetters {
    fn new(changes: ItemChanges) -> Self {
        Self(changes)
    }

    fn changes(&self) -> &ItemChanges {
        &self.0
    }

    fn changes_mut(&mut self) -> &mut ItemChanges {
        &mut self.0
    }
}

impl InvalidChange {
    pub(crate) fn of(error: Error) -> Self {
        match error {
            Error::Key(error) => Self::Key(error),
            Error::Encode { source, .. } => Self::Value(source),
            other => Self::Value(EncodeError::new(other.to_string())),
        }
    }
}
