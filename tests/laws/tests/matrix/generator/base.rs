//! What every entity has: a key, an index of keys alone, text and a number.

use super::{Change, Edge, FEATURE, Feature, Field, INDEX, Index, PLAIN};

pub(super) const BASE: Feature = Feature {
    name: "base",
    fields: &[
        Field {
            name: "id",
            attributes: &["id"],
            make: r#"rng.pick(&["Ann", "ann", "Bob"]).to_string()"#,
            stored: r#"item.insert("id", text(&self.id));"#,
            ..PLAIN
        },
        Field {
            name: "n",
            attributes: &["n"],
            ty: "u32",
            make: "*rng.pick(&[0, 1, 7, 99_999])",
            stored: r#"item.insert("n", number(self.n));"#,
            ..PLAIN
        },
        Field {
            name: "note",
            attributes: &["note"],
            make: "rng.text()",
            stored: r#"item.insert("note", text(&self.note));"#,
            ..PLAIN
        },
        Field {
            name: "group",
            attributes: &["group"],
            make: "rng.word()",
            stored: r#"item.insert("group", text(&self.group));"#,
            ..PLAIN
        },
        Field {
            name: "count",
            attributes: &["count"],
            ty: "i64",
            make: "*rng.pick(&[0, -1, 9_007_199_254_740_993, -5])",
            stored: r#"item.insert("count", number(self.count));"#,
            ..PLAIN
        },
    ],
    index: Some(Index {
        accessor: "by_group",
        pk: &[("groupPk", "GROUP#<group>", false)],
        sk: &[("groupSk", "<n:05>", false)],
        whole: false,
        query: "Some(Thing::by_group(self.group.clone()))",
        ..INDEX
    }),
    parts: &[
        ("id", "Some(self.id.clone())"),
        ("n", "Some(self.n.to_string())"),
        ("group", "Some(self.group.clone())"),
    ],
    changes: &[
        Change {
            name: "set note",
            by_key: ".set(Thing::NOTE, &new.note)",
            loaded: ".set(Thing::NOTE, &new.note)",
            apply: "v.note.clone_from(&new.note)",
        },
        Change {
            name: "add to count",
            by_key: ".add(Thing::COUNT, 3)",
            loaded: ".add(Thing::COUNT, 3)",
            apply: "v.count += 3",
        },
        Change {
            name: "set count and group",
            by_key: ".set(Thing::COUNT, new.count).set_by_group(new.group.clone())",
            loaded: ".set(Thing::COUNT, new.count).set(Thing::GROUP, &new.group)",
            apply: "{ v.count = new.count; v.group.clone_from(&new.group) }",
        },
    ],
    edges: &[
        Edge {
            name: "empty text in a primary key",
            point: 0,
            refused: true,
            apply: "v.id.clear()",
        },
        Edge {
            name: "a number wider than its width in a primary key",
            point: 0,
            refused: true,
            apply: "v.n = 100_000",
        },
        Edge {
            name: "empty text in an index key",
            point: 0,
            refused: true,
            apply: "v.group.clear()",
        },
        Edge {
            name: "the delimiter in an index key",
            point: 0,
            refused: true,
            apply: "v.group.push('#')",
        },
        Edge {
            name: "the last character in an index key",
            point: 0,
            refused: true,
            apply: "v.group.push('\\u{10FFFF}')",
        },
        Edge {
            name: "empty text",
            point: 0,
            refused: false,
            apply: "v.note.clear()",
        },
    ],
    upsert: Some(
        ".set(Thing::NOTE, &self.note).set(Thing::COUNT, self.count).set_by_group(self.group.clone())",
    ),
    ..FEATURE
};
