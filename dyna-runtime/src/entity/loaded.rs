//! An item that was loaded, and the conditions that it is still the same.

use crate::codec::Item;
use crate::entity::{EntityMeta, KeyField, KeyFieldPlace};
use crate::error::Result;
use crate::expr::{Expr, Path};
use aws_sdk_dynamodb::types::AttributeValue;

/// The most places inside of a value that are looked at for defaults. Larger values are compared as a whole.
const MOST_PLACES: usize = 64;

/// The most defaults of which every combination is compared.
const MOST_COMBINED: usize = 4;

/// Reads an item as its entity, and writes that.
pub(crate) type Reread = fn(Item) -> Result<Item>;

/// An item that was loaded.
#[derive(Clone, Copy)]
pub(crate) struct LoadedItem<'i> {
    pub(crate) item: &'i Item,
    pub(crate) reread: Reread,
}

impl LoadedItem<'_> {
    /// The condition that a field which keys are made of is still what was loaded.
    pub(crate) fn still_feeds(self, field: &KeyField) -> Expr {
        let paths = field.paths();
        match field.place {
            KeyFieldPlace::Attribute(_) => all(paths.iter().map(|path| self.still(path))),
            KeyFieldPlace::IndexKeys(_) => {
                // Every key that has the field says the same. An item without any of them has no value.
                let is_held = |path: &&Path| path.find(self.item).is_some();
                let held: Vec<_> = paths.iter().filter(is_held).collect();
                let same = |path: &Path| Expr::is(path, path.find(self.item).cloned());
                match held.as_slice() {
                    [] => all(paths.iter().map(same)),
                    held => all(held.iter().map(|path| same(path))),
                }
            }
        }
    }

    /// The condition that a field is still what was loaded. Where the field, what it is inside of, or something inside of it is not
    /// stored, a default was loaded.
    pub(crate) fn still(self, path: &Path) -> Expr {
        let mut same = Expr::is(path, path.find(self.item).cloned());
        for older in self.older(path) {
            same = same.or(Expr::is(path, Some(older)));
        }
        let mut around: Option<Path> = None;
        for part in path.parts() {
            if self.is_default(path, &part) {
                let there = around.as_ref().map(Expr::exists).unwrap_or_default();
                same = same.or(there.and(Expr::missing(&part)));
            }
            around = Some(part);
        }
        same
    }

    /// Whether a field is the same in an item that lacks this part.
    fn is_default(self, path: &Path, lacking: &Path) -> bool {
        self.without(path, &[lacking]).is_some()
    }

    /// The item without these parts of a field, if the field is read as the same.
    fn without(self, path: &Path, lacking: &[&Path]) -> Option<Item> {
        let value = path.find(self.item).filter(|value| !value.is_null())?;
        let mut item = self.item.clone();
        for part in lacking {
            part.put(&mut item, None)?;
        }
        let read = (self.reread)(item.clone()).ok()?;
        (path.find(&read) == Some(value)).then_some(item)
    }

    /// The forms of a field without the defaults inside of it, which are read as the same: an item that is older than a field of a nested
    /// struct has one of them. Of many defaults, those that lack one or all.
    fn older(self, path: &Path) -> Vec<AttributeValue> {
        let mut places = Vec::new();
        if let Some(value) = path.find(self.item) {
            add_places(path, value, &mut places);
        }
        if places.len() > MOST_PLACES {
            return Vec::new();
        }
        let places = places.iter();
        let defaults: Vec<&Path> = places
            .filter(|place| self.is_default(path, place))
            .collect();
        let lacking: Vec<Vec<&Path>> = if defaults.len() <= MOST_COMBINED {
            let sets = 1..1_usize << defaults.len();
            let of = |set: usize| {
                let places = defaults.iter().enumerate();
                let places = places.filter(move |(n, _)| set >> n & 1 == 1);
                places.map(|(_, place)| *place).collect()
            };
            sets.map(of).collect()
        } else {
            let single = defaults.iter().map(|place| vec![*place]);
            single.chain([defaults.clone()]).collect()
        };
        let mut older: Vec<AttributeValue> = Vec::new();
        let items = lacking.iter().filter_map(|parts| self.without(path, parts));
        for value in items.filter_map(|item| path.find(&item).cloned()) {
            if !older.contains(&value) {
                older.push(value);
            }
        }
        older
    }

    /// The condition that the field which says when an item expires is still what was loaded.
    pub(crate) fn same_expiry(self, meta: &EntityMeta) -> Expr {
        let expiry = meta.managed.expiry;
        expiry.map_or_else(Expr::default, |expiry| {
            self.still(&Path::attribute(expiry.name))
        })
    }
}

fn all(exprs: impl Iterator<Item = Expr>) -> Expr {
    exprs.fold(Expr::default(), Expr::and)
}

/// The entries of maps inside of a value, at any depth: those that are inside of another come before it.
fn add_places(path: &Path, value: &AttributeValue, places: &mut Vec<Path>) {
    match value {
        AttributeValue::M(map) => {
            let mut names: Vec<_> = map.keys().collect();
            names.sort();
            for name in names {
                let place = path.clone().entry(name.clone());
                add_places(&place, &map[name], places);
                places.push(place);
            }
        }
        AttributeValue::L(list) => {
            for (n, value) in list.iter().enumerate() {
                add_places(&path.clone().at(n), value, places);
            }
        }
        _ => {}
    }
}
