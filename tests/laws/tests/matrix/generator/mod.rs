//! The generator of the matrix: features as data, entities that cover every pair of them, and their source.

mod base;
mod computed;
mod cover;
mod emit;
mod fields;
mod indexes;
mod managed;
mod reads;
mod templates;

/// A field of an entity.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// The attributes that it is stored in: several if it is flattened.
    pub(crate) attributes: &'static [&'static str],
    pub(crate) ty: &'static str,
    /// Attributes of serde, which a projection repeats.
    pub(crate) serde: &'static str,
    /// Attributes of the entity alone.
    pub(crate) dyna: &'static str,
    /// A random value, from `rng`.
    pub(crate) make: &'static str,
    /// Puts what must be stored of `self` into `item`.
    pub(crate) stored: &'static str,
}

/// A field that is stored under its own name and has no options.
pub(crate) const PLAIN: Field = Field {
    name: "",
    attributes: &[],
    ty: "String",
    serde: "",
    dyna: "",
    make: "",
    stored: "",
};

/// A change of some fields by an update: `new` is where the values come from, `v` what they are put into.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub(crate) name: &'static str,
    /// The calls on `Thing::update(key)`; empty if there are none.
    pub(crate) by_key: &'static str,
    /// The calls on `Thing::update_loaded(old)`; empty if there are none.
    pub(crate) loaded: &'static str,
    /// What the change does to the fields.
    pub(crate) apply: &'static str,
}

/// One attribute of a key: its name, its template, and whether it is a number.
pub(crate) type KeyAttribute = (&'static str, &'static str, bool);

/// An index.
#[derive(Clone, Copy)]
pub(crate) struct Index {
    /// The function that queries it.
    pub(crate) accessor: &'static str,
    pub(crate) pk: &'static [KeyAttribute],
    pub(crate) sk: &'static [KeyAttribute],
    /// Whether it holds whole items; otherwise their keys.
    pub(crate) whole: bool,
    /// Whether it is local: its partition key is that of the table.
    pub(crate) local: bool,
    /// The field that decides whether an item is in it; empty if there is none. Its part is empty text, or nothing.
    pub(crate) when: &'static str,
    /// What separates the fields of its keys; empty if it is what the table has.
    pub(crate) delimiter: &'static str,
    /// The query of the partition that `self` is in: an `Option`.
    pub(crate) query: &'static str,
}

/// A global index that every item is in.
pub(crate) const INDEX: Index = Index {
    accessor: "",
    pk: &[],
    sk: &[],
    whole: true,
    local: false,
    when: "",
    delimiter: "",
    query: "",
};

/// What may be special about a value.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) name: &'static str,
    /// The point of the audit that it belongs to; zero if there is none.
    pub(crate) point: u8,
    /// Whether a write is refused; otherwise the value comes back as it is.
    pub(crate) refused: bool,
    /// Makes `v` special.
    pub(crate) apply: &'static str,
}

/// A feature of entities.
#[derive(Clone, Copy)]
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
    pub(crate) index: Option<Index>,
    /// What templates call fields: the path, and an `Option<String>` of `self`.
    pub(crate) parts: &'static [(&'static str, &'static str)],
    pub(crate) changes: &'static [Change],
    pub(crate) edges: &'static [Edge],
    /// The calls on `Thing::upsert(key)` that set its fields to those of `self`; none if an upsert cannot make them.
    pub(crate) upsert: Option<&'static str>,
    /// Methods of the `impl Case`.
    pub(crate) methods: &'static str,
}

/// Nothing special.
pub(crate) const FEATURE: Feature = Feature {
    name: "",
    fields: &[],
    index: None,
    parts: &[],
    changes: &[],
    edges: &[],
    upsert: Some(""),
    methods: "",
};

/// Pairs of features that no entity can have, with the reason.
pub(crate) const IMPOSSIBLE: &[(&str, &str, &str)] = &[(
    "native",
    "lower_key",
    "the template of a native partition key is exactly `<id>`; with a function it is not native",
)];

/// All features.
pub(crate) fn features() -> Vec<Feature> {
    [
        indexes::FEATURES,
        computed::FEATURES,
        templates::FEATURES,
        fields::FEATURES,
        managed::FEATURES,
    ]
    .concat()
}

/// The source of all cases.
pub(crate) fn source() -> String {
    let features = features();
    let cases = cover::cover(&features, IMPOSSIBLE);
    emit::emit(&features, &cases)
}
