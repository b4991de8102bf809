//! Features of keys and indexes.

use super::{Change, Edge, FEATURE, Feature, Field, INDEX, Index, PLAIN};

pub(super) const FEATURES: &[Feature] = &[
    NATIVE, KEY_ONLY, LOWER_KEY, REST, SPARSE, MULTI, NESTED, LOWER, SHARDS,
];

/// The partition key of the table, and an index whose key attributes are the fields themselves.
const NATIVE: Feature = Feature {
    name: "native",
    fields: &[
        Field {
            name: "game",
            attributes: &["game"],
            ty: "Option<String>",
            make: r##"rng.option(|rng| rng.word() + *rng.pick(&["", "#", "#b"]))"##,
            stored: r#"item.option("game", self.game.as_deref().map(text));"#,
            ..PLAIN
        },
        Field {
            name: "score",
            attributes: &["score"],
            ty: "i64",
            make: "*rng.pick(&[0, -1, i64::MAX, i64::MIN])",
            stored: r#"item.insert("score", number(self.score));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_native",
        pk: &[("game", "<game>", false)],
        sk: &[("score", "<score>", true)],
        whole: true,
        query: "self.game.clone().map(|game| Thing::by_native(game))",
        ..INDEX
    }),
    parts: &[
        ("game", "self.game.clone()"),
        ("score", "Some(self.score.to_string())"),
    ],
    changes: &[
        Change {
            name: "set a native sparse key",
            by_key: ".set(Thing::GAME, &new.game)",
            loaded: ".set(Thing::GAME, &new.game)",
            apply: "v.game.clone_from(&new.game)",
        },
        Change {
            name: "remove a native sparse key",
            by_key: ".remove(Thing::GAME)",
            loaded: ".remove(Thing::GAME)",
            apply: "v.game = None",
        },
        Change {
            name: "set a native index",
            by_key: ".set_by_native(new.game.clone(), new.score)",
            loaded: ".set(Thing::GAME, &new.game).set(Thing::SCORE, new.score)",
            apply: "{ v.game.clone_from(&new.game); v.score = new.score }",
        },
    ],
    edges: &[
        Edge {
            name: "empty text in a native key",
            point: 0,
            refused: true,
            apply: "v.game = Some(String::new())",
        },
        Edge {
            name: "the delimiter in a native index key",
            point: 0,
            refused: false,
            apply: "v.game = Some(\"#a#\".to_owned())",
        },
        Edge {
            name: "the delimiter in the native primary key of a shared table",
            point: 0,
            refused: true,
            apply: "v.id.push('#')",
        },
    ],
    upsert: Some(".set(Thing::GAME, &self.game).set(Thing::SCORE, self.score)"),
    ..FEATURE
};

/// `n` is stored in the sort key alone.
const KEY_ONLY: Feature = Feature {
    name: "key_only",
    ..FEATURE
};

/// The partition key does not give `id` back as it is.
const LOWER_KEY: Feature = Feature {
    name: "lower_key",
    ..FEATURE
};

/// The sort key ends with text that may contain the delimiter.
const REST: Feature = Feature {
    name: "rest",
    fields: &[Field {
        name: "path",
        attributes: &["path"],
        make: r##"rng.pick(&["a", "a#b", "é#", "#"]).to_string()"##,
        stored: r#"item.insert("path", text(&self.path));"#,
        ..PLAIN
    }],
    parts: &[("path", "Some(self.path.clone())")],
    edges: &[Edge {
        name: "an empty rest of a key",
        point: 0,
        refused: true,
        apply: "v.path.clear()",
    }],
    ..FEATURE
};

const SPARSE: Feature = Feature {
    name: "sparse",
    fields: &[Field {
        name: "owner",
        attributes: &["owner"],
        ty: "Option<String>",
        make: "rng.option(Rng::word)",
        stored: r#"item.option("owner", self.owner.as_deref().map(text));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_owner",
        pk: &[("ownerPk", "OWNER#<owner>", false)],
        sk: &[("ownerSk", "N#<n:05>", false)],
        whole: true,
        query: "self.owner.clone().map(|owner| Thing::by_owner(owner))",
        ..INDEX
    }),
    parts: &[("owner", "self.owner.clone()")],
    changes: &[Change {
        name: "set a sparse index",
        by_key: ".set_by_owner(new.owner.clone())",
        loaded: ".set(Thing::OWNER, &new.owner)",
        apply: "v.owner.clone_from(&new.owner)",
    }],
    edges: &[Edge {
        name: "empty text in a sparse key",
        point: 0,
        refused: true,
        apply: "v.owner = Some(String::new())",
    }],
    upsert: Some(".set_by_owner(self.owner.clone())"),
    ..FEATURE
};

/// Two attributes in each half of the key, one of each native.
const MULTI: Feature = Feature {
    name: "multi",
    fields: &[
        Field {
            name: "cup",
            attributes: &["cup"],
            make: "rng.word()",
            stored: r#"item.insert("cup", text(&self.cup));"#,
            ..PLAIN
        },
        Field {
            name: "region",
            attributes: &["region"],
            ty: "Option<String>",
            make: "rng.option(Rng::word)",
            stored: r#"item.option("region", self.region.as_deref().map(text));"#,
            ..PLAIN
        },
        Field {
            name: "round",
            attributes: &["round"],
            ty: "i32",
            make: "*rng.pick(&[0, -1, 2, i32::MAX, i32::MIN])",
            stored: r#"item.insert("round", number(self.round));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_multi",
        pk: &[("cup", "<cup>", false), ("regionKey", "R#<region>", false)],
        sk: &[("round", "<round>", true), ("multiSk", "N#<n:05>", false)],
        whole: true,
        query: "self.region.clone().map(|region| Thing::by_multi(self.cup.clone(), region))",
        ..INDEX
    }),
    parts: &[
        ("cup", "Some(self.cup.clone())"),
        ("region", "self.region.clone()"),
        ("round", "Some(self.round.to_string())"),
    ],
    changes: &[
        Change {
            name: "set an index of several attributes",
            by_key: ".set_by_multi(new.cup.clone(), new.region.clone(), new.round)",
            loaded: ".set(Thing::CUP, &new.cup).set(Thing::REGION, &new.region).set(Thing::ROUND, new.round)",
            apply: "{ v.cup.clone_from(&new.cup); v.region.clone_from(&new.region); v.round = new.round }",
        },
        Change {
            name: "set one attribute of an index of several",
            by_key: "",
            loaded: ".set(Thing::REGION, &new.region)",
            apply: "v.region.clone_from(&new.region)",
        },
        Change {
            name: "set the number of an index of several attributes",
            by_key: "",
            loaded: ".set(Thing::ROUND, new.round)",
            apply: "v.round = new.round",
        },
    ],
    edges: &[
        Edge {
            name: "empty text in one of several key attributes",
            point: 0,
            refused: true,
            apply: r#"{ v.cup.clear(); v.region = Some("r".to_owned()) }"#,
        },
        Edge {
            name: "empty text in a native key attribute of an item that is not in the index",
            point: 103,
            refused: true,
            apply: "{ v.cup.clear(); v.region = None }",
        },
    ],
    upsert: Some(".set_by_multi(self.cup.clone(), self.region.clone(), self.round)"),
    ..FEATURE
};

const NESTED: Feature = Feature {
    name: "nested",
    fields: &[Field {
        name: "addr",
        attributes: &["addr"],
        ty: "Addr",
        make: "Addr::make(rng)",
        stored: r#"item.insert("addr", self.addr.stored());"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_city",
        pk: &[("cityPk", "CITY#<addr.city>", false)],
        sk: &[("citySk", "<addr.zip_code:05>", false)],
        whole: true,
        query: "Some(Thing::by_city(self.addr.city.clone()))",
        ..INDEX
    }),
    parts: &[
        ("addr.city", "Some(self.addr.city.clone())"),
        ("addr.zip_code", "Some(self.addr.zip_code.to_string())"),
    ],
    changes: &[
        Change {
            name: "set an index of nested fields",
            by_key: ".set_by_city(new.addr.city.clone(), new.addr.zip_code)",
            loaded: ".set(Thing::ADDR.field(Addr::CITY), &new.addr.city).set(Thing::ADDR.field(Addr::ZIP_CODE), new.addr.zip_code)",
            apply: "{ v.addr.city.clone_from(&new.addr.city); v.addr.zip_code = new.addr.zip_code }",
        },
        Change {
            name: "set a nested field beside a key",
            by_key: ".set(Thing::ADDR.field(Addr::LINE), &new.addr.line)",
            loaded: ".set(Thing::ADDR.field(Addr::LINE), &new.addr.line)",
            apply: "v.addr.line.clone_from(&new.addr.line)",
        },
        Change {
            name: "set a nested field of a key",
            by_key: "",
            loaded: ".set(Thing::ADDR.field(Addr::CITY), &new.addr.city)",
            apply: "v.addr.city.clone_from(&new.addr.city)",
        },
        Change {
            name: "set a struct that a key is made of",
            by_key: "",
            loaded: ".set(Thing::ADDR, &new.addr)",
            apply: "v.addr.clone_from(&new.addr)",
        },
    ],
    edges: &[Edge {
        name: "the delimiter in a nested key",
        point: 0,
        refused: true,
        apply: "v.addr.city.push('#')",
    }],
    upsert: None,
    ..FEATURE
};

const LOWER: Feature = Feature {
    name: "lower",
    fields: &[Field {
        name: "mail",
        attributes: &["mail"],
        make: r#"rng.pick(&["Ann@X", "ann@x", "ÉVE"]).to_string()"#,
        stored: r#"item.insert("mail", text(&self.mail));"#,
        ..PLAIN
    }],
    index: Some(Index {
        accessor: "by_mail",
        pk: &[("mailPk", "MAIL#<mail|lower>", false)],
        sk: &[("mailSk", "<n:05>", false)],
        whole: true,
        query: "Some(Thing::by_mail(self.mail.to_uppercase()))",
        ..INDEX
    }),
    parts: &[("mail", "Some(self.mail.clone())")],
    changes: &[Change {
        name: "set an index with a function",
        by_key: ".set_by_mail(new.mail.clone())",
        loaded: ".set(Thing::MAIL, &new.mail)",
        apply: "v.mail.clone_from(&new.mail)",
    }],
    edges: &[Edge {
        name: "empty text under a function",
        point: 0,
        refused: true,
        apply: "v.mail.clear()",
    }],
    upsert: Some(".set_by_mail(self.mail.clone())"),
    ..FEATURE
};

const SHARDS: Feature = Feature {
    name: "shards",
    fields: &[
        Field {
            name: "family",
            attributes: &["family"],
            make: "rng.word()",
            stored: r#"item.insert("family", text(&self.family));"#,
            ..PLAIN
        },
        Field {
            name: "seed",
            attributes: &["seed"],
            make: "rng.next().to_string()",
            stored: r#"item.insert("seed", text(&self.seed));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_family",
        pk: &[("familyPk", "F#<family>#<seed|shard(4)>", false)],
        sk: &[("familySk", "<n:05>", false)],
        whole: true,
        query: "Some(Thing::by_family_many([self.family.clone()]))",
        ..INDEX
    }),
    parts: &[
        ("family", "Some(self.family.clone())"),
        ("seed", "Some(self.seed.clone())"),
    ],
    changes: &[
        Change {
            name: "set an index with shards",
            by_key: ".set_by_family(new.family.clone(), new.seed.clone())",
            loaded: ".set(Thing::FAMILY, &new.family).set(Thing::SEED, &new.seed)",
            apply: "{ v.family.clone_from(&new.family); v.seed.clone_from(&new.seed) }",
        },
        Change {
            name: "set the field of a shard",
            by_key: "",
            loaded: ".set(Thing::SEED, &new.seed)",
            apply: "v.seed.clone_from(&new.seed)",
        },
    ],
    edges: &[],
    upsert: Some(".set_by_family(self.family.clone(), self.seed.clone())"),
    ..FEATURE
};
