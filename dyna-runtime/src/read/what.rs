//! What a read asks of each item.

use crate::entity::EntityMeta;
use crate::entity::projection::{ProjectionMeta, View, render_keys};
use crate::expr::Rendered;
use crate::read::fetch::Fetch;
use crate::schema::IndexSchema;

/// What a read asks of each item.
#[derive(Clone, Copy)]
pub(crate) enum What {
    Whole,
    Keys,
    Some(&'static ProjectionMeta),
}

/// What a read asks of each item, and whether that is only where the item is.
#[derive(Clone, Copy)]
pub(crate) struct Reads {
    pub(crate) what: What,
    /// Whether the index yields keys, and the table the items.
    pub(crate) hydrate: bool,
}

impl Reads {
    /// Items as they are.
    pub(crate) const WHOLE: Self = Self {
        what: What::Whole,
        hydrate: false,
    };

    /// Keys, by which items are told apart and counted.
    pub(crate) const KEYS: Self = Self {
        what: What::Keys,
        hydrate: false,
    };

    /// What is asked of what is read first.
    pub(crate) fn first(self) -> What {
        if self.hydrate { What::Keys } else { self.what }
    }

    /// What is read after it, by the keys.
    pub(crate) fn then(
        self,
        meta: &'static EntityMeta,
        index: &'static IndexSchema,
        fetch: impl FnOnce(Option<Rendered>) -> Fetch,
    ) -> Option<(Fetch, &'static EntityMeta)> {
        self.hydrate
            .then(|| (fetch(self.what.render(meta, index, true)), meta))
    }
}

impl What {
    /// What a read that yields `V` asks.
    pub(crate) fn of<E, V: View<E>>() -> Self {
        V::SELECTION.map_or(Self::Whole, Self::Some)
    }

    /// The projection expression. With `keys`, the key of the table and of the index that is read are among it; the key of the table
    /// always is, if a field is stored in it alone. The tag always is, if it can be read there: it tells whose the item is.
    pub(crate) fn render(
        self,
        meta: &EntityMeta,
        index: &'static IndexSchema,
        keys: bool,
    ) -> Option<Rendered> {
        let schema = meta.schema;
        let tag = schema.tag.iter().map(|tag| &tag.attribute);
        let tag = tag.filter(|tag| index.holds(&schema.key, tag.name));
        let table = schema.key.attributes();
        let all = index.attributes().chain(schema.key.attributes());
        match self {
            Self::Whole => None,
            Self::Keys => {
                let mut out = Rendered::default();
                render_keys(all.chain(tag), &mut out);
                Some(out)
            }
            Self::Some(selection) if keys => Some(selection.render(meta.fields, all.chain(tag))),
            Self::Some(selection) => {
                let needed = selection.needs_key(meta.fields);
                let table = table.filter(|_| needed);
                Some(selection.render(meta.fields, table.chain(tag)))
            }
        }
    }
}
