//! Features of what Dyna fills in.

use super::{Change, Edge, FEATURE, Feature, Field, PLAIN};

pub(super) const FEATURES: &[Feature] = &[VERSION, TTL, UNIQUE, TIMES, SHARED_KEY];

/// Another entity has the same keys.
const SHARED_KEY: Feature = Feature {
    name: "shared_key",
    methods: r#"fn twin(&self) -> Option<Item> {
        let mut item = self.stored();
        item.insert("entityType", text("Twin"));
        Some(item)
    }"#,
    ..FEATURE
};

const VERSION: Feature = Feature {
    name: "version",
    fields: &[Field {
        name: "version",
        attributes: &["version"],
        ty: "u64",
        dyna: "#[dyna(version)]",
        make: "0",
        stored: r#"item.insert("version", number(self.version));"#,
        ..PLAIN
    }],
    edges: &[Edge {
        name: "the last version",
        point: 6,
        refused: true,
        apply: "v.version = u64::MAX",
    }],
    methods: "fn version(&mut self) -> Option<&mut u64> { Some(&mut self.version) }",
    ..FEATURE
};

const TTL: Feature = Feature {
    name: "ttl",
    fields: &[Field {
        name: "ends",
        attributes: &["ends"],
        ty: "Option<u64>",
        dyna: "#[dyna(ttl)]",
        make: "rng.option(|rng| *rng.pick(&[0, 500, 4_000_000_000]))",
        stored: r#"item.option("ends", self.ends.map(number)); item.option("ttl", self.ends.map(number));"#,
        ..PLAIN
    }],
    changes: &[
        Change {
            name: "set the time of expiry",
            by_key: ".set(Thing::ENDS, new.ends)",
            loaded: ".set(Thing::ENDS, new.ends)",
            apply: "v.ends = new.ends",
        },
        Change {
            name: "remove the time of expiry",
            by_key: ".remove(Thing::ENDS)",
            loaded: ".remove(Thing::ENDS)",
            apply: "v.ends = None",
        },
    ],
    upsert: Some(".set(Thing::ENDS, self.ends)"),
    methods: "fn ends(&self) -> Option<u64> { self.ends }",
    ..FEATURE
};

const UNIQUE: Feature = Feature {
    name: "unique",
    fields: &[
        Field {
            name: "code",
            attributes: &["code"],
            ty: "Option<String>",
            dyna: "#[dyna(unique)]",
            make: r#"rng.option(|rng| rng.pick(&["c1", "c2", "c#3", "É"]).to_string())"#,
            stored: r#"item.option("code", self.code.as_deref().map(text));"#,
            ..PLAIN
        },
        Field {
            name: "serial",
            attributes: &["serial"],
            ty: "Option<Decimal>",
            serde: r#"#[serde(default, with = "dyna_runtime::serde::decimal")]"#,
            dyna: "#[dyna(unique)]",
            make: "rng.option(Rng::serial)",
            stored: r#"item.option("serial", self.serial.map(number));"#,
        },
        Field {
            name: "badge",
            attributes: &["badge"],
            ty: "Option<String>",
            dyna: r#"#[dyna(unique(pk = "BADGE#<badge>", sk = "UNIQUE", tag = "Badge"))]"#,
            make: r#"rng.option(|rng| rng.pick(&["b1", "b2", "É"]).to_string())"#,
            stored: r#"item.option("badge", self.badge.as_deref().map(text));"#,
            ..PLAIN
        },
    ],
    changes: &[
        Change {
            name: "set unique text",
            by_key: "",
            loaded: ".set(Thing::CODE, &new.code)",
            apply: "v.code.clone_from(&new.code)",
        },
        Change {
            name: "set a unique number",
            by_key: "",
            loaded: ".set(Thing::SERIAL, new.serial)",
            apply: "v.serial = new.serial",
        },
        Change {
            name: "set unique text under a key that is declared",
            by_key: "",
            loaded: ".set(Thing::BADGE, &new.badge)",
            apply: "v.badge.clone_from(&new.badge)",
        },
    ],
    edges: &[
        Edge {
            name: "empty unique text",
            point: 0,
            refused: true,
            apply: "v.code = Some(String::new())",
        },
        Edge {
            name: "the delimiter in unique text under a key that is declared",
            point: 0,
            refused: true,
            apply: "v.badge = Some(\"b#\".to_owned())",
        },
        Edge {
            name: "a unique number with zeros at its end",
            point: 5,
            refused: false,
            apply: "v.serial = Some(Decimal::new(1_100, 3))",
        },
        Edge {
            name: "a unique zero below zero",
            point: 5,
            refused: false,
            apply: "v.serial = Some(-Decimal::new(0, 1))",
        },
    ],
    upsert: None,
    methods: r#"fn unique(&self) -> Vec<(&'static str, Plain)> {
            let code = self.code.as_deref().map(|code| ("code", text(code)));
            let badge = self.badge.as_deref().map(|badge| ("badge", text(badge)));
            let serial = self.serial.map(|serial| ("serial", number(serial)));
            code.into_iter().chain(serial).chain(badge).collect()
        }
        fn spell(&mut self, serial: Decimal) { self.serial = Some(serial); self.code = None; self.badge = None; }"#,
    ..FEATURE
};

const TIMES: Feature = Feature {
    name: "times",
    fields: &[
        Field {
            name: "created",
            attributes: &["created"],
            ty: "u64",
            dyna: "#[dyna(created_at)]",
            make: "7",
            stored: r#"item.insert("created", number(self.created));"#,
            ..PLAIN
        },
        Field {
            name: "updated",
            attributes: &["updated"],
            ty: "Timestamp",
            serde: r#"#[serde(with = "dyna_runtime::serde::rfc3339")]"#,
            dyna: "#[dyna(updated_at)]",
            make: "Timestamp::UNIX_EPOCH",
            stored: r#"item.insert("updated", text(&self.updated.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()));"#,
        },
    ],
    methods: "fn stamp(&mut self, millis: i64, is_new: bool) {
            self.updated = Timestamp::from_millisecond(millis).unwrap();
            if is_new { self.created = millis.try_into().unwrap(); }
        }
        fn keep_created(&mut self, old: &Self) { self.created = old.created; }",
    ..FEATURE
};
