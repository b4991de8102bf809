//! From a record to the change: whose item it is, and its images.

use crate::change::{Change, ChangeKind, Event, Record, RemovalCause};
use crate::codec::Item;
use crate::codec::json::ItemSource;
use crate::entity::EntityMeta;
use crate::entity::collection::Owner;
use crate::entity::owner::{self, Rule, Verdict};
use crate::error::{Error, Result};
use crate::key::{KeyId, StoredKey};
use crate::schema::{HasStream, Schema, StreamView, TableSchema};
use crate::table::DynaTable;
use std::time::SystemTime;

/// A record whose item is judged and whose images are there.
struct Judged {
    place: Place,
    key: StoredKey,
    /// The place of its entity among those of the table.
    entity: Option<usize>,
    is_sentinel: bool,
    new: Option<Item>,
    old: Option<Item>,
    time: Option<SystemTime>,
    cause: RemovalCause,
}

/// Which record it is, for errors.
struct Place {
    table: &'static str,
    event: Event,
    sequence: Option<String>,
}

impl Place {
    fn error(&self, problem: Error) -> Error {
        Error::Change {
            table: self.table,
            event: self.event.name(),
            sequence: self.sequence.clone(),
            problem: Box::new(problem),
        }
    }

    fn lacks(&self, what: &str) -> Error {
        self.error(Error::Record {
            source_name: "the record",
            problem: format!("it has no {what}"),
        })
    }
}

impl<T: DynaTable, V: StreamView> Change<T, V> {
    /// Reads a record. Its images are what `V` says: of `Change<T>`, what the table declares as its `stream`.
    // The bound on `V` stands here, where its message is shown.
    pub fn from_record<R>(record: R) -> Result<Self>
    where
        V: HasStream,
        R: TryInto<Record>,
        Error: From<R::Error>,
    {
        Self::read(record.try_into()?, false)
    }

    /// The same, with keys compared with what the attributes make, or not.
    pub(crate) fn read(record: Record, check_keys: bool) -> Result<Self> {
        let schema = <T::Schema as Schema>::SCHEMA;
        let images = (V::HAS_NEW, V::HAS_OLD);
        let Judged {
            place,
            key,
            entity,
            is_sentinel,
            new,
            old,
            time,
            cause,
        } = judge(schema, T::ENTITIES, images, record)?;
        let kind = if is_sentinel {
            ChangeKind::Sentinel(place.event)
        } else {
            let read = |item: Option<Item>| -> Result<Option<T>> {
                let read = |item| T::read(ItemSource::map(item).check_keys(check_keys));
                let read = item.map(read).transpose();
                read.map_err(|problem| place.error(problem))
            };
            kind::<T, V>(&place, cause, read(new)?, read(old)?)?
        };
        Ok(Self {
            kind,
            key,
            sequence: place.sequence,
            time,
            entity,
        })
    }
}

type Kind<T, V> = ChangeKind<<V as StreamView>::New<T>, <V as StreamView>::Old<T>>;

fn kind<T, V: StreamView>(
    place: &Place,
    cause: RemovalCause,
    new: Option<T>,
    old: Option<T>,
) -> Result<Kind<T, V>> {
    let new = || V::new_image(new).ok_or_else(|| place.lacks(NEW));
    let old = || V::old_image(old).ok_or_else(|| place.lacks(OLD));
    Ok(match place.event {
        Event::Insert => ChangeKind::Insert { new: new()? },
        Event::Modify => ChangeKind::Modify {
            old: old()?,
            new: new()?,
        },
        Event::Remove => ChangeKind::Remove { old: old()?, cause },
    })
}

const NEW: &str = "new image: the stream has another view type than the table declares";
const OLD: &str = "old image: the stream has another view type than the table declares";

fn judge(
    schema: &'static TableSchema,
    entities: &'static [&'static EntityMeta],
    (has_new, has_old): (bool, bool),
    record: Record,
) -> Result<Judged> {
    let Record {
        event,
        keys,
        new,
        old,
        sequence,
        time,
        cause,
        table: _,
    } = record;
    let place = Place {
        table: schema.type_name,
        event,
        sequence,
    };
    let id = KeyId::of_item(&schema.key, &keys).ok_or_else(|| place.lacks("key of this table"))?;
    let new = new.filter(|_| has_new && event != Event::Remove);
    let old = old.filter(|_| has_old && event != Event::Insert);
    // Without an image there is no tag: the key tells.
    let item = ItemSource::borrowed(new.as_ref().or(old.as_ref()).unwrap_or(&keys));
    let rule = Rule::new(Owner::Table(entities), entities, &schema.key);
    let is_sentinel = matches!(rule.judge(&item), Verdict::Foreign);
    let entity = owner::which(entities, &item).ok();
    let entity = entity.filter(|_| !is_sentinel);
    let key = match entity {
        Some(at) => StoredKey::of(entities[at].key, id),
        None => StoredKey::unknown(&schema.key, id),
    };
    Ok(Judged {
        place,
        key,
        entity,
        is_sentinel,
        new,
        old,
        time,
        cause,
    })
}
