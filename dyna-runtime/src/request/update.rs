//! Changing some fields of one item.

use crate::codec::{EncodeError, readback, stored};
use crate::derived::Derived;
use crate::entity::Key;
use crate::entity::changes::{Change, InvalidChange, ItemChanges, Setters};
use crate::entity::encode;
use crate::entity::fill::Precondition;
use crate::entity::{DeletableByKey, Entity, Functions};
use crate::error::Result;
use crate::expr::form::{AddsUp, AsIs};
use crate::expr::role::{ByKey, Loaded, Modifiable, Removable, Settable, WholeAttribute};
use crate::expr::{
    Condition, Encoding, Field, IntoFieldValue, ListField, Numeric, Operand, Set, numeric,
};
use crate::request::Explain;
use crate::request::explain::explain_single;
use crate::table::{HasEntity, Table};
use crate::transport::{ResponseFuture, finish};
use crate::write::Write;
use crate::write::returning::{New, Nothing, Old, Once, Returns};
use aws_sdk_dynamodb::types::AttributeValue;
use std::marker::PhantomData;
use std::ops::Deref;
use std::time::SystemTime;

/// A change of some fields of an item: `Task::update(..)`, `Task::upsert(..)`, or `Task::update_loaded(&task)` for a loaded one.
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
/// // The fields of an index key are set together, and the key is recomputed.
/// Task::update("t1").set_by_owner("ann", 7).send(db).await?;
///
/// // A loaded item can change one of them alone: the update fails if another one has changed since.
/// let task = Task::update_loaded(&task).set(Task::RANK, 8).returning_new().send(db).await?;
/// # Ok(()) }
/// ```
///
/// After every update the stored index keys match the stored fields. So it does not compile to change a field of the primary key, to set
/// a field of an index key without that key (`.set_by_x(..)` sets both), or to set a managed attribute (version, timestamps). Inside a
/// nested struct that an index key reads from, the same is an error of [`send`](Self::send), before any request. A key attribute that several
/// indexes share stays behind when an update takes the item out of one of them: without the rest of the key, the item is in none.
///
/// `update_loaded` compares a field that a function is given as a whole, such as every field of an entity with `when = Self::is_open`. A
/// nested struct may lack fields with a `#[serde(default)]`; one that other software stores with NULLs, or with attributes that it does not
/// read, counts as changed. `put` replaces such an item.
///
/// What it consumes is counted by a [metered handle](crate::Table::metered).
///
#[doc = include_str!("../guide/lost/update.md")]
#[must_use = "a request does nothing until it is sent: add `.send(&db).await?`"]
pub struct Update<E: Entity, R = Nothing, M = ByKey> {
    setters: E::Setters,
    types: PhantomData<fn() -> (R, M)>,
}

impl<E: Entity> Update<E> {
    /// Changes the item with this key; fails with [`is_condition_failed`](crate::Error::is_condition_failed) if there is none, or if its
    /// version is at the maximum of its type. Increments the version without checking it: `update_loaded` checks it.
    pub fn new(key: Key<E>) -> Self {
        Self::with(ItemChanges::new(key, Precondition::MustExist))
    }
}

impl<E: Entity + DeletableByKey> Update<E> {
    /// Changes the item with this key, or creates it from the changes. Fails before any request if a new item would lack a field: one that
    /// is neither set nor in the key.
    #[doc(hidden)]
    pub fn upsert(key: Key<E>) -> Self {
        Self::with(ItemChanges::new(key, Precondition::None))
    }

    /// Sets a key field that the key template transforms, such as `<email|lower>`.
    #[doc(hidden)]
    pub fn given<T, R, W>(mut self, _: Derived, field: Field<E, T, R, W>, value: &T) -> Self {
        self.setters.changes_mut().given(field, value);
        self
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
    #[doc(hidden)]
    pub fn loaded(entity: &E) -> Self {
        Self::with(ItemChanges::loaded(E::META, encode(entity)))
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

    /// Applies the write exactly once, even if a response is lost: it is sent as a one-operation transaction with a client request token,
    /// which DynamoDB remembers for ten minutes. A failed condition or version conflict is then somebody else's write. It takes twice the write
    /// capacity, and returns no item. See [lost responses](crate::guide::lost_responses).
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "posts", pk = "pk"), pk = "POST#<id>")]
    /// # struct Post { id: String, likes: u32 }
    /// # async fn run(db: &dyna_runtime::Table<Post>) -> dyna_runtime::Result<()> {
    /// Post::update("p1").add(Post::LIKES, 1).once().send(db).await?;
    /// # Ok(()) }
    /// ```
    pub fn once(self) -> Update<E, Once, M> {
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
    /// An update by key, made by setters.
    #[doc(hidden)]
    pub fn of(_: Derived, changes: ItemChanges) -> Self {
        Self::with(changes)
    }
}

impl<E: Entity, R, M> Update<E, R, M> {
    fn with(changes: ItemChanges) -> Self {
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
    pub fn set<T, N: Settable<M>, W>(
        mut self,
        field: Field<E, T, N, W>,
        value: impl Operand<T>,
    ) -> Self {
        let changes = self.setters.changes_mut();
        readback::forget();
        match value.encode(field.encoding.checked()) {
            Ok(value) => changes.set(field, value),
            Err(error) => changes.refuse(InvalidChange::Value(field.path.locate(error))),
        }
        self
    }

    /// Sets a field to a value if it is not there. DynamoDB cannot do the same to a field that is stored as NULL: the update then fails
    /// with [`Error::StoredOtherwise`](crate::Error::StoredOtherwise), and so it does if the field is stored under an alias.
    pub fn set_if_missing<T, N: Modifiable<M>, W>(
        mut self,
        field: Field<E, T, N, W>,
        value: impl Operand<T>,
    ) -> Self {
        let changes = self.setters.changes_mut();
        readback::forget();
        match value.encode(field.encoding.checked()) {
            Ok(value) => changes.set_if_missing(field, value),
            Err(error) => changes.refuse(InvalidChange::Value(field.path.locate(error))),
        }
        self
    }

    /// Adds to a number. A missing attribute counts as zero; DynamoDB rejects NULL. A field that is stored under an alias is not found: the
    /// update fails with [`Error::StoredOtherwise`](crate::Error::StoredOtherwise).
    /// A `Decimal` is a number with `#[serde(with = "dyna_runtime::serde::decimal")]`.
    ///
    /// **It may be added twice** if a response is [lost](crate::guide::lost_responses), unless the update is sent with [`once`](Self::once).
    pub fn add<T: Numeric, N: Modifiable<M>, W: AddsUp>(
        self,
        field: Field<E, T, N, W>,
        number: impl Operand<T>,
    ) -> Self {
        let number = stored(number.encode(field.encoding)).and_then(numeric::checked);
        self.push_number(field, number)
    }

    /// Subtracts from a number. A missing attribute counts as zero, and an unsigned one can fall below zero, where it cannot be read
    /// any more: `.when(Account::BALANCE.ge(7))` keeps it from that.
    pub fn subtract<T: Numeric, N: Modifiable<M>, W: AddsUp>(
        self,
        field: Field<E, T, N, W>,
        number: impl Operand<T>,
    ) -> Self {
        let number = stored(number.encode(field.encoding)).and_then(numeric::checked);
        self.push_number(field, number.map(numeric::negated))
    }

    /// Puts elements at the end of a list. A missing attribute counts as empty; DynamoDB rejects NULL.
    /// A field that is stored under an alias is not found: the update fails with
    /// [`Error::StoredOtherwise`](crate::Error::StoredOtherwise).
    ///
    /// **They may be there twice** if a response is [lost](crate::guide::lost_responses), unless the update is sent with [`once`](Self::once).
    pub fn append<T: ListField, N: Modifiable<M>, W: AsIs>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl Operand<T::Element>>,
    ) -> Self {
        let elements = list(&field, elements);
        self.push(field, elements, Change::Append)
    }

    /// Puts elements at the beginning of a list, in their order. A missing attribute counts as empty.
    ///
    /// **They may be there twice** if a response is [lost](crate::guide::lost_responses), unless the update is sent with [`once`](Self::once).
    pub fn prepend<T: ListField, N: Modifiable<M>, W: AsIs>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl Operand<T::Element>>,
    ) -> Self {
        let elements = list(&field, elements);
        self.push(field, elements, Change::Prepend)
    }

    /// Removes an `Option`, an element of a list or an entry of a map.
    pub fn remove<T, N: Modifiable<M>, W>(mut self, field: Field<E, T, N, W>) -> Self
    where
        (T, N): Removable,
    {
        self.setters
            .changes_mut()
            .change(field.path, Change::Remove);
        self
    }

    /// Adds elements to a set: a field that is stored with [`string_set`](crate::serde::string_set), [`number_set`](crate::serde::number_set) or
    /// [`binary_set`](crate::serde::binary_set). A missing attribute counts as empty.
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
    pub fn add_elements<T: Set, N: Modifiable<M> + WholeAttribute, W>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl IntoFieldValue<T::Element>>,
    ) -> Self {
        let elements = set(field.encoding, elements);
        self.push(field, elements, Change::Add)
    }

    /// Takes elements from a set. DynamoDB stores no empty set: without its last element the field is not there, so let it be read
    /// with `#[serde(default)]`.
    pub fn delete_elements<T: Set, N: Modifiable<M> + WholeAttribute, W>(
        self,
        field: Field<E, T, N, W>,
        elements: impl IntoIterator<Item = impl IntoFieldValue<T::Element>>,
    ) -> Self {
        let elements = set(field.encoding, elements);
        self.push(field, elements, Change::Delete)
    }

    /// Updates only if the item matches the condition. Several conditions are combined with AND.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        let changes = self.setters.changes_mut();
        changes.condition = std::mem::take(&mut changes.condition).and(condition.into_expr());
        self
    }
}

impl<E: Entity, R: Returns<E>, M> Update<E, R, M> {
    /// Updates the item. Without changes, only the conditions are checked.
    pub fn send<T: HasEntity<E>>(self, db: &Table<T>) -> ResponseFuture<'_, R::Output> {
        let db = db.handle();
        finish(Write::answer(self.write(db.now()), db, R::WHICH), R::read)
    }

    /// The request, without sending it.
    pub fn explain(&self) -> Explain {
        let changes = self.setters.changes().clone();
        let write = changes.into_write(Functions::of::<E>(), SystemTime::now());
        explain_single("UpdateItem", E::META, write, R::WHICH)
    }
}

impl<E: Entity, R, M> Update<E, R, M> {
    pub(crate) fn write(mut self, now: SystemTime) -> Result<Write> {
        let changes = self.setters.changes_mut().take();
        changes.into_write(Functions::of::<E>(), now)
    }
}

/// The elements of a list.
fn list<E, T: ListField, N, W>(
    field: &Field<E, T, N, W>,
    elements: impl IntoIterator<Item = impl Operand<T::Element>>,
) -> Result<AttributeValue, EncodeError> {
    let encoding = Encoding::both().inside(field.encoding).checked();
    readback::forget();
    let (mut values, mut noted) = (Vec::new(), None);
    for element in elements {
        values.push(stored(element.encode(encoding))?);
        noted = noted.max(readback::noted());
    }
    readback::renote(noted);
    Ok(AttributeValue::L(values))
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
