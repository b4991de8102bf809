//! Changing some fields of one item.

use crate::codec::{EncodeError, readback, stored};
use crate::entity::Key;
use crate::entity::changes::{Change, Changes, Refused, Setters};
use crate::entity::encode;
use crate::entity::fill::Presence;
use crate::entity::{Entity, Functions, Replaceable};
use crate::error::Result;
use crate::expr::form::{AddsUp, AsIs};
use crate::expr::role::{ByKey, ChangedIn, Loaded, Removable, SetIn, WholeAttribute};
use crate::expr::{
    Condition, Encoding, Field, IntoFieldValue, List, Number, Operand, Set, numeric,
};
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::{ResponseFuture, finish};
use crate::write::Write;
use crate::write::returning::{New, Nothing, Old, Returns};
use aws_sdk_dynamodb::types::AttributeValue;
use std::marker::PhantomData;
use std::ops::Deref;
use std::time::SystemTime;

/// Changes some fields of an item: `Task::update(..)`, `Task::upsert(..)`, or `Task::update_loaded(&task)` of one that was loaded.
///
/// ```
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(
/// #     table(name = "tasks", pk = "pk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
/// #     pk = "TASK#<id>",
/// #     gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:05>"),
/// # )]
/// # struct Task { id: String, owner: String, rank: u32, title: String, edits: u32, note: Option<String> }
/// # async fn run(db: &dyna_runtime::Table<Task>, task: Task) -> dyna_runtime::Result<()> {
/// Task::update("t1")
///     .set(Task::TITLE, "Read the manual")
///     .add(Task::EDITS, 1)
///     .remove(Task::NOTE)
///     .when(Task::EDITS.lt(10))
///     .send(db)
///     .await?;
///
/// // The fields of an index are set together, and its key follows.
/// Task::update("t1").set_by_owner("ann", 7).send(db).await?;
///
/// // Of an item that was loaded one of them can change: the update fails if another one has changed meanwhile.
/// let task = Task::update_loaded(&task).set(Task::RANK, 8).returning_new().send(db).await?;
/// # Ok(()) }
/// ```
///
/// Whatever updates do, every stored index key is what the stored fields make of it. What is set, is set to a value of the field's type. A primary key never changes; a field that an index key is made of is not set
/// alone, because the key would be stale; the version and the times that Dyna keeps are filled in. All of these are errors of the
/// compiler. Inside of a struct that an index key is made of, they are errors of [`send`](Self::send), before any request.
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Update<E: Entity, R = Nothing, M = ByKey> {
    setters: E::Setters,
    types: PhantomData<fn() -> (R, M)>,
}

impl<E: Entity> Update<E> {
    /// Changes the item with this key; fails with [`is_condition_failed`](crate::Error::is_condition_failed) if there is none, or if its
    /// version is at the maximum of its type. Increments the version without checking it: [`loaded`](Update::loaded) checks it.
    pub fn new(key: Key<E>) -> Self {
        Self::of(Changes::new(key, Presence::Present))
    }
}

impl<E: Entity + Replaceable> Update<E> {
    /// Changes the item with this key, or makes one of the changes alone. A new item must be whole: the request fails, without being
    /// made, if a field that is neither set nor in the key is missing from it.
    pub fn upsert(key: Key<E>) -> Self {
        Self::of(Changes::new(key, Presence::Any))
    }
}

/// With the setters of the indexes: `.set_by_status(..)`.
impl<E: Entity> Deref for Update<E> {
    type Target = E::Setters;

    fn deref(&self) -> &E::Setters {
        &self.setters
    }
}

impl<E: Entity> Update<E, Nothing, Loaded> {
    /// Changes an item that was loaded, if it is still there; fails with
    /// [`is_version_conflict`](crate::Error::is_version_conflict) if it has another version.
    pub fn loaded(entity: &E) -> Self {
        Self::with(Changes::loaded(E::META, encode(entity)))
    }
}

impl<E: Entity, M> Update<E, Nothing, M> {
    /// Returns the item as it was before the change; for an upsert, if there was one.
    pub fn returning_old(self) -> Update<E, Old, M> {
        self.returning()
    }

    /// Returns the item as it is after the change.
    pub fn returning_new(self) -> Update<E, New, M> {
        self.returning()
    }

    fn returning<R>(self) -> Update<E, R, M> {
        Update {
            setters: self.setters,
            types: PhantomData,
        }
    }
}

impl<E: Entity> Update<E> {
    /// What setters make: an update that knows the key alone.
    #[doc(hidden)]
    pub fn of(changes: Changes) -> Self {
        Self::with(changes)
    }
}

impl<E: Entity, R, M> Update<E, R, M> {
    fn with(changes: Changes) -> Self {
        Self {
            setters: E::Setters::new(changes),
            types: PhantomData,
        }
    }

    fn push<T, N, W>(
        mut self,
        field: Field<E, T, N, W>,
        value: Result<AttributeValue, EncodeError>,
        change: fn(AttributeValue) -> Change,
    ) -> Self {
        self.setters.changes_mut().push(field.path, value, change);
        self
    }

    /// Inside of an attribute DynamoDB takes no `ADD`.
    fn push_number<T, N, W>(
        self,
        field: Field<E, T, N, W>,
        number: Result<AttributeValue, EncodeError>,
    ) -> Self {
        let is_attribute = field.path.is_attribute();
        self.push(
            field,
            number,
            if is_attribute {
                Change::Add
            } else {
                Change::Plus
            },
        )
    }

    /// Sets a field to a value. `None` removes it, or stores NULL where `#[dyna(nulls = "store")]` says so; an element of a list and an
    /// entry of a map become NULL.
    pub fn set<T, N: SetIn<M>, W>(
        mut self,
        field: Field<E, T, N, W>,
        value: impl Operand<T>,
    ) -> Self {
        let changes = self.setters.changes_mut();
        readback::forget();
        match value.encode(field.encoding) {
            Ok(value) => changes.set(field, value),
            Err(error) => changes.refuse(Refused::Value(field.path.locate(error))),
        }
        self
    }

    /// Sets a field to a value if it is not there. DynamoDB cannot do the same to a field that is stored as NULL: the update then fails
    /// with [`Error::StoredOtherwise`](crate::Error::StoredOtherwise), and so it does if the field is stored under an alias.
    pub fn set_if_missing<T, N: ChangedIn<M>, W>(
        mut self,
        field: Field<E, T, N, W>,
        value: impl Operand<T>,
    ) -> Self {
        let changes = self.setters.changes_mut();
        readback::forget();
        match value.encode(field.encoding) {
            Ok(value) => changes.set_if_missing(field, value),
            Err(error) => changes.refuse(Refused::Value(field.path.locate(error))),
        }
        self
    }

    /// Adds to a number. One that is not there counts as zero; NULL is no number, and DynamoDB refuses to add to it. A field that is
    /// stored under an alias is not found: the update fails with [`Error::StoredOtherwise`](crate::Error::StoredOtherwise).
    /// A `Decimal` is a number with `#[serde(with = "dyna_runtime::serde::decimal")]`.
    pub fn add<T: Number, N: ChangedIn<M>, W: AddsUp>(
        self,
        field: Field<E, T, N, W>,
        number: impl Operand<T>,
    ) -> Self {
        let number = stored(number.encode(field.encoding)).and_then(numeric::checked);
        self.push_number(field, number)
    }

    /// Subtracts from a number. One that is not there counts as zero, and an unsigned one can fall below zero, where it cannot be read
    /// any more: `.when(Account::BALANCE.ge(7))` keeps it from that.
    pub fn subtract<T: Number, N: ChangedIn<M>, W: AddsUp>(
        self,
        field: Field<E, T, N, W>,
        number: impl Operand<T>,
    ) -> Self {
        let number = stored(number.encode(field.encoding)).and_then(numeric::checked);
        self.push_number(field, number.map(numeric::negated))
    }

    /// Puts elements at the end of a list. One that is not there counts as empty; NULL is no list, and DynamoDB refuses to add to it.
    /// A field that is stored under an alias is not found: the update fails with
    /// [`Error::StoredOtherwise`](crate::Error::StoredOtherwise).
    pub fn append<T: List, N: ChangedIn<M>, W: AsIs>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl Operand<T::Element>>,
    ) -> Self {
        let elements = list(&field, elements);
        self.push(field, elements, Change::Append)
    }

    /// Puts elements at the beginning of a list, in their order. One that is not there counts as empty.
    pub fn prepend<T: List, N: ChangedIn<M>, W: AsIs>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl Operand<T::Element>>,
    ) -> Self {
        let elements = list(&field, elements);
        self.push(field, elements, Change::Prepend)
    }

    /// Removes an `Option`, an element of a list or an entry of a map.
    pub fn remove<T, N: ChangedIn<M>, W>(mut self, field: Field<E, T, N, W>) -> Self
    where
        (T, N): Removable,
    {
        self.setters
            .changes_mut()
            .change(field.path, Change::Remove);
        self
    }

    /// Adds elements to a set: a field that is stored with [`string_set`](crate::serde::string_set), [`number_set`](crate::serde::number_set) or
    /// [`binary_set`](crate::serde::binary_set). One that is not there counts as empty.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # use std::collections::BTreeSet;
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "posts", pk = "pk"), pk = "POST#<id>")]
    /// # struct Post {
    /// #     id: String,
    /// #     #[serde(with = "dyna_runtime::serde::string_set")]
    /// #     tags: BTreeSet<String>,
    /// # }
    /// let update = Post::update("1").add_elements(Post::TAGS, ["rust", "dynamodb"]);
    /// # let _ = update;
    /// ```
    pub fn add_elements<T: Set, N: ChangedIn<M> + WholeAttribute, W>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl IntoFieldValue<T::Element>>,
    ) -> Self {
        let elements = set(field.encoding, elements);
        self.push(field, elements, Change::Add)
    }

    /// Takes elements from a set. DynamoDB stores no empty set: without its last element the field is not there, so let it be read
    /// with `#[serde(default)]`.
    pub fn delete_elements<T: Set, N: ChangedIn<M> + WholeAttribute, W>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl IntoFieldValue<T::Element>>,
    ) -> Self {
        let elements = set(field.encoding, elements);
        self.push(field, elements, Change::Delete)
    }

    /// Only if this is true of the item. Several conditions must all be true.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        let changes = self.setters.changes_mut();
        changes.condition = std::mem::take(&mut changes.condition).and(condition.into_expr());
        self
    }
}

impl<E: Entity, R: Returns<E>, M> Update<E, R, M> {
    /// Makes the change. Without one, only the conditions are looked at.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        let db = db.handle();
        finish(Write::answer(self.write(db.now()), db, R::WHICH), R::read)
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let changes = self.setters.changes().clone();
        let write = changes.complete(Functions::of::<E>(), SystemTime::now());
        explain_single("UpdateItem", E::META, write)
    }
}

impl<E: Entity, R, M> Update<E, R, M> {
    pub(crate) fn write(mut self, now: SystemTime) -> Result<Write> {
        let changes = self.setters.changes_mut().take();
        changes.complete(Functions::of::<E>(), now)
    }
}

/// The elements of a list.
fn list<E, T: List, N, W>(
    field: &Field<E, T, N, W>,
    elements: impl IntoIterator<Item = impl Operand<T::Element>>,
) -> Result<AttributeValue, EncodeError> {
    let encoding = Encoding::plain().inside(field.encoding);
    let elements = elements.into_iter();
    let elements = elements.map(|element| stored(element.encode(encoding)));
    Ok(AttributeValue::L(elements.collect::<Result<_, _>>()?))
}

/// Elements of a field, if it is stored as a set.
fn set<T: Set>(
    encoding: Encoding<T>,
    elements: impl IntoIterator<Item = impl IntoFieldValue<T::Element>>,
) -> Result<AttributeValue, EncodeError> {
    let elements = elements.into_iter().map(IntoFieldValue::into_field);
    let value = stored(encoding.write(&T::of(elements)))?;
    match value {
        AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_) => Ok(value),
        other => Err(EncodeError::new(format!(
            "expected a field that is stored as a set, as by `#[serde(with = \"dyna_runtime::serde::string_set\")]`, found {}",
            crate::codec::kind(&other)
        ))),
    }
}

impl<E: Entity, R, M> Clone for Update<E, R, M> {
    fn clone(&self) -> Self {
        Self {
            setters: self.setters.clone(),
            types: PhantomData,
        }
    }
}

/// Without the values, which may be personal data.
impl<E: Entity, R, M> std::fmt::Debug for Update<E, R, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Update({})", E::META.name)
    }
}
