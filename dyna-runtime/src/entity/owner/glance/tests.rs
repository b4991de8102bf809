//! What a glance tells agrees with the parser.

use super::*;
use crate::shape::{self, CROCKFORD, DIGIT, Field, HEX, byte, lit, mixed, part};

const UUID: &[Run] = &[
    run(HEX, 8),
    byte(b'-'),
    run(HEX, 4),
    byte(b'-'),
    run(HEX, 12),
];

const FIELDS: &[&[Field]] = &[
    &[
        lit("MSG"),
        part("at", Shape::Digits(13)),
        part("id", Shape::Text),
    ],
    &[lit("E"), part("at", Shape::Digits(2))],
    &[lit("E"), part("at", Shape::Fixed(UUID))],
    &[lit("E"), part("at", Shape::Fixed(&[run(CROCKFORD, 3)]))],
    &[lit("E"), part("at", Shape::Fixed(&[run(DIGIT, 60)]))],
    &[part("a", Shape::Text), part("b", Shape::Digits(1))],
    &[part("a", Shape::Text), lit("Z")],
    &[lit("E"), part("b", Shape::Rest)],
    &[part("b", Shape::Opaque)],
    &[part("b", Shape::Number(3))],
    &[part("b", Shape::Sized(2)), lit("E")],
    &[part("b", Shape::OneOf(&["E", "EE"])), lit("E")],
    &[mixed(&[
        Seg::Lit("E"),
        Seg::Part(Part::new("b", Shape::Text)),
    ])],
    &[
        mixed(&[
            Seg::Lit("E"),
            Seg::Part(Part::new("b", Shape::Digits(1))),
            Seg::Lit("x"),
        ]),
        lit("Z"),
    ],
    &[lit("a\\\""), part("b", Shape::Text)],
    &[lit("\u{e9}"), part("b", Shape::Text)],
];

const KEYS: &[&str] = &[
    "MSG#0000000000017#abcdefgh-ijkl",
    "MSG#0000000000017#x",
    "MSG#0000000000017#",
    "MSG#0000000000017",
    "MSG#00000000000170#x",
    "MSG#000000000001x#x",
    "MSG#0000000000017#x#y",
    "MSG#0000000000017#x\"y",
    "MSG#0000000000017#\\",
    "MSH#0000000000017#x",
    "MSG#0000000000017#\u{e9}",
    "E#12",
    "E#1",
    "E#123",
    "E#1x",
    "E#",
    "E",
    "E#x",
    "E#x#y",
    "EE#E",
    "E#E",
    "x#1",
    "x#y#1",
    "#1",
    "x#Z",
    "E#01234567-89ab-cdef0123cdef",
    "E#01234567-89ab-cdef0123cdeg",
    "E#01234567-89ab-cdef0123cde",
    "E#0VZ",
    "E#0UZ",
    "E#0vz",
    "E#012345678901234567890123456789012345678901234567890123456789",
    "1",
    "12",
    "123",
    "1234",
    "ab#E",
    "\u{e9}#E",
    "\u{e9}#x",
    "Ex",
    "Ex#",
    "E1x#Z",
    "E11x#Z",
    "E1x#Y",
    "a\\\"#x",
    "\"#x",
    "a\"#x",
    "\u{10ffff}",
    "",
];

/// In the middle of a response, and at its very end.
fn takes(glance: &Glance, key: &str, rest: &str) -> bool {
    let value = serde_json::to_string(key).unwrap();
    let answer = format!("{{\"sk\":{{\"S\":{value}}}{rest}");
    glance.takes(answer.as_bytes(), 6)
}

#[test]
fn what_is_taken_at_a_glance_fits() {
    let rest = ",\"text\":{\"S\":\"0123456789012345678901234567890123456789\"}}";
    let mut count = 0;
    for fields in FIELDS {
        let template = Template {
            text: "",
            delimiter: b'#',
            fields,
        };
        let glance = Glance::new(&template);
        for key in KEYS {
            let fits = shape::matches(&template, key);
            for rest in [rest, "}", ""] {
                let is_taken = takes(&glance, key, rest);
                assert!(!is_taken || fits, "{fields:?} {key}");
                count += usize::from(is_taken);
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn usual_keys_are_taken_at_a_glance() {
    let rest = ",\"text\":{\"S\":\"0123456789012345678901234567890123456789\"}}";
    let usual = [
        (0, "MSG#0000000000017#abcdefgh-ijkl"),
        (0, "MSG#0000000000017#x"),
        (1, "E#12"),
        (2, "E#01234567-89ab-cdef0123cdef"),
        (7, "E#x#y"),
        (8, "1"),
        (12, "Ex"),
        (13, "E1x#Z"),
    ];
    for (at, key) in usual {
        let template = Template {
            text: "",
            delimiter: b'#',
            fields: FIELDS[at],
        };
        assert!(takes(&Glance::new(&template), key, rest), "{key}");
    }
}

#[test]
fn other_types_are_not_taken() {
    let template = Template {
        text: "",
        delimiter: b'#',
        fields: FIELDS[8],
    };
    let glance = Glance::new(&template);
    for value in [
        "{\"N\":\"1\"}",
        "{ \"S\":\"1\"}",
        "{\"S\": \"1\"}",
        "{\"S\":\"1\" }",
        "{\"S\":\"1",
        "{",
        "",
    ] {
        assert!(!glance.takes(value.as_bytes(), 0), "{value}");
    }
    assert!(!glance.takes(b"{}", 7));
}

/// A line break is a backslash and an `n` in JSON.
#[test]
fn a_backslash_in_a_template_is_not_that_of_an_escape() {
    const LAYOUT: &[Run] = &[run(DIGIT, 2), byte(b'\\'), run(Bytes::range(b'a', b'z'), 1)];
    const NAMED: &[Field] = &[lit("a"), part("b", Shape::Text)];
    const DATED: &[Field] = &[part("at", Shape::Fixed(LAYOUT))];
    for (delimiter, fields, key) in [(b'\\', NAMED, "a\nfoo"), (b'#', DATED, "12\n")] {
        let template = Template {
            text: "",
            delimiter,
            fields,
        };
        assert!(!shape::matches(&template, key));
        assert!(!takes(
            &Glance::new(&template),
            key,
            ",\"text\":{\"S\":\"0123456789\"}}"
        ));
    }
}

// --- random templates and random keys

use proptest::prelude::*;

/// Bytes that are escaped in JSON, are delimiters, or are in the sets of shapes.
const LETTERS: &[&str] = &[
    "a",
    "b",
    "E",
    "0",
    "1",
    "9",
    "f",
    "#",
    "\\",
    "\"",
    "}",
    "{",
    ",",
    "\n",
    "\u{8}",
    "n",
    "/",
    "|",
    "\u{e9}",
    "\u{1f600}",
    " ",
];

fn letters(least: usize, most: usize) -> impl Strategy<Value = String> {
    let letter = proptest::sample::select(LETTERS);
    proptest::collection::vec(letter, least..=most).prop_map(|all| all.concat())
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn any_shape() -> impl Strategy<Value = Shape> {
    const TWO: &[Run] = &[run(CROCKFORD, 2)];
    const BACKSLASH: &[Run] = &[run(DIGIT, 2), byte(b'\\'), run(HEX, 1)];
    const QUOTE: &[Run] = &[run(DIGIT, 2), byte(b'"')];
    prop_oneof![
        3 => Just(Shape::Text),
        1 => Just(Shape::Rest),
        1 => Just(Shape::Opaque),
        1 => (1..4_u16).prop_map(Shape::Sized),
        3 => (1..20_u16).prop_map(Shape::Digits),
        1 => (1..4_u16).prop_map(Shape::Number),
        1 => Just(Shape::Fixed(UUID)),
        1 => Just(Shape::Fixed(TWO)),
        1 => Just(Shape::Fixed(BACKSLASH)),
        1 => Just(Shape::Fixed(QUOTE)),
        1 => Just(Shape::OneOf(&["a", "aE", "b"])),
    ]
}

fn any_seg() -> impl Strategy<Value = Seg> {
    prop_oneof![
        letters(0, 3).prop_map(|text| Seg::Lit(leaked(&text))),
        any_shape().prop_map(|shape| Seg::Part(Part::new("p", shape))),
    ]
}

fn any_field() -> impl Strategy<Value = Field> {
    prop_oneof![
        letters(0, 3).prop_map(|text| lit(leaked(&text))),
        any_shape().prop_map(|shape| part("p", shape)),
        proptest::collection::vec(any_seg(), 2..4)
            .prop_map(|segs| mixed(Box::leak(segs.into_boxed_slice()))),
    ]
}

/// The field as it stands between delimiters: no literal has one.
fn between(delimiter: u8, field: &Field) -> Field {
    let delimiter = char::from(delimiter);
    let without = |text: &str| leaked(&text.replace(delimiter, ""));
    match field.kind() {
        shape::Kind::Lit(text) => lit(without(text)),
        shape::Kind::Part(_) => *field,
        shape::Kind::Mixed(segs) => {
            let segs = segs.iter().map(|seg| match seg {
                Seg::Lit(text) => Seg::Lit(without(text)),
                Seg::Part(part) => Seg::Part(*part),
            });
            mixed(Box::leak(segs.collect()))
        }
    }
}

/// A text that a template may give, or one that is close to it.
fn key_of(template: &Template, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut key = String::new();
    for (n, field) in template.fields.iter().enumerate() {
        if n > 0 {
            key.push(char::from(template.delimiter));
        }
        let one;
        let segs = match field.kind() {
            shape::Kind::Lit(text) => {
                one = [Seg::Lit(text)];
                &one[..]
            }
            shape::Kind::Part(part) => {
                one = [Seg::Part(part)];
                &one[..]
            }
            shape::Kind::Mixed(segs) => segs,
        };
        for seg in segs {
            match seg {
                Seg::Lit(text) => key.push_str(text),
                Seg::Part(part) => some_text(part.shape, &mut random, &mut key),
            }
        }
    }
    // Most are as they are; others lack something, or have something else.
    let mut chars: Vec<String> = key.chars().map(String::from).collect();
    for _ in 0..random.usize(0..3) {
        let letter = LETTERS[random.usize(..LETTERS.len())].to_owned();
        let at = random.usize(0..=chars.len());
        match random.u8(0..3) {
            0 => chars.insert(at, letter),
            1 if at < chars.len() => chars[at] = letter,
            _ if at < chars.len() => drop(chars.remove(at)),
            _ => {}
        }
    }
    chars.concat()
}

fn some_text(shape: Shape, random: &mut fastrand::Rng, key: &mut String) {
    let digits = |n: u16, key: &mut String| (0..n).for_each(|_| key.push('7'));
    match shape {
        Shape::Optional(shape) => some_text(*shape, random, key),
        Shape::Text | Shape::Rest | Shape::Opaque => {
            for _ in 0..random.usize(1..20) {
                key.push_str(LETTERS[random.usize(..LETTERS.len())]);
            }
        }
        Shape::Sized(n) => (0..n).for_each(|_| key.push('a')),
        Shape::Digits(n) => digits(n, key),
        Shape::Number(n) => digits(random.u16(1..=n), key),
        Shape::Fixed(runs) => {
            for run in runs {
                for _ in 0..run.n {
                    let all: Vec<u8> = (0..128).filter(|it| run.set.contains(*it)).collect();
                    key.push(char::from(all[random.usize(..all.len())]));
                }
            }
        }
        Shape::OneOf(words) => key.push_str(words[random.usize(..words.len())]),
    }
}

/// As a server may write it: with escapes that need not be.
fn json_of(key: &str, escapes: u8) -> String {
    match escapes {
        0 | 1 => serde_json::to_string(key).unwrap(),
        2 => serde_json::to_string(key).unwrap().replace('/', "\\/"),
        _ => {
            let units = key.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
            format!("\"{}\"", units.collect::<Vec<_>>().concat())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_of_a_random_template_fits(
        fields in proptest::collection::vec(any_field(), 1..5),
        delimiter in proptest::sample::select(&b"##\\\"}/|,"[..]),
        seed in any::<u64>(),
        escapes in 0..4_u8,
        rest in proptest::sample::select(&["}", "", ",\"}\":{\"S\":\"x\"}}", ",\"a\":{\"S\":\"0123456789012345678901234567890123456789\"}}"][..]),
    ) {
        let fields = fields.iter().map(|field| between(delimiter, field)).collect();
        let template = Template { text: "", delimiter, fields: Box::leak(fields) };
        let glance = Glance::new(&template);
        let key = key_of(&template, seed);
        let answer = format!("{{\"sk\":{{\"S\":{}}}{rest}", json_of(&key, escapes));
        if glance.takes(answer.as_bytes(), 6) {
            prop_assert!(shape::matches(&template, &key), "{:?} {key:?} {answer}", template.fields);
        }
        if shape::surely_matches(&template, &key) {
            prop_assert!(shape::matches(&template, &key), "{:?} {key:?}", template.fields);
        }
    }
}
