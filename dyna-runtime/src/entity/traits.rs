//! The traits that the derive implements for an entity.

use crate::codec::json::ItemSource;
use crate::codec::{Flattened, Item};
use crate::derived::Derived;
use crate::entity::changes::Setters;
use crate::entity::key_io::KeyReader;
use crate::entity::key_io::KeyWriter;
use crate::entity::meta::EntityMeta;
use crate::error::Result;
use crate::key::ParsedKey;
use serde::{Deserializer, Serializer};

/// A struct or an enum that is stored in a table, as data. Derived with [`DynaEntity`](crate::DynaEntity), never written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "this type does not derive `DynaEntity`"
)]
pub trait Entity: Sized + 'static {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The table it is stored in, which implements [`Schema`](crate::schema::Schema).
    type Table;

    /// The setters of its index keys.
    #[doc(hidden)]
    type Setters: Setters;

    /// Its keys and fields.
    const META: &'static EntityMeta;

    /// Writes its key attributes.
    #[doc(hidden)]
    fn write_keys(&self, out: &mut KeyWriter);

    /// The entity of an item that was found.
    #[doc(hidden)]
    fn read(item: ItemSource<'_, '_>) -> Result<Self> {
        crate::entity::read(item)
    }

    /// The item that would be stored.
    #[doc(hidden)]
    fn encode(&self) -> Result<Item> {
        crate::entity::encode(self)
    }

    /// Reads the fields of the key.
    #[doc(hidden)]
    fn read_keys(_key: &ParsedKey<'_>, _out: &mut KeyReader) {}

    /// Reads the fields that are stored in the keys of indexes alone, if there are any.
    #[doc(hidden)]
    const INDEX_KEYS: Option<ReadIndexKeys> = None;

    /// Writes it through serde. A supertrait would report a missing derive wherever the entity is named.
    #[doc(hidden)]
    fn __serialize<S: Serializer>(&self, _to: S) -> std::result::Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("not derived"))
    }

    /// Reads it through serde.
    #[doc(hidden)]
    fn __deserialize<'de, D: Deserializer<'de>>(_from: D) -> std::result::Result<Self, D::Error> {
        Err(serde::de::Error::custom("not derived"))
    }

    /// Shows the fields that it flattens.
    #[doc(hidden)]
    fn flattened(&self, _out: &mut Flattened) {}

    /// The attributes of fields that are written and never read. What is flattened does not see them.
    #[doc(hidden)]
    const WRITE_ONLY: &'static [&'static str] = &[];
}

/// Reads the fields that are stored in the key of an index alone: of index `n`, from its key.
#[doc(hidden)]
pub type ReadIndexKeys = fn(usize, &ParsedKey<'_>, &mut KeyReader);

/// An entity whose writes need no condition to be right, so that it can be written in batches. Derived with [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written in a batch, where DynamoDB checks no conditions",
    label = "has a version, a unique field or a shared key, or is in a `partial` table",
    note = "write it alone, or with others in a transaction: `db.transact()`"
)]
pub trait BatchWritable: Replaceable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// An entity whose items can be replaced and deleted without knowing what they hold: one without unique fields, in a
/// table that is declared as a whole. Derived with
/// [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "an item of `{Self}` cannot be replaced or deleted unread: it has unique fields, or its table is `partial`",
    label = "what the item holds is not known here",
    note = "with unique fields: write it with `create`, change it with `update_loaded(&item)`, delete it with `delete_loaded(&item)` and give it another key with `rekey_loaded(&item, &new)`",
    note = "in a `partial` table: write it with `create`, and change it with `update`, `upsert` or `update_loaded`, which leave other attributes as they are"
)]
pub trait Replaceable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// An entity whose items can be deleted without knowing what they hold. Derived with [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has unique fields, whose old values must be given up when an item is deleted",
    label = "the old values are not known here",
    note = "delete it with `delete_loaded(&item)`"
)]
pub trait DeletableByKey {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

#[diagnostic::do_not_recommend]
impl<E: Replaceable> DeletableByKey for E {
    const ONLY_BY_DERIVE: Derived = Derived;
}

/// An entity whose items can be deleted in batches. Derived with [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be deleted in a batch, where DynamoDB checks no conditions",
    label = "has a version, a unique field or a shared key",
    note = "delete it alone, or with others in a transaction: `db.transact()`"
)]
pub trait BatchDeletable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

#[diagnostic::do_not_recommend]
impl<E: BatchWritable> BatchDeletable for E {
    const ONLY_BY_DERIVE: Derived = Derived;
}

/// An entity whose whole item is declared. No type implements it: it is the bound of whole-item writes of a `partial` entity.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is declared `partial`: writing it as a whole would drop the attributes that it does not know",
    label = "not on an entity of a table that is declared in part",
    note = "write a new item with `create`, and change one with `update`, `upsert` or `update_loaded`, which leave other attributes as they are"
)]
pub trait WrittenWhole: Replaceable {}

/// What an enum is not: no type implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is an enum: an upsert may make a new item, and its variant would not be known",
    label = "not on an entity with variants",
    note = "write a new item with `create` or `put`, and change one with `update` or `update_loaded`"
)]
pub trait MadeOfKey: Replaceable {}

/// An entity whose items expire. Derived with [`DynaEntity`](crate::DynaEntity).
#[diagnostic::on_unimplemented(
    message = "the items of `{Self}` never expire",
    label = "has no `#[dyna(ttl)]` field",
    note = "mark a field with `#[dyna(ttl)]`, or leave out `or_expired`"
)]
pub trait Expiring {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}
