//! A change of a table, read.

use crate::change::{Event, Record, RemovalCause};
use crate::entity::{Entity, EntityMeta, Key};
use crate::error::{Error, Result};
use crate::key::StoredKey;
use crate::schema::{HasStream, Schema, StreamView};
use crate::table::{DynaTable, HasEntity};
use std::fmt;
use std::time::SystemTime;

/// What the stream of a table carries: one of [`NewAndOldImages`](crate::schema::NewAndOldImages), [`NewImage`](crate::schema::NewImage),
/// [`OldImage`](crate::schema::OldImage), [`KeysOnly`](crate::schema::KeysOnly), [`NoStream`](crate::schema::NoStream).
pub type StreamOf<T> = <<T as DynaTable>::Schema as Schema>::Stream;

/// A change of an item of the table `T`. See the [module](crate::change).
#[non_exhaustive]
pub struct Change<T: DynaTable, V: StreamView = StreamOf<T>> {
    /// What happened, with the images that there are.
    pub kind: ChangeKind<V::New<T>, V::Old<T>>,
    /// The key of the item. Its text shows no values; [`StoredKey::reveal`] does.
    pub key: StoredKey,
    /// The sequence number of the record; exports have none.
    pub sequence: Option<String>,
    /// About when the item was changed.
    pub time: Option<SystemTime>,
    /// The place of its entity in the table's list.
    pub(super) entity: Option<usize>,
}

/// What happened to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind<New, Old> {
    /// A new item.
    Insert {
        /// The item.
        new: New,
    },
    /// An item that was there before.
    Modify {
        /// The item before the change.
        old: Old,
        /// The item after it.
        new: New,
    },
    /// An item that is gone.
    Remove {
        /// The item that was there.
        old: Old,
        /// Whether it was deleted or expired.
        cause: RemovalCause,
    },
    /// An item that stands for the value of a `#[dyna(unique)]` field was written or removed. The item that has the value has a
    /// change of its own.
    Sentinel(Event),
}

impl<T: DynaTable, V: StreamView> Change<T, V> {
    /// The entity of the item: of its new image, or else of its old one, or without any by its key. None if it is of no entity.
    pub fn entity(&self) -> Option<&'static EntityMeta> {
        self.entity.and_then(|at| T::ENTITIES.get(at).copied())
    }

    /// The key of the item as one of the entity `E`, if it is of that entity: to load it as it is now.
    ///
    /// ```
    /// # use dyna_runtime::change::{Event, Record};
    /// # use dyna_runtime::{DynaEntity, DynaTable, Get};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk", stream = "keys_only"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let db = User::embedded().await?;
    /// # let ann = User { id: "ann".to_owned() };
    /// # ann.put().send(&db).await?;
    /// # let keys = <User as DynaTable>::to_item(&ann)?.into_iter().filter(|(name, _)| name == "pk").collect();
    /// # let record = Record::new(Event::Insert, keys);
    /// let change = User::change(record)?;
    /// if let Some(key) = change.key_of::<User>() {
    ///     let user = Get::new(key).send(&db).await?;
    /// #   assert_eq!(user, Some(ann));
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// The fields of the key, where each can be read back, are those that the generated `parse_key` finds in
    /// [`StoredKey::reveal_parts`].
    pub fn key_of<E: Entity>(&self) -> Option<Key<E>>
    where
        T: HasEntity<E>,
    {
        let is_of_entity = self.entity == Some(<T as HasEntity<E>>::AT);
        is_of_entity.then(|| Key::from_id(self.key.id().clone()))
    }
}

impl<New, Old> ChangeKind<New, Old> {
    /// The kind as DynamoDB names it.
    pub const fn event(&self) -> Event {
        match self {
            Self::Insert { .. } => Event::Insert,
            Self::Modify { .. } => Event::Modify,
            Self::Remove { .. } => Event::Remove,
            Self::Sentinel(event) => *event,
        }
    }
}

impl<T: DynaTable, V: StreamView> fmt::Debug for Change<T, V>
where
    V::New<T>: fmt::Debug,
    V::Old<T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change")
            .field("kind", &self.kind)
            .field("key", &self.key)
            .field("sequence", &self.sequence)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

/// What the generated `change` takes: a record, if the table has a stream. A table that is declared elsewhere may have none.
#[doc(hidden)]
pub trait RecordOf<T: DynaTable> {
    fn read(self) -> Result<Change<T>>;
}

impl<R, T> RecordOf<T> for R
where
    R: TryInto<Record>,
    Error: From<R::Error>,
    T: DynaTable,
    StreamOf<T>: HasStream,
{
    fn read(self) -> Result<Change<T>> {
        Change::from_record(self)
    }
}
