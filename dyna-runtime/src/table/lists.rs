//! The entities that a table lists.

use crate::codec::Item;
use crate::codec::json::ItemSource;
use crate::derived::Derived;
use crate::entity::Entity;
use crate::entity::EntityMeta;
use crate::entity::owner;
use crate::error::{Error, Result};
use crate::proof::Overlap;
use crate::schema::{Schema, TableSchema};

/// The entities of a table. Derived on the enum that lists them, never written by hand.
///
/// See the [crate documentation](crate) for the attribute and what it generates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "this type does not derive `DynaTable`"
)]
pub trait DynaTable: Sized + 'static {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The table itself. It is the enum, unless the table is declared in another crate.
    type Schema: Schema;

    /// The entities, in the order of the variants.
    const ENTITIES: &'static [&'static EntityMeta];

    /// Reads an item of the table, such as one of a scan or of its stream. The tag says of which entity it is, or the
    /// shape of its key if it has none. Fails if the key does not fit the templates of the entity that the tag names, and, unless the
    /// table has a variant `#[dyna(unknown)]`, if the item is of no entity of the table.
    fn from_item(item: Item) -> Result<Self> {
        Self::read(ItemSource::map(item))
    }

    /// The same of an item that was found.
    #[doc(hidden)]
    fn read(item: ItemSource<'_, '_>) -> Result<Self>;

    /// Returns the entity of an item: by its tag, or by the shape of its key if it has no tag. Fails if the key does not match the
    /// templates of the entity that the tag names, and if the item belongs to no entity of the table.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # fn main() -> dyna_runtime::Result<()> {
    /// # let user = User { id: "ann".into() };
    /// let item = <User as DynaTable>::to_item(&user)?;
    /// assert_eq!(User::entity_of(&item)?.name, "User");
    ///
    /// let empty = dyna_runtime::codec::Item::new();
    /// let error = User::entity_of(&empty).unwrap_err();
    /// assert!(matches!(error, dyna_runtime::Error::UnknownItem { .. }));
    /// # Ok(()) }
    /// ```
    fn entity_of(item: &Item) -> Result<&'static EntityMeta> {
        let at = which(Self::ENTITIES, &ItemSource::borrowed(item))?;
        Ok(Self::ENTITIES[at])
    }

    /// The item that would be stored.
    fn to_item(&self) -> Result<Item>;
}

/// Finds the entity of an item: by its tag, or without one by the shape of its key.
#[doc(hidden)]
pub fn which(entities: &[&'static EntityMeta], item: &ItemSource<'_, '_>) -> Result<usize> {
    owner::which(entities, item).map_err(|error| {
        error.unwrap_or_else(|| {
            let schema = entities.first().map(|entity| entity.schema);
            owner::unknown(schema.unwrap_or(&TableSchema::BROKEN), item)
        })
    })
}

/// The same, for a table with a variant for all other items.
#[doc(hidden)]
pub fn which_or_unknown(
    entities: &[&'static EntityMeta],
    item: &ItemSource<'_, '_>,
) -> Result<Option<usize>> {
    match owner::which(entities, item) {
        Ok(at) => Ok(Some(at)),
        Err(None) => Ok(None),
        Err(Some(error)) => Err(error),
    }
}

/// The type of the variant `#[dyna(unknown)]`: an item as it is.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the variant for unknown items holds an item, not a `{Self}`",
    label = "its type is `dyna_runtime::codec::Item`"
)]
pub trait UnknownItem {
    fn of_item(item: Item) -> Self;
    fn to_item(&self) -> Item;
}

impl UnknownItem for Item {
    fn of_item(item: Item) -> Self {
        item
    }

    fn to_item(&self) -> Item {
        self.clone()
    }
}

/// An item of no entity.
#[doc(hidden)]
pub fn unknown<T: DynaTable, I: UnknownItem>(item: ItemSource<'_, '_>) -> Result<I> {
    let error = item.as_map().is_none();
    let error = error.then(|| owner::unknown(<T::Schema as Schema>::SCHEMA, &item));
    // What fails in another form is read again as a map.
    match (error, item.into_map()) {
        (Some(error), _) => Err(error),
        (None, Some(item)) => Ok(I::of_item(item)),
        (None, None) => Err(Error::Internal {
            entity: <T::Schema as Schema>::SCHEMA.name,
            what: "an item that is a map was not read as one",
        }),
    }
}

/// A table that lists the entity `E`, so that `E`'s keys are proved to be no other entity's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list `{E}`, so the keys of `{E}` have not been checked against those of the table's other entities",
    label = "not an entity of `{Self}`",
    note = "add a variant `{E}({E})` to `{Self}`, or use the handle of the table that `{E}` belongs to"
)]
pub trait HasEntity<E>: DynaTable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// How far other entities reach into the queries of `E`.
    #[doc(hidden)]
    const OVERLAP: crate::proof::Overlap;

    /// The place of `E` among its entities.
    #[doc(hidden)]
    const AT: usize = usize::MAX;
}

/// An entity that the table lists, or a collection of such entities.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored in `{T}`",
    label = "neither an entity of `{T}` nor a collection of its entities"
)]
pub trait StoredIn<T> {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// How far other entities reach into its queries.
    #[doc(hidden)]
    const OVERLAP: Overlap;
}

impl<T: HasEntity<E>, E: Entity> StoredIn<T> for E {
    const ONLY_BY_DERIVE: Derived = Derived;
    const OVERLAP: Overlap = <T as HasEntity<E>>::OVERLAP;
}
