//! Features of templates.

use super::{Change, Edge, FEATURE, Feature, Field, INDEX, Index, PLAIN};

pub(super) const FEATURES: &[Feature] = &[PLAIN_NUMBER, CHAIN, SHARDS_BY, BESIDE, DELIMITER];

/// A number without zeros in front, in both halves of a key.
const PLAIN_NUMBER: Feature = Feature {
    name: "plain_number",
    fields: &[
        Field {
            name: "lot",
            attributes: &["lot"],
            ty: "u32",
            make: "*rng.pick(&[0, 1, 10, u32::MAX])",
            stored: r#"item.insert("lot", number(self.lot));"#,
            ..PLAIN
        },
        Field {
            name: "bid",
            attributes: &["bid"],
            ty: "Option<u8>",
            make: "rng.option(|rng| *rng.pick(&[0, 9, 10, 255]))",
            stored: r#"item.option("bid", self.bid.map(number));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_lot",
        pk: &[("lotPk", "LOT#<lot:plain>", false)],
        sk: &[("lotSk", "v<bid:plain>.<n:05>", false)],
        whole: true,
        query: "self.bid.map(|_| Thing::by_lot(self.lot))",
        ..INDEX
    }),
    parts: &[
        ("lot", "Some(self.lot.to_string())"),
        ("bid", "self.bid.map(|bid| bid.to_string())"),
    ],
    changes: &[
        Change {
            name: "set an index of plain numbers",
            by_key: ".set_by_lot(new.lot, new.bid)",
            loaded: ".set(Thing::LOT, new.lot).set(Thing::BID, new.bid)",
            apply: "{ v.lot = new.lot; v.bid = new.bid }",
        },
        Change {
            name: "set one plain number of an index",
            by_key: "",
            loaded: ".set(Thing::LOT, new.lot)",
            apply: "v.lot = new.lot",
        },
    ],
    upsert: Some(".set_by_lot(self.lot, self.bid)"),
    ..FEATURE
};

/// Functions in a row.
const CHAIN: Feature = Feature {
    name: "chain",
    fields: &[Field {
        name: "label",
        attributes: &["label"],
        ty: "Option<String>",
        make: r#"rng.option(|rng| rng.pick(&[" Ann ", "ann", "ÉVE\t", "b B"]).to_string())"#,
        stored: r#"item.option("label", self.label.as_deref().map(text));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_label",
        pk: &[("labelPk", "LABEL#<label|trim|lower>", false)],
        sk: &[("labelSk", "<n:05>#<label|upper|trim>", false)],
        whole: true,
        query: "self.label.as_deref().map(|label| Thing::by_label(format!(\"  {}\", label.to_uppercase())))",
        ..INDEX
    }),
    parts: &[("label", "self.label.clone()")],
    changes: &[Change {
        name: "set an index with functions in a row",
        by_key: ".set_by_label(new.label.clone())",
        loaded: ".set(Thing::LABEL, &new.label)",
        apply: "v.label.clone_from(&new.label)",
    }],
    edges: &[
        Edge {
            name: "white space alone under `trim`",
            point: 0,
            refused: true,
            apply: "v.label = Some(\" \".to_owned())",
        },
        Edge {
            name: "the delimiter under functions in a row",
            point: 0,
            refused: true,
            apply: "v.label = Some(\" # \".to_owned())",
        },
    ],
    upsert: Some(".set_by_label(self.label.clone())"),
    ..FEATURE
};

/// Buckets of a function of one's own.
const SHARDS_BY: Feature = Feature {
    name: "shards_by",
    fields: &[Field {
        name: "probe",
        attributes: &["probe"],
        make: "rng.word()",
        stored: r#"item.insert("probe", text(&self.probe));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_probe",
        pk: &[(
            "probePk",
            "P#<probe|shard(12, with = crate::matrix::values::bucket)>",
            false,
        )],
        sk: &[("probeSk", "<n:05>", false)],
        whole: true,
        query: "Some(Thing::by_probe_many())",
        ..INDEX
    }),
    parts: &[("probe", "Some(self.probe.clone())")],
    changes: &[Change {
        name: "set an index with buckets of one's own",
        by_key: ".set_by_probe(new.probe.clone())",
        loaded: ".set(Thing::PROBE, &new.probe)",
        apply: "v.probe.clone_from(&new.probe)",
    }],
    edges: &[Edge {
        name: "a bucket that there is not",
        point: 0,
        refused: true,
        apply: "v.probe = \"far too long for a bucket\".to_owned()",
    }],
    upsert: Some(".set_by_probe(self.probe.clone())"),
    ..FEATURE
};

/// Text and a rest before parts of a fixed width.
const BESIDE: Feature = Feature {
    name: "beside",
    fields: &[
        Field {
            name: "shelf",
            attributes: &["shelf"],
            make: r#"rng.pick(&["a", "a0", "a00", "é"]).to_string()"#,
            stored: r#"item.insert("shelf", text(&self.shelf));"#,
            ..PLAIN
        },
        Field {
            name: "lane",
            attributes: &["lane"],
            make: r##"rng.pick(&["a", "a#b", "#a", "a#"]).to_string()"##,
            stored: r#"item.insert("lane", text(&self.lane));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_lane",
        pk: &[("lanePk", "LANE#<lane..>#<n:05>", false)],
        sk: &[("laneSk", "<shelf><n:05>", false)],
        whole: true,
        query: "Some(Thing::by_lane(self.lane.clone(), self.n))",
        ..INDEX
    }),
    parts: &[
        ("shelf", "Some(self.shelf.clone())"),
        ("lane", "Some(self.lane.clone())"),
    ],
    changes: &[
        Change {
            name: "set an index of parts side by side",
            by_key: ".set_by_lane(new.lane.clone(), new.shelf.clone())",
            loaded: ".set(Thing::LANE, &new.lane).set(Thing::SHELF, &new.shelf)",
            apply: "{ v.lane.clone_from(&new.lane); v.shelf.clone_from(&new.shelf) }",
        },
        Change {
            name: "set text beside a number",
            by_key: "",
            loaded: ".set(Thing::SHELF, &new.shelf)",
            apply: "v.shelf.clone_from(&new.shelf)",
        },
    ],
    edges: &[
        Edge {
            name: "the delimiter in text beside a number",
            point: 0,
            refused: true,
            apply: "v.shelf.push('#')",
        },
        Edge {
            name: "an empty rest before a number",
            point: 0,
            refused: true,
            apply: "v.lane.clear()",
        },
    ],
    upsert: Some(".set_by_lane(self.lane.clone(), self.shelf.clone())"),
    ..FEATURE
};

/// An index whose keys are split at another delimiter.
const DELIMITER: Feature = Feature {
    name: "delimiter",
    fields: &[Field {
        name: "route",
        attributes: &["route"],
        make: r##"rng.pick(&["a", "a#b", "#", "|a#", "é"]).to_string()"##,
        stored: r#"item.insert("route", text(&self.route));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_route",
        pk: &[("routePk", "R/<route>/<n:05>", false)],
        sk: &[("routeSk", "<n:05>/<route>", false)],
        whole: true,
        delimiter: "/",
        query: "Some(Thing::by_route(self.route.clone(), self.n))",
        ..INDEX
    }),
    parts: &[("route", "Some(self.route.clone())")],
    changes: &[Change {
        name: "set an index with another delimiter",
        by_key: ".set_by_route(new.route.clone())",
        loaded: ".set(Thing::ROUTE, &new.route)",
        apply: "v.route.clone_from(&new.route)",
    }],
    edges: &[Edge {
        name: "the delimiter of an index",
        point: 0,
        refused: true,
        apply: "v.route.push('/')",
    }],
    upsert: Some(".set_by_route(self.route.clone())"),
    ..FEATURE
};
