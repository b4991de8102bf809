//! Random small templates, and every string up to a length they can produce.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use proptest::prelude::*;

use super::{leak, mixed};
use crate::shape::{Bytes, DIGIT, Field, Kind, Part, Run, Seg, Shape, Template, byte, run};

/// Longest string considered, in bytes.
pub(super) const LONGEST: usize = 6;
const LETTERS: [&str; 4] = ["0", "1", "a", "é"];

/// Whether a string has no characters but those that are tried.
pub(super) fn is_over_letters(text: &str, delimiters: &[u8]) -> bool {
    text.chars().all(|letter| {
        LETTERS.contains(&&*letter.encode_utf8(&mut [0; 4]))
            || delimiters
                .iter()
                .any(|&delimiter| char::from(delimiter) == letter)
    })
}

fn word(lengths: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = &'static str> {
    prop::collection::vec(prop::sample::select(&LETTERS[..]), lengths)
        .prop_map(|letters| &*letters.concat().leak())
}

fn runs() -> impl Strategy<Value = &'static [Run]> {
    let one = prop_oneof![
        Just(byte(b'a')),
        Just(byte(b'1')),
        (1u16..=2).prop_map(|n| run(DIGIT, n)),
        (0u16..=2).prop_map(|n| run(Bytes::one(b'a').or(Bytes::one(b'0')), n)),
    ];
    prop::collection::vec(one, 1..=2).prop_map(leak)
}

/// Every shape that can stand anywhere in a key, sometimes with nothing as another text of it.
fn shape() -> impl Strategy<Value = Shape> {
    (value(), prop::bool::weighted(0.2)).prop_map(|(shape, is_optional)| {
        if is_optional {
            Shape::Optional(&leak(vec![shape])[0])
        } else {
            shape
        }
    })
}

fn value() -> impl Strategy<Value = Shape> {
    prop_oneof![
        2 => Just(Shape::Text),
        2 => (1u16..=2).prop_map(Shape::Sized),
        1 => (1u16..=2).prop_map(Shape::Digits),
        2 => (1u16..=2).prop_map(Shape::Number),
        2 => runs().prop_map(Shape::Fixed),
        2 => prop::collection::vec(word(1..=2), 1..=3).prop_map(|w| Shape::OneOf(leak(w))),
    ]
}

fn piece() -> impl Strategy<Value = Seg> {
    prop_oneof![
        word(1..=2).prop_map(Seg::Lit),
        shape().prop_map(|shape| Seg::Part(Part::new("p", shape))),
    ]
}

fn field() -> impl Strategy<Value = Field> {
    prop_oneof![
        2 => word(0..=2).prop_map(Field::lit),
        3 => shape().prop_map(|shape| Field::part(Part::new("p", shape))),
        3 => prop::collection::vec(piece(), 2..=3).prop_map(|segs| mixed(&segs)),
    ]
}

/// A field that takes the rest of the key.
fn rest() -> impl Strategy<Value = Field> {
    let rest = Seg::Part(Part::new("rest", Shape::Rest));
    prop_oneof![
        Just(Field::part(Part::new("rest", Shape::Rest))),
        (
            prop::collection::vec(piece(), 0..=2),
            prop::collection::vec(piece(), 0..=2)
        )
            .prop_map(move |(mut segs, after)| {
                segs.push(rest);
                segs.extend(after);
                mixed(&segs)
            }),
    ]
}

/// A template of one to three fields, sometimes with a `<rest..>` where it must not be.
pub(super) fn template(delimiter: u8) -> impl Strategy<Value = Template> {
    let fields = prop::collection::vec(field(), 1..=3);
    let rest = prop::option::weighted(0.25, (rest(), any::<prop::sample::Index>()));
    (fields, rest).prop_map(move |(mut fields, rest)| {
        if let Some((rest, at)) = rest {
            let at = at.index(fields.len() + 2).min(fields.len() - 1);
            fields[at] = rest;
        }
        if let [only] = &fields[..]
            && matches!(only.kind(), Kind::Lit(""))
        {
            fields[0] = Field::lit("a");
        }
        Template {
            text: "random",
            delimiter,
            fields: leak(fields),
        }
    })
}

/// Two templates that share a delimiter.
pub(super) fn pair() -> impl Strategy<Value = (Template, Template)> {
    prop::sample::select(&b"#:/"[..]).prop_flat_map(|d| (template(d), template(d)))
}

/// Two templates of one field each, often alike but for one piece.
pub(super) fn close_pair() -> impl Strategy<Value = (Template, Template)> {
    let pieces = || prop::collection::vec(piece(), 1..=4);
    let one = |segs: &[Seg]| Template {
        text: "random",
        delimiter: b'#',
        fields: leak(vec![mixed(segs)]),
    };
    let change = (any::<prop::sample::Index>(), prop::option::of(piece()));
    let alike = (pieces(), change).prop_map(|(segs, (at, piece))| {
        let mut other = segs.clone();
        let at = at.index(segs.len());
        other.splice(at..=at, piece);
        (segs, other)
    });
    prop_oneof![alike, (pieces(), pieces())].prop_map(move |(a, b)| (one(&a), one(&b)))
}

/// Every string over the letters and these delimiters, up to `LONGEST` bytes.
pub(super) fn all_strings(delimiters: &[u8]) -> &'static [String] {
    static MADE: Mutex<BTreeMap<Vec<u8>, &[String]>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(delimiters.to_vec()).or_insert_with(|| {
        let delimiters: BTreeSet<_> = delimiters.iter().copied().map(char::from).collect();
        let delimiters: Vec<_> = delimiters.iter().map(char::to_string).collect();
        let letters = || LETTERS.iter().copied();
        let others = delimiters.iter().map(String::as_str);
        let others: Vec<_> = others
            .filter(|one| letters().all(|it| it != *one))
            .collect();
        let mut all = vec![String::new()];
        let mut done = 0;
        while done < all.len() {
            for letter in letters().chain(others.iter().copied()) {
                if all[done].len() + letter.len() <= LONGEST {
                    all.push(all[done].clone() + letter);
                }
            }
            done += 1;
        }
        leak(all)
    })
}

/// Every string of a shape, by what the shape is said to mean.
fn strings_of(shape: Shape, delimiter: u8, all: &[String]) -> Vec<String> {
    let is_text = |s: &String| !s.is_empty() && !s.contains(char::from(delimiter));
    let is_number = |s: &String| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let from = |keep: &dyn Fn(&String) -> bool| {
        let all = all.iter();
        all.filter(|s| keep(s)).cloned().collect()
    };
    match shape {
        Shape::Text => from(&is_text),
        Shape::Rest | Shape::Opaque => from(&|s| !s.is_empty()),
        Shape::Sized(n) => from(&|s| is_text(s) && s.len() == usize::from(n)),
        Shape::Digits(n) => from(&|s| is_number(s) && s.len() == usize::from(n)),
        Shape::Number(n) => from(&|s| is_number(s) && s.len() <= n.into()),
        Shape::OneOf(words) => words.iter().map(ToString::to_string).collect(),
        Shape::Optional(shape) => {
            let values = strings_of(*shape, delimiter, all);
            values.into_iter().chain([String::new()]).collect()
        }
        Shape::Fixed(runs) => {
            let sets: Vec<Bytes> = runs
                .iter()
                .flat_map(|run| std::iter::repeat_n(run.set, run.n.into()))
                .collect();
            from(&|s| s.len() == sets.len() && s.bytes().zip(&sets).all(|(b, set)| set.contains(b)))
        }
    }
}

/// What each string of a template is made of: the values of its placeholders, in every way.
pub(super) type Language = BTreeMap<String, BTreeSet<Vec<String>>>;

/// Every string of a template up to `LONGEST` bytes.
pub(super) fn language(t: &Template) -> Language {
    language_over(t, &[t.delimiter])
}

/// The same, of the strings over the letters and these delimiters.
pub(super) fn language_over(t: &Template, delimiters: &[u8]) -> Language {
    let all = all_strings(delimiters);
    let delimiter = char::from(t.delimiter).to_string();
    let mut pieces: Vec<(bool, Vec<String>)> = Vec::new();
    for (i, field) in t.fields.iter().enumerate() {
        if i > 0 {
            pieces.push((false, vec![delimiter.clone()]));
        }
        let segs = match field.kind() {
            Kind::Lit(text) => vec![Seg::Lit(text)],
            Kind::Part(part) => vec![Seg::Part(part)],
            Kind::Mixed(segs) => segs.to_vec(),
        };
        pieces.extend(segs.into_iter().map(|seg| match seg {
            Seg::Lit(text) => (false, vec![text.to_owned()]),
            Seg::Part(part) => (true, strings_of(part.shape, t.delimiter, all)),
        }));
    }
    let mut made = Language::from([(String::new(), BTreeSet::from([Vec::new()]))]);
    for (is_value, choices) in pieces {
        let mut longer = Language::new();
        for (text, ways) in &made {
            for choice in &choices {
                if text.len() + choice.len() > LONGEST {
                    continue;
                }
                let entry = longer.entry(format!("{text}{choice}")).or_default();
                entry.extend(ways.iter().cloned().map(|mut values| {
                    if is_value {
                        values.push(choice.clone());
                    }
                    values
                }));
            }
        }
        made = longer;
    }
    made
}
