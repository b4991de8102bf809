//! The attributes that a read returns.

use crate::entity::EntityMeta;
use crate::entity::projection::{ProjectionMeta, View, render_keys};
use crate::error::{Error, Result};
use crate::expr::Rendered;
use crate::read::fetch::Fetch;
use crate::schema::{IndexSchema, Projection};
use crate::table::Handle;

/// The attributes that a read requests of each item.
#[derive(Clone, Copy)]
pub(crate) enum Attributes {
    Whole,
    Keys,
    Some(&'static ProjectionMeta),
}

/// The attributes that a read requests of each item, and whether it hydrates.
#[derive(Clone, Copy)]
pub(crate) struct ReadTarget {
    pub(crate) what: Attributes,
    /// Whether the index yields keys, and the table the items.
    pub(crate) hydrate: bool,
}

impl ReadTarget {
    /// Items as they are.
    pub(crate) const WHOLE: Self = Self {
        what: Attributes::Whole,
        hydrate: false,
    };

    /// Keys, by which items are told apart and counted.
    pub(crate) const KEYS: Self = Self {
        what: Attributes::Keys,
        hydrate: false,
    };

    /// The attributes by which the items of this read are counted: their keys, or with a handle that checks keys all of their attributes,
    /// for which an index that does not hold them is hydrated.
    pub(crate) fn to_count(self, db: &Handle, index: &IndexSchema) -> Self {
        if !db.checks_keys() {
            return Self::KEYS;
        }
        Self {
            hydrate: self.hydrate || index.projection != Projection::All,
            ..self
        }
    }

    /// The attributes to request from the index, before hydration.
    pub(crate) fn first(self) -> Attributes {
        if self.hydrate {
            Attributes::Keys
        } else {
            self.what
        }
    }

    /// The attributes to read afterwards, by the keys.
    pub(crate) fn then(
        self,
        meta: &'static EntityMeta,
        index: &'static IndexSchema,
        fetch: impl FnOnce(Option<Rendered>) -> Fetch,
    ) -> Option<(Fetch, &'static EntityMeta)> {
        self.hydrate
            .then(|| (fetch(self.what.render_whole(meta, index)), meta))
    }
}

impl Attributes {
    /// The attributes of a read that yields `V`.
    pub(crate) fn of<E, V: View<E>>() -> Self {
        V::SELECTION.map_or(Self::Whole, Self::Some)
    }

    /// Fails if it is a projection and the handle checks keys, which a projection does not hold: before anything is sent.
    pub(crate) fn check(self, db: &Handle) -> Result<()> {
        match self {
            Self::Some(selection) if db.checks_keys() => Err(Error::ProjectionUnchecked {
                projection: selection.name,
            }),
            _ => Ok(()),
        }
    }

    /// The projection expression. With `keys`, the key of the table and of the index that is read are among it; the key of the table
    /// always is, if a field is stored in it alone. The tag always is, if it can be read there: it tells whose the item is.
    pub(crate) fn render(
        self,
        meta: &'static EntityMeta,
        index: &'static IndexSchema,
        keys: bool,
    ) -> Option<Rendered> {
        self.render_from(index, meta, index, keys)
    }

    /// The same, with the keys of the table and of the index, of items that are read from the table: it holds what the index does not.
    fn render_whole(
        self,
        meta: &'static EntityMeta,
        index: &'static IndexSchema,
    ) -> Option<Rendered> {
        self.render_from(&meta.schema.key, meta, index, true)
    }

    /// The projection expression of a read by the key of `index` that yields what `held` holds.
    fn render_from(
        self,
        held: &'static IndexSchema,
        meta: &'static EntityMeta,
        index: &'static IndexSchema,
        keys: bool,
    ) -> Option<Rendered> {
        let schema = meta.schema;
        let tag = schema.tag.iter().map(|tag| &tag.attribute);
        let tag = tag.filter(|tag| held.holds(&schema.key, tag.name));
        let table = schema.key.attributes();
        let all = index.attributes().chain(schema.key.attributes());
        match self {
            Self::Whole => None,
            Self::Keys => {
                let mut out = Rendered::default();
                render_keys(all.chain(tag), &mut out);
                Some(out)
            }
            Self::Some(selection) => {
                // What is stored in the keys of indexes alone is read from those that can be read here.
                let others = meta
                    .index_only_attributes(|name| selection.has(name))
                    .into_iter();
                let others = others.filter(|key| held.holds(&schema.key, key.name));
                if keys {
                    let keys = all.chain(others).chain(tag);
                    return Some(selection.render(meta.fields, keys));
                }
                let needed = selection.needs_key(meta.fields);
                let table = table.filter(|_| needed);
                Some(selection.render(meta.fields, table.chain(others).chain(tag)))
            }
        }
    }
}
