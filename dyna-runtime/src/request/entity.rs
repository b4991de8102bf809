//! The requests of an entity, for code that is generic over entities.

use crate::entity::{Entity, Key, Replaceable};
use crate::expr::role::Loaded;
use crate::key::RawKeyPart;
use crate::request::advice::{DeletedByKey, UpdatedByKey};
use crate::request::{Delete, Put, Update};
use crate::schema::Schema;
use crate::write::returning::Nothing;

/// A struct that is stored in a table. Derived, never written by hand.
///
/// See the [crate documentation](crate) for the attribute and what it generates. Its metadata is [`Entity`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "this type does not derive `DynaEntity`"
)]
pub trait DynaEntity: Entity {
    /// The generated `put`, for generic code.
    fn put(&self) -> Put<'_, Self>
    where
        Self: Replaceable,
    {
        Put::new(self)
    }

    /// The generated `create`, for generic code.
    fn create(&self) -> Put<'_, Self> {
        Put::create(self)
    }

    /// A primary key as it is stored: from a scan, a log or a stream, or of an item that other software wrote. Only the
    /// types of the key attributes are checked, so it also reaches items whose keys match no template. `()` is the sort key of a table
    /// without one.
    ///
    /// ```
    /// # use dyna_runtime::{Delete, DynaEntity, DynaTable, Get, Update};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "notes", pk = "pk", sk = "sk"), pk = "USER#<user>", sk = "NOTE#<n:04>")]
    /// # struct Note { user: String, n: u16, text: String }
    /// # async fn run(db: &dyna_runtime::Table<Note>) -> dyna_runtime::Result<()> {
    /// // An older program wrote user names with '#' in them.
    /// let key = Note::raw_key("USER#ann#admin", "NOTE#0007");
    /// let note = Get::new(key.clone()).send(db).await?;
    /// Update::new(key.clone()).set(Note::TEXT, "read").send(db).await?;
    /// Delete::new(key).send(db).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// It does wherever a [`Key`] does: [`Get::new`](crate::Get::new), [`Update::new`], [`Delete::new`], `batch_get`, `transact_get`,
    /// transactions, and [`Rekey::new`](crate::Rekey::new), which gives such an item the key that its fields make. A write under a key that
    /// no template of the entity makes carries the condition that the item has the tag of this entity, or none; in a table without a tag
    /// nothing tells whose the item is. Where DynamoDB checks no conditions, or an item may be new, such a key is an error: in batches of
    /// writes, and in an upsert.
    fn raw_key(
        pk: impl RawKeyPart<<Self::Table as Schema>::Pk>,
        sk: impl RawKeyPart<<Self::Table as Schema>::Sk>,
    ) -> Key<Self>
    where
        Self::Table: Schema,
    {
        Key::raw(pk.into_attribute(), sk.into_attribute())
    }

    /// Only there for its message: `delete` takes the fields of the key, and `delete_loaded` an entity.
    #[doc(hidden)]
    fn delete(&self) -> Delete<Self>
    where
        Self: DeletedByKey,
    {
        Delete::loaded(self)
    }

    /// Only there for its message: `update` takes the fields of the key, and `update_loaded` an entity.
    #[doc(hidden)]
    fn update(&self) -> Update<Self, Nothing, Loaded>
    where
        Self: UpdatedByKey,
    {
        Update::loaded(self)
    }
}

impl<E: Entity> DynaEntity for E {}
