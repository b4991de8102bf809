//! What the drivers ask of an entity. The generator implements it; what an entity does not offer is `None`.

use super::plain::{Item, Plain};
use super::rng::Rng;
use super::template::{Sort, expand};
use super::values::Any;
use super::world::Must;
use dyna_runtime::entity::{Replaceable, View};
use dyna_runtime::request::HasEntity;
use dyna_runtime::request::returning::Nothing;
use dyna_runtime::{
    Cursor, Delete, DynaEntity, DynaTable, Key, Page, Put, Rekey, ResponseFuture, Table, Update,
};
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Whether the value comes back, or the write is refused.
pub(crate) struct Edge<C> {
    pub(crate) name: String,
    /// The point of the audit that it belongs to.
    pub(crate) point: u8,
    pub(crate) refused: bool,
    pub(crate) apply: Box<dyn Fn(&mut C) + Send + Sync>,
}

impl<C> Edge<C> {
    /// What a write of this kind must do with the value, if it must do this without it. A new item does not look at the version that
    /// the caller brings, or refuses it; one that moves has the version that was loaded; an upsert sets neither the version nor the
    /// entries of a flattened map.
    pub(crate) fn must(&self, kind: &str, otherwise: Must) -> Must {
        let is_version = self.point == VERSION;
        let is_left_out = match kind {
            "upsert" => is_version || ENTRIES.contains(&self.point),
            "rekey_loaded" => is_version,
            _ => false,
        };
        let is_ignored = is_version && (kind.starts_with("create") || kind == "transact");
        match otherwise {
            otherwise if !self.refused || is_left_out => otherwise,
            Must::Succeed | Must::Either if is_ignored => Must::Either,
            _ => Must::Fail,
        }
    }
}

/// The point of the edge of a version.
const VERSION: u8 = 6;

/// The points of entries of a flattened map that are refused.
const ENTRIES: [u8; 3] = [1, 27, 102];

/// A change of fields by an update.
pub(crate) struct Change<C> {
    pub(crate) name: &'static str,
    pub(crate) apply: fn(&mut C, &C),
}

/// The attributes of a key: name, template, and whether it is a number.
pub(crate) struct KeySpec {
    pub(crate) accessor: &'static str,
    pub(crate) pk: &'static [(&'static str, &'static str, bool)],
    pub(crate) sk: &'static [(&'static str, &'static str, bool)],
}

/// Items that a condition chooses, and the same in Rust: of one item, beside the one that asks.
pub(crate) type Chosen<'a, C> = Option<(ResponseFuture<'a, Vec<C>>, fn(&C, &C) -> bool)>;

pub(crate) trait Case:
    DynaEntity + View<Self> + Clone + Debug + PartialEq + Send + Sync + 'static
{
    type Tab: DynaTable + HasEntity<Self> + HasEntity<Self::Side> + Debug + PartialEq;
    type Side: DynaEntity + Replaceable + Clone + Debug + PartialEq + Send + Sync;
    type Both: Debug + PartialEq;
    type View: View<Self> + Debug + PartialEq + Send;

    const NAME: &'static str;
    const FEATURES: &'static [&'static str];
    /// The primary key, and those of the indexes.
    const KEYS: &'static [KeySpec];
    /// Every attribute that means something.
    const DECLARED: &'static [&'static str];
    /// A field's attribute, and its alias.
    const ALIAS: Option<(&'static str, &'static str)> = None;
    /// The attribute of a list of text.
    const PLAIN_LIST: Option<&'static str> = None;
    /// The attributes of options.
    const OPTIONS: &'static [&'static str] = &[];

    fn make(rng: &mut Rng) -> Self;
    /// The attributes of the fields, encoded by hand.
    fn stored_fields(&self) -> Item;
    /// A field as templates name it.
    fn part(&self, path: &str) -> Option<String>;
    fn edges() -> Vec<Edge<Self>>;
    fn changes() -> Vec<Change<Self>>;
    /// Takes the fields of the primary key from another.
    fn re_key(&mut self, from: &Self);
    fn key_of(&self) -> Key<Self>;
    /// The key as it is stored.
    fn raw_key_of(&self) -> Key<Self>;
    /// An item of another entity under the same key, if there is such an entity.
    fn twin(&self) -> Option<Item> {
        None
    }

    fn version(&mut self) -> Option<&mut u64> {
        None
    }
    fn ends(&self) -> Option<u64> {
        None
    }
    fn stamp(&mut self, _millis: i64, _is_new: bool) {}
    fn keep_created(&mut self, _old: &Self) {}
    fn unique(&self) -> Vec<(&'static str, Plain)> {
        Vec::new()
    }
    fn spell(&mut self, _serial: Decimal) {}
    fn extra(&mut self) -> Option<&mut BTreeMap<String, Any>> {
        None
    }
    /// Puts an element into each empty set.
    fn full(&mut self) {}

    fn put_of(&self) -> Option<Put<'_, Self>> {
        None
    }
    fn replace_of(&self) -> Option<Put<'_, Self>> {
        None
    }
    fn delete_at(&self) -> Option<Delete<Self>> {
        None
    }
    fn move_at<'e>(&self, _to: &'e Self) -> Option<Rekey<'e, Self>> {
        None
    }
    fn batch<'a>(
        _db: &'a Table<Self::Tab>,
        _puts: &'a [Self],
        _deletes: &'a [Self],
    ) -> Option<ResponseFuture<'a, ()>> {
        None
    }
    fn upsert_of(&self) -> Option<Update<Self>> {
        None
    }
    fn change_by_key<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        at: usize,
        new: &Self,
        how: How,
    ) -> Option<ResponseFuture<'a, ()>>;
    fn change_of<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        at: usize,
        new: &Self,
        how: How,
    ) -> Option<ResponseFuture<'a, ()>>;
    fn delete_loaded(&self) -> Delete<Self>;
    fn move_loaded<'e>(&self, to: &'e Self) -> Rekey<'e, Self>;

    fn all<'a>(&self, db: &'a Table<Self::Tab>, at: usize)
    -> Option<ResponseFuture<'a, Vec<Self>>>;
    fn newest<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        at: usize,
    ) -> Option<ResponseFuture<'a, Vec<Self>>>;
    fn hydrated<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        at: usize,
    ) -> Option<ResponseFuture<'a, Vec<Self>>>;
    fn count<'a>(&self, db: &'a Table<Self::Tab>, at: usize) -> Option<ResponseFuture<'a, usize>>;
    fn views<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        at: usize,
    ) -> Option<ResponseFuture<'a, Vec<Self::View>>>;
    fn index_scan<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        at: usize,
    ) -> Option<ResponseFuture<'a, Vec<Self>>>;
    fn range<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        low: u32,
        high: u32,
    ) -> ResponseFuture<'a, Vec<Self>>;
    fn live<'a>(&self, db: &'a Table<Self::Tab>) -> ResponseFuture<'a, Vec<Self>>;
    fn paged<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        after: Option<Cursor>,
    ) -> ResponseFuture<'a, Page<Self>>;
    /// The same of what can be read.
    fn readable<'a>(
        &self,
        db: &'a Table<Self::Tab>,
        after: Option<Cursor>,
    ) -> ResponseFuture<'a, Page<Self>>;
    fn both<'a>(&self, db: &'a Table<Self::Tab>) -> ResponseFuture<'a, Vec<Self::Both>>;
    fn table(db: &Table<Self::Tab>) -> ResponseFuture<'_, Vec<Self::Tab>>;
    fn scanned(db: &Table<Self::Tab>) -> ResponseFuture<'_, Vec<Self>>;
    fn scan_count(db: &Table<Self::Tab>) -> ResponseFuture<'_, usize>;
    fn scan_views(db: &Table<Self::Tab>) -> ResponseFuture<'_, Vec<Self::View>>;
    fn above<'a>(&self, _db: &'a Table<Self::Tab>) -> Chosen<'a, Self> {
        None
    }
    fn starting<'a>(&self, _db: &'a Table<Self::Tab>) -> Chosen<'a, Self> {
        None
    }
    /// Items where an option is missing, and where it is there.
    fn missing(_db: &Table<Self::Tab>) -> Option<[ResponseFuture<'_, Vec<Self>>; 2]> {
        None
    }
    fn is_missing(&self) -> bool {
        false
    }

    fn as_both(&self) -> Self::Both;
    fn as_tab(&self) -> Self::Tab;
    fn view(&self) -> Self::View;
    fn side(&self, m: u16) -> Self::Side;
    fn side_as_both(side: &Self::Side) -> Self::Both;
    fn side_as_tab(side: &Self::Side) -> Self::Tab;
    fn side_item(side: &Self::Side) -> Item;

    /// The primary key, by its templates.
    fn id(&self) -> (String, String) {
        let [key, ..] = Self::KEYS else {
            unreachable!()
        };
        let text = |template| expand(template, &|path| self.part(path)).unwrap();
        (text(key.pk[0].1), text(key.sk[0].1))
    }

    /// The partition of a key, with all of its shards together; `None` if the item is not in the index.
    fn partition(&self, at: usize) -> Option<Vec<String>> {
        let key = &Self::KEYS[at];
        // An item is in an index if it has all of its attributes.
        self.sort(at)?;
        let parts = key.pk.iter().map(|(_, template, _)| {
            let part = |path: &str| self.part(path);
            let template = template.replace("<seed|shard(4)>", "*");
            let template = match template.split_once("<probe|shard(") {
                Some((before, _)) => format!("{before}*"),
                None => template,
            };
            expand(&template, &part)
        });
        parts.collect()
    }

    /// Where the item stands in a partition.
    fn sort(&self, at: usize) -> Option<Vec<Sort>> {
        let key = &Self::KEYS[at];
        let parts = key.sk.iter().map(|(_, template, is_number)| {
            let text = expand(template, &|path| self.part(path))?;
            Some(if *is_number {
                Sort::Number(text.parse().unwrap())
            } else {
                Sort::Text(text)
            })
        });
        parts.collect()
    }

    /// The whole item.
    fn stored(&self) -> Item {
        let mut item = self.stored_fields();
        item.insert("entityType", Plain::S("Thing".to_owned()));
        for key in Self::KEYS {
            let keys = key.pk.iter().chain(key.sk);
            let values = keys.map(|(name, template, is_number)| {
                let text = expand(template, &|path| self.part(path))?;
                let value = if *is_number {
                    super::plain::number(text)
                } else {
                    Plain::S(text)
                };
                Some((*name, value))
            });
            // Without one of its values, an index has none of them.
            for (name, value) in values.collect::<Option<Vec<_>>>().into_iter().flatten() {
                item.insert(name, value);
            }
        }
        item
    }
}

/// Alone, once, or in a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Alone,
    Once,
    Together,
}

impl How {
    pub(crate) fn put<'a, C: Case>(
        self,
        db: &'a Table<C::Tab>,
        put: Put<'_, C>,
    ) -> ResponseFuture<'a, ()> {
        match self {
            Self::Alone => put.send(db),
            Self::Once => put.once().send(db),
            Self::Together => Box::pin(db.transact().put(put).send()),
        }
    }

    pub(crate) fn update<C: Case, M>(
        self,
        db: &Table<C::Tab>,
        update: Update<C, Nothing, M>,
    ) -> ResponseFuture<'_, ()> {
        match self {
            Self::Alone => update.send(db),
            Self::Once => update.once().send(db),
            Self::Together => Box::pin(db.transact().update(update).send()),
        }
    }

    pub(crate) fn delete<C: Case>(
        self,
        db: &Table<C::Tab>,
        delete: Delete<C>,
    ) -> ResponseFuture<'_, ()> {
        match self {
            Self::Alone => delete.send(db),
            Self::Once => delete.once().send(db),
            Self::Together => Box::pin(db.transact().delete(delete).send()),
        }
    }

    pub(crate) fn moved<'a, C: Case>(
        self,
        db: &'a Table<C::Tab>,
        moved: Rekey<'_, C>,
    ) -> ResponseFuture<'a, ()> {
        match self {
            Self::Alone | Self::Once => moved.send(db),
            Self::Together => Box::pin(db.transact().rekey(moved).send()),
        }
    }
}
