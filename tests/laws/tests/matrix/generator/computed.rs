//! Features of indexes whose keys are more than their fields side by side.

use super::{Change, Edge, FEATURE, Feature, Field, INDEX, Index, PLAIN};

pub(super) const FEATURES: &[Feature] = &[INDEX_ONLY, OR_EMPTY, WHEN, FUNCTION, LOCAL, DECIMAL_KEY];

/// A field that is stored in the key of an index alone.
const INDEX_ONLY: Feature = Feature {
    name: "index_only",
    fields: &[Field {
        name: "booked",
        attributes: &["booked"],
        ty: "Option<String>",
        dyna: "#[dyna(key_only)]",
        make: "rng.option(Rng::word)",
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_booked",
        pk: &[("bookedPk", "B#<booked>", false)],
        sk: &[("bookedSk", "<n:05>", false)],
        query: "self.booked.clone().map(|booked| Thing::by_booked(booked))",
        ..INDEX
    }),
    parts: &[("booked", "self.booked.clone()")],
    changes: &[Change {
        name: "set a field in an index key alone",
        by_key: ".set_by_booked(new.booked.clone())",
        loaded: "",
        apply: "v.booked.clone_from(&new.booked)",
    }],
    edges: &[Edge {
        name: "empty text in an index key alone",
        point: 0,
        refused: true,
        apply: "v.booked = Some(String::new())",
    }],
    upsert: Some(".set_by_booked(self.booked.clone())"),
    ..FEATURE
};

/// A field that writes nothing where it has no value.
const OR_EMPTY: Feature = Feature {
    name: "or_empty",
    fields: &[Field {
        name: "shade",
        attributes: &["shade"],
        ty: "Option<String>",
        make: "rng.option(Rng::word)",
        stored: r#"item.option("shade", self.shade.as_deref().map(text));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_shade",
        pk: &[("shadePk", "S#<shade?>#", false)],
        sk: &[("shadeSk", "<n:05>#<shade?>", false)],
        query: "Some(Thing::by_shade(self.shade.clone()))",
        ..INDEX
    }),
    parts: &[("shade", "self.shade.clone()")],
    changes: &[Change {
        name: "set a field that may be empty in a key",
        by_key: ".set_by_shade(new.shade.clone())",
        loaded: ".set(Thing::SHADE, &new.shade)",
        apply: "v.shade.clone_from(&new.shade)",
    }],
    edges: &[Edge {
        name: "empty text where nothing stands for none",
        point: 0,
        refused: true,
        apply: "v.shade = Some(String::new())",
    }],
    upsert: Some(".set_by_shade(self.shade.clone())"),
    ..FEATURE
};

/// A field that decides whether an item is in an index.
const WHEN: Feature = Feature {
    name: "when",
    fields: &[Field {
        name: "is_live",
        attributes: &["isLive"],
        ty: "bool",
        make: "rng.option(|_| ()).is_some()",
        stored: r#"item.insert("isLive", Plain::Bool(self.is_live));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_live",
        pk: &[("livePk", "LIVE", false)],
        sk: &[("liveSk", "<n:05>", false)],
        when: "is_live",
        query: "self.is_live.then(|| Thing::by_live())",
        ..INDEX
    }),
    parts: &[("is_live", "self.is_live.then(String::new)")],
    changes: &[Change {
        name: "set the field that decides about an index",
        by_key: ".set_by_live(new.is_live)",
        loaded: ".set(Thing::IS_LIVE, new.is_live)",
        apply: "v.is_live = new.is_live",
    }],
    upsert: Some(".set_by_live(self.is_live)"),
    ..FEATURE
};

/// A function of two fields that leaves items out of an index.
const FUNCTION: Feature = Feature {
    name: "function",
    fields: &[
        Field {
            name: "level",
            attributes: &["level"],
            ty: "u32",
            make: "*rng.pick(&[0, 1, 2])",
            stored: r#"item.insert("level", number(self.level));"#,
            ..PLAIN
        },
        Field {
            name: "class",
            attributes: &["class"],
            ty: "Option<String>",
            make: "rng.option(Rng::word)",
            stored: r#"item.option("class", self.class.as_deref().map(text));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_rank",
        pk: &[(
            "rankPk",
            "R#<(level, class)|super::super::values::rank>",
            false,
        )],
        sk: &[("rankSk", "<n:05>", false)],
        query: "super::super::values::rank(&self.level, &self.class).map(|rank| Thing::by_rank(rank))",
        ..INDEX
    }),
    parts: &[(
        "(level, class)",
        "super::super::values::rank(&self.level, &self.class)",
    )],
    changes: &[
        Change {
            name: "set the fields of a function",
            by_key: ".set_by_rank(new.level, new.class.clone())",
            loaded: ".set(Thing::LEVEL, new.level).set(Thing::CLASS, &new.class)",
            apply: "{ v.level = new.level; v.class.clone_from(&new.class) }",
        },
        Change {
            name: "set one field of a function",
            by_key: "",
            loaded: ".set(Thing::CLASS, &new.class)",
            apply: "v.class.clone_from(&new.class)",
        },
    ],
    upsert: Some(".set_by_rank(self.level, self.class.clone())"),
    ..FEATURE
};

/// An index with the partition key of the table.
const LOCAL: Feature = Feature {
    name: "local",
    fields: &[Field {
        name: "size",
        attributes: &["size"],
        ty: "u32",
        make: "*rng.pick(&[0, 10, 999])",
        stored: r#"item.insert("size", number(self.size));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_size",
        sk: &[("sizeSk", "<size:03>", false)],
        local: true,
        query: "Some(Thing::by_size(self.id.clone()))",
        ..INDEX
    }),
    parts: &[("size", "Some(self.size.to_string())")],
    changes: &[Change {
        name: "set the sort key of a local index",
        by_key: ".set_by_size(new.size)",
        loaded: ".set(Thing::SIZE, new.size)",
        apply: "v.size = new.size",
    }],
    upsert: Some(".set_by_size(self.size)"),
    ..FEATURE
};

/// A number key that is no integer.
const DECIMAL_KEY: Feature = Feature {
    name: "decimal_key",
    fields: &[Field {
        name: "weight",
        attributes: &["weight"],
        ty: "Option<Decimal>",
        serde: r#"#[serde(default, with = "dyna_runtime::serde::decimal")]"#,
        make: "rng.option(|rng| *rng.pick(&[Decimal::new(1, 1), Decimal::new(-25, 1), Decimal::new(-3, 0), Decimal::new(1_025, 2)]))",
        stored: r#"item.option("weight", self.weight.map(number));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_weight",
        pk: &[("weightPk", "WEIGHTS", false)],
        sk: &[("weight", "<weight>", true)],
        query: "self.weight.map(|_| Thing::by_weight())",
        ..INDEX
    }),
    parts: &[("weight", "self.weight.map(|weight| weight.to_string())")],
    changes: &[Change {
        name: "set a number key that is no integer",
        by_key: ".set_by_weight(new.weight)",
        loaded: ".set(Thing::WEIGHT, new.weight)",
        apply: "v.weight = new.weight",
    }],
    upsert: Some(".set_by_weight(self.weight)"),
    ..FEATURE
};
