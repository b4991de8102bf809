//! Features of the encoding of fields.

use super::{Change, Edge, FEATURE, Feature, Field, PLAIN};

pub(super) const FEATURES: &[Feature] = &[
    // serde gives a map all that no field before it has taken.
    FLAT_STRUCT,
    FLAT_MAP,
    TAGGED,
    WITH,
    ALIAS,
    DECIMAL,
    SETS,
    BYTES,
    OPTION,
    NULLS,
];

const FLAT_MAP: Feature = Feature {
    name: "flat_map",
    fields: &[Field {
        name: "extra",
        ty: "BTreeMap<String, Any>",
        serde: "#[serde(flatten)]",
        make: "rng.extra()",
        stored: "for (name, value) in &self.extra { item.insert(name, value.stored()); }",
        ..PLAIN
    }],
    edges: &[
        Edge {
            name: "a long decimal in a flattened map",
            point: 2,
            refused: false,
            apply: r#"{ v.extra.insert("x1".to_owned(), Any::Amount(LONG)); }"#,
        },
        Edge {
            name: "an entry without a name",
            point: 27,
            refused: true,
            apply: "{ v.extra.insert(String::new(), Any::Amount(LONG)); }",
        },
    ],
    methods: "fn extra(&mut self) -> Option<&mut BTreeMap<String, Any>> { Some(&mut self.extra) }",
    ..FEATURE
};

const FLAT_STRUCT: Feature = Feature {
    name: "flat_struct",
    fields: &[Field {
        name: "inner",
        attributes: &["left", "right", "netAmount"],
        ty: "Inner",
        serde: "#[serde(flatten)]",
        make: "Inner::make(rng)",
        stored: "self.inner.store(&mut item);",
        ..PLAIN
    }],
    edges: &[Edge {
        name: "a long decimal in a flattened struct",
        point: 2,
        refused: false,
        apply: "v.inner.net_amount = LONG",
    }],
    upsert: None,
    ..FEATURE
};

const TAGGED: Feature = Feature {
    name: "tagged",
    fields: &[Field {
        name: "shape",
        attributes: &["shape"],
        ty: "Shape",
        make: "Shape::make(rng)",
        stored: r#"item.insert("shape", self.shape.stored());"#,
        ..PLAIN
    }],
    changes: &[Change {
        name: "set a tagged enum",
        by_key: ".set(Thing::SHAPE, &new.shape)",
        loaded: ".set(Thing::SHAPE, &new.shape)",
        apply: "v.shape.clone_from(&new.shape)",
    }],
    edges: &[Edge {
        name: "a long decimal in a tagged enum",
        point: 2,
        refused: false,
        apply: "v.shape = Shape::Circle { radius: LONG }",
    }],
    upsert: Some(".set(Thing::SHAPE, &self.shape)"),
    ..FEATURE
};

const WITH: Feature = Feature {
    name: "with",
    fields: &[Field {
        name: "hex_codes",
        attributes: &["hexCodes"],
        ty: "Vec<u8>",
        serde: r#"#[serde(with = "super::hex")]"#,
        make: "rng.bytes()",
        stored: r#"item.insert("hexCodes", text(&hex::text(&self.hex_codes)));"#,
        ..PLAIN
    }],
    changes: &[Change {
        name: "set a field with an encoding of its own",
        by_key: ".set(Thing::HEX_CODES, &new.hex_codes)",
        loaded: ".set(Thing::HEX_CODES, &new.hex_codes)",
        apply: "v.hex_codes.clone_from(&new.hex_codes)",
    }],
    upsert: Some(".set(Thing::HEX_CODES, &self.hex_codes)"),
    ..FEATURE
};

const ALIAS: Feature = Feature {
    name: "alias",
    fields: &[Field {
        name: "title",
        attributes: &["title"],
        serde: r#"#[serde(alias = "oldTitle")]"#,
        make: "rng.text()",
        stored: r#"item.insert("title", text(&self.title));"#,
        ..PLAIN
    }],
    changes: &[Change {
        name: ALIASED,
        by_key: ".set(Thing::TITLE, &new.title)",
        loaded: ".set(Thing::TITLE, &new.title)",
        apply: "v.title.clone_from(&new.title)",
    }],
    upsert: Some(".set(Thing::TITLE, &self.title)"),
    methods: r#"const ALIAS: Option<(&'static str, &'static str)> = Some(("title", "oldTitle"));"#,
    ..FEATURE
};

/// The change that the probe of aliases makes.
const ALIASED: &str = "set a field with an alias";

const DECIMAL: Feature = Feature {
    name: "decimal",
    fields: &[
        Field {
            name: "amount",
            attributes: &["amount"],
            ty: "Decimal",
            serde: r#"#[serde(with = "dyna_runtime::serde::decimal")]"#,
            make: "rng.decimal()",
            stored: r#"item.insert("amount", number(self.amount));"#,
            ..PLAIN
        },
        Field {
            name: "opt_amount",
            attributes: &["optAmount"],
            ty: "Option<Decimal>",
            serde: r#"#[serde(default, with = "dyna_runtime::serde::decimal")]"#,
            make: "rng.option(Rng::decimal)",
            stored: r#"item.option("optAmount", self.opt_amount.map(number));"#,
            ..PLAIN
        },
    ],
    changes: &[
        Change {
            name: "set a decimal",
            by_key: ".set(Thing::AMOUNT, new.amount)",
            loaded: ".set(Thing::AMOUNT, new.amount)",
            apply: "v.amount = new.amount",
        },
        Change {
            name: "set an optional decimal",
            by_key: ".set(Thing::OPT_AMOUNT, new.opt_amount)",
            loaded: ".set(Thing::OPT_AMOUNT, new.opt_amount)",
            apply: "v.opt_amount = new.opt_amount",
        },
    ],
    edges: &[
        Edge {
            name: "the largest decimal",
            point: 0,
            refused: false,
            apply: "v.amount = Decimal::MAX",
        },
        Edge {
            name: "the smallest decimal",
            point: 0,
            refused: false,
            apply: "v.amount = Decimal::from_i128_with_scale(-1, 28)",
        },
        Edge {
            name: "a decimal zero below zero",
            point: 0,
            refused: false,
            apply: "v.amount = -Decimal::new(0, 2)",
        },
    ],
    upsert: Some(".set(Thing::AMOUNT, self.amount).set(Thing::OPT_AMOUNT, self.opt_amount)"),
    methods: "fn above<'a>(&self, db: &'a Table<Tab>) -> Option<(ResponseFuture<'a, Vec<Self>>, fn(&Self, &Self) -> bool)> {
            let above = Thing::scan().filter(Thing::AMOUNT.gt(self.amount)).all(db);
            Some((above, |one, other| one.amount > other.amount))
        }",
    ..FEATURE
};

const SETS: Feature = Feature {
    name: "sets",
    fields: &[
        Field {
            name: "tags",
            attributes: &["tags"],
            ty: "BTreeSet<String>",
            serde: r#"#[serde(default, with = "dyna_runtime::serde::string_set", skip_serializing_if = "BTreeSet::is_empty")]"#,
            make: "rng.set(Rng::word)",
            stored: r#"item.option("tags", strings(&self.tags));"#,
            ..PLAIN
        },
        Field {
            name: "lucky",
            attributes: &["lucky"],
            ty: "BTreeSet<i64>",
            serde: r#"#[serde(default, with = "dyna_runtime::serde::number_set", skip_serializing_if = "BTreeSet::is_empty")]"#,
            make: "rng.set(|rng| *rng.pick(&[0, -7, i64::MAX]))",
            stored: r#"item.option("lucky", numbers(&self.lucky));"#,
            ..PLAIN
        },
        Field {
            name: "keys",
            attributes: &["keys"],
            ty: "BTreeSet<ByteBuf>",
            serde: r#"#[serde(default, with = "dyna_runtime::serde::binary_set", skip_serializing_if = "BTreeSet::is_empty")]"#,
            make: "rng.set(|rng| ByteBuf::from(vec![*rng.pick(&[0, 1, 255])]))",
            stored: r#"item.option("keys", binaries(&self.keys));"#,
            ..PLAIN
        },
        Field {
            name: "labels",
            attributes: &["labels"],
            ty: "Vec<String>",
            make: "vec![rng.word(), rng.text()]",
            stored: r#"item.insert("labels", list(self.labels.iter().map(|one| text(one))));"#,
            ..PLAIN
        },
    ],
    changes: &[
        Change {
            name: "set sets",
            by_key: ".set(Thing::TAGS, full(&new.tags, \"t\".to_owned())).set(Thing::LUCKY, full(&new.lucky, 3))",
            loaded: ".set(Thing::TAGS, full(&new.tags, \"t\".to_owned())).set(Thing::LUCKY, full(&new.lucky, 3))",
            apply: "{ v.tags = full(&new.tags, \"t\".to_owned()); v.lucky = full(&new.lucky, 3) }",
        },
        Change {
            name: "insert into sets",
            by_key: ".add_elements(Thing::TAGS, full(&new.tags, \"t\".to_owned())).add_elements(Thing::KEYS, full(&new.keys, ByteBuf::from([9])))",
            loaded: ".add_elements(Thing::TAGS, full(&new.tags, \"t\".to_owned())).add_elements(Thing::KEYS, full(&new.keys, ByteBuf::from([9])))",
            apply: "{ v.tags.extend(full(&new.tags, \"t\".to_owned())); v.keys.extend(full(&new.keys, ByteBuf::from([9]))) }",
        },
        Change {
            name: "delete from sets",
            by_key: ".delete_elements(Thing::LUCKY, full(&new.lucky, 3)).delete_elements(Thing::KEYS, full(&new.keys, ByteBuf::from([9])))",
            loaded: ".delete_elements(Thing::LUCKY, full(&new.lucky, 3)).delete_elements(Thing::KEYS, full(&new.keys, ByteBuf::from([9])))",
            apply: "{ v.lucky = &v.lucky - &full(&new.lucky, 3); v.keys = &v.keys - &full(&new.keys, ByteBuf::from([9])) }",
        },
        Change {
            name: "append to and prepend a list",
            by_key: ".append(Thing::LABELS, new.labels.clone())",
            loaded: ".append(Thing::LABELS, new.labels.clone())",
            apply: "v.labels.extend(new.labels.iter().cloned())",
        },
        Change {
            name: "set a list",
            by_key: ".set(Thing::LABELS, &new.labels)",
            loaded: ".set(Thing::LABELS, &new.labels)",
            apply: "v.labels.clone_from(&new.labels)",
        },
    ],
    edges: &[],
    upsert: Some(
        ".set(Thing::TAGS, full(&self.tags, \"t\".to_owned())).set(Thing::LUCKY, full(&self.lucky, 3)).set(Thing::KEYS, full(&self.keys, ByteBuf::from([9]))).set(Thing::LABELS, &self.labels)",
    ),
    methods: r#"const PLAIN_LIST: Option<&'static str> = Some("labels");
        fn full(&mut self) { self.tags = full(&self.tags, "t".to_owned()); self.lucky = full(&self.lucky, 3); self.keys = full(&self.keys, ByteBuf::from([9])); }"#,
    ..FEATURE
};

const BYTES: Feature = Feature {
    name: "bytes",
    fields: &[
        Field {
            name: "blob",
            attributes: &["blob"],
            ty: "Vec<u8>",
            serde: r#"#[serde(with = "serde_bytes")]"#,
            make: "rng.bytes()",
            stored: r#"item.insert("blob", bytes(&self.blob));"#,
            ..PLAIN
        },
        Field {
            name: "opt_blob",
            attributes: &["optBlob"],
            ty: "Option<ByteBuf>",
            make: "rng.option(|rng| ByteBuf::from(rng.bytes()))",
            stored: r#"item.option("optBlob", self.opt_blob.as_ref().map(|one| bytes(one)));"#,
            ..PLAIN
        },
    ],
    changes: &[Change {
        name: "set bytes",
        by_key: ".set(Thing::BLOB, &new.blob).set(Thing::OPT_BLOB, &new.opt_blob)",
        loaded: ".set(Thing::BLOB, &new.blob).set(Thing::OPT_BLOB, &new.opt_blob)",
        apply: "{ v.blob.clone_from(&new.blob); v.opt_blob.clone_from(&new.opt_blob) }",
    }],
    edges: &[Edge {
        name: "no bytes",
        point: 0,
        refused: false,
        apply: "v.blob.clear()",
    }],
    upsert: Some(".set(Thing::BLOB, &self.blob).set(Thing::OPT_BLOB, &self.opt_blob)"),
    ..FEATURE
};

const OPTION: Feature = Feature {
    name: "option",
    fields: &[
        Field {
            name: "maybe",
            attributes: &["maybe"],
            ty: "Option<String>",
            make: "rng.option(Rng::text)",
            stored: r#"item.option("maybe", self.maybe.as_deref().map(text));"#,
            ..PLAIN
        },
        Field {
            name: "some_of",
            attributes: &["someOf"],
            ty: "Vec<Option<i64>>",
            make: "vec![rng.option(|_| 1), rng.option(|_| i64::MIN)]",
            stored: r#"item.insert("someOf", list(self.some_of.iter().map(|one| one.map_or(Plain::Null, number))));"#,
            ..PLAIN
        },
        Field {
            name: "deep",
            attributes: &["deep"],
            ty: "Option<Deep>",
            make: "rng.option(Deep::make)",
            stored: r#"item.option("deep", self.deep.as_ref().map(Deep::stored));"#,
            ..PLAIN
        },
    ],
    changes: &[
        Change {
            name: "set an option",
            by_key: ".set(Thing::MAYBE, &new.maybe)",
            loaded: ".set(Thing::MAYBE, &new.maybe)",
            apply: "v.maybe.clone_from(&new.maybe)",
        },
        Change {
            name: "remove an option",
            by_key: ".remove(Thing::MAYBE)",
            loaded: ".remove(Thing::MAYBE)",
            apply: "v.maybe = None",
        },
        Change {
            name: "set a list and a struct of options",
            by_key: ".set(Thing::SOME_OF, &new.some_of).set(Thing::DEEP, &new.deep)",
            loaded: ".set(Thing::SOME_OF, &new.some_of).set(Thing::DEEP, &new.deep)",
            apply: "{ v.some_of.clone_from(&new.some_of); v.deep.clone_from(&new.deep) }",
        },
    ],
    edges: &[Edge {
        name: "a struct of nothing",
        point: 0,
        refused: false,
        apply: "v.deep = Some(Deep::default())",
    }],
    upsert: Some(
        ".set(Thing::MAYBE, &self.maybe).set(Thing::SOME_OF, &self.some_of).set(Thing::DEEP, &self.deep)",
    ),
    methods: r#"const OPTIONS: &'static [&'static str] = &["maybe", "deep"];
        fn missing(db: &Table<Tab>) -> Option<[ResponseFuture<'_, Vec<Self>>; 2]> {
            let missing = Thing::scan().filter(Thing::MAYBE.missing()).all(db);
            Some([missing, Thing::scan().filter(Thing::MAYBE.exists()).all(db)])
        }
        fn is_missing(&self) -> bool { self.maybe.is_none() }"#,
    ..FEATURE
};

/// An option that is stored as NULL, also inside of it.
const NULLS: Feature = Feature {
    name: "nulls",
    fields: &[Field {
        name: "void",
        attributes: &["void"],
        ty: "Option<i64>",
        dyna: "#[dyna(nulls = \"store\")]",
        make: "rng.option(|rng| *rng.pick(&[0, -7, i64::MAX]))",
        stored: r#"item.insert("void", self.void.map_or(Plain::Null, number));"#,
        ..PLAIN
    }],
    changes: &[Change {
        name: "set an option that is stored as NULL",
        by_key: ".set(Thing::VOID, new.void)",
        loaded: ".set(Thing::VOID, new.void)",
        apply: "v.void = new.void",
    }],
    upsert: Some(".set(Thing::VOID, self.void)"),
    ..FEATURE
};
