//! Type-erased entities: function pointers for the parts that depend on the type. The code that uses them is compiled once, in this crate,
//! and not again for each entity of an application.

use crate::codec::absences::Absences;
use crate::codec::json::{Deferred, ItemJson, NameSet, Whole};
use crate::codec::missing::check_part;
use crate::codec::readback::PlaceId;
use crate::codec::{self, DecodeError, EncodeError, Flattened, Item, Rules};
use crate::entity::encode::failed;
use crate::entity::{
    Deserialized, Entity, EntityMeta, KeyReader, KeyWriter, ReadIndexKeys, Serialized, decode,
    reread,
};
use crate::error::Result;
use crate::key::ParsedKey;

/// The functions of an entity's type that reading needs, beside serde.
#[derive(Clone, Copy)]
pub(crate) struct KeyFunctions {
    pub(crate) meta: &'static EntityMeta,
    /// [`Entity::read_keys`].
    pub(crate) read_keys: fn(&ParsedKey<'_>, &mut KeyReader),
    /// [`Entity::INDEX_KEYS`].
    pub(crate) index_keys: Option<ReadIndexKeys>,
    /// [`Entity::WRITE_ONLY`].
    pub(crate) write_only: &'static [&'static str],
}

impl KeyFunctions {
    pub(crate) const fn of<E: Entity>() -> &'static Self {
        const {
            &Self {
                meta: E::META,
                read_keys: E::read_keys,
                index_keys: E::INDEX_KEYS,
                write_only: E::WRITE_ONLY,
            }
        }
    }
}

/// The functions of an entity's type that writing needs, without an entity.
pub(crate) struct Functions {
    pub(crate) keys: &'static KeyFunctions,
    pub(crate) meta: &'static EntityMeta,
    pub(crate) is_plain: bool,
    pub(crate) has_outside: bool,
    pub(crate) has_defaults: bool,
    /// Reads an item, and writes what it is.
    pub(crate) reread: fn(Item) -> Result<Item>,
    /// Reads an item, and says what is absent in it.
    pub(crate) absences_of: fn(Item) -> Result<Absences>,
    /// Fails if a part of an item could not be read.
    pub(crate) check_part: fn(Item, usize) -> Result<(), DecodeError>,
}

impl Functions {
    pub(crate) const fn of<E: Entity>() -> &'static Self {
        const {
            &Self {
                keys: KeyFunctions::of::<E>(),
                meta: E::META,
                is_plain: E::META.is_plain(),
                has_outside: E::META.has_outside(),
                has_defaults: E::META.has_defaults(),
                reread: reread::<E>,
                absences_of: absences_of::<E>,
                check_part: check_part::<Deserialized<E>>,
            }
        }
    }
}

fn absences_of<E: Entity>(item: Item) -> Result<Absences> {
    let entity: E = decode(item)?;
    Absences::of(&Serialized(&entity)).map_err(|source| failed(E::META, source))
}

/// An entity of a type that is not known.
pub(crate) trait AnyEntity {
    fn functions(&self) -> &'static Functions;

    fn write_keys(&self, out: &mut KeyWriter);

    /// Writes its fields as JSON; `false` if it cannot, which attributes tell better.
    fn write_json(
        &self,
        json: &mut ItemJson<'_>,
        names: &NameSet,
        deferred: Option<Deferred<'_>>,
    ) -> bool;

    /// Writes its fields as attributes.
    fn write_item(&self, item: &mut Item, rules: Rules<'_>) -> Result<(), EncodeError>;

    /// Its absences.
    fn absences(&self) -> Result<Absences, EncodeError>;

    fn flattened(&self, out: &mut Flattened);
}

impl<E: Entity> AnyEntity for E {
    fn functions(&self) -> &'static Functions {
        Functions::of::<E>()
    }

    fn write_keys(&self, out: &mut KeyWriter) {
        Entity::write_keys(self, out);
    }

    fn write_json(
        &self,
        json: &mut ItemJson<'_>,
        names: &NameSet,
        deferred: Option<Deferred<'_>>,
    ) -> bool {
        let of = Whole {
            id: PlaceId::of::<E>(),
            has_defaults: const { E::META.has_defaults() },
        };
        let written = json.fields(&Serialized(self), of, names, E::META.nulls(), deferred);
        written.is_ok()
    }

    fn write_item(&self, item: &mut Item, rules: Rules<'_>) -> Result<(), EncodeError> {
        codec::write_item(&Serialized(self), item, rules)
    }

    fn absences(&self) -> Result<Absences, EncodeError> {
        Absences::of(&Serialized(self))
    }

    fn flattened(&self, out: &mut Flattened) {
        Entity::flattened(self, out);
    }
}
