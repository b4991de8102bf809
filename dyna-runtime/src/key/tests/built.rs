//! A key is what its template says, put together one piece after the other, or the first error; and as long as its memory.

use crate::key::build::{KeyValue, build};
use crate::key::functions::{lower, sha256};
use crate::key::{
    KeyArg, KeyBuf, KeyErrorKind, KeyPart, LAST, PartVisitor, Parts, build_part, hex_of, lookup,
};
use crate::schema::{KeyAttribute, ScalarType};
use crate::shape::{ConstLayout, Field, KeyLayout, Part, Seg, Shape, Template};
use proptest::prelude::*;
use uuid::Uuid;

const DELIMITER: char = '#';
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const WORDS: &[&str] = &["on", "paused"];

/// A value, and how the template has it.
#[derive(Debug, Clone)]
enum Value {
    Text(String),
    Sized(u16, String),
    Rest(String),
    Number(u64),
    Wide(u128),
    Padded(u16, u64),
    Id(u128),
    Word(usize),
    /// A part written by hand that does not look at what it writes.
    Careless(String),
    Lower(String),
    Hash(String),
}

struct Careless(String);

impl KeyPart for Careless {
    const SHAPE: Shape = Shape::Text;

    fn encode(&self, out: &mut KeyBuf) {
        out.fixed(&self.0);
    }

    fn decode(_: &str) -> Option<Self> {
        None
    }
}

/// As the derive writes it.
struct Word(usize);

impl KeyPart for Word {
    const SHAPE: Shape = Shape::OneOf(WORDS);
    const TRUSTED: bool = true;

    fn encode(&self, out: &mut KeyBuf) {
        out.fixed(WORDS[self.0]);
    }

    fn decode(_: &str) -> Option<Self> {
        None
    }
}

impl KeyArg for Value {
    fn put(&self, out: &mut KeyBuf) {
        match self {
            Self::Text(text) | Self::Sized(_, text) | Self::Rest(text) => build_part(text, out),
            Self::Number(number) | Self::Padded(_, number) => build_part(number, out),
            Self::Wide(number) => build_part(number, out),
            Self::Id(id) => build_part(&Uuid::from_u128(*id), out),
            Self::Word(word) => build_part(&Word(*word), out),
            Self::Careless(text) => build_part(&Careless(text.clone()), out),
            Self::Lower(text) => lower(lookup::<String, _>(text)).put(out),
            Self::Hash(text) => sha256(lookup::<String, _>(text)).put(out),
        }
    }
}

impl Value {
    fn shape(&self) -> Shape {
        match self {
            Self::Text(_) | Self::Careless(_) | Self::Lower(_) => Shape::Text,
            Self::Sized(length, _) => Shape::Sized(*length),
            Self::Rest(_) => Shape::Rest,
            Self::Number(_) => u64::SHAPE,
            Self::Wide(_) => u128::SHAPE,
            Self::Padded(width, _) => Shape::Digits(*width),
            Self::Id(_) => Uuid::SHAPE,
            Self::Word(_) => Word::SHAPE,
            Self::Hash(_) => <crate::key::Sha256 as crate::key::Function>::SHAPE,
        }
    }

    /// The plainest way to say what stands in the key.
    fn expected(&self) -> Result<String, KeyErrorKind> {
        let checked = |text: String, may_have_delimiter: bool| match () {
            () if text.is_empty() => Err(KeyErrorKind::Empty),
            () if text.contains(LAST) => Err(KeyErrorKind::ReservedCharacter),
            () if !may_have_delimiter && text.contains(DELIMITER) => {
                Err(KeyErrorKind::ContainsDelimiter(DELIMITER))
            }
            () => Ok(text),
        };
        match self.clone() {
            Self::Text(text) => checked(text, false),
            Self::Sized(expected, text) => match checked(text, false)? {
                text if text.len() == usize::from(expected) => Ok(text),
                text => Err(KeyErrorKind::WrongLength {
                    expected,
                    found: text.len(),
                }),
            },
            Self::Rest(text) => checked(text, true),
            Self::Number(number) => Ok(format!("{number}")),
            Self::Wide(number) => Ok(format!("{number}")),
            Self::Padded(width, number) => match format!("{number:0>0$}", usize::from(width)) {
                text if text.len() == usize::from(width) => Ok(text),
                _ => Err(KeyErrorKind::TooManyDigits { width }),
            },
            Self::Id(id) => Ok(Uuid::from_u128(id).to_string()),
            Self::Word(word) => Ok(WORDS[word].to_owned()),
            Self::Careless(text) => checked(text, false).map_err(|_| KeyErrorKind::ShapeMismatch),
            Self::Lower(text) => checked(text.to_lowercase(), false),
            Self::Hash(text) if text.is_empty() => Err(KeyErrorKind::Empty),
            Self::Hash(text) => Ok(hex_of(&text)),
        }
    }
}

struct Values<'a>(Vec<&'a Value>);

impl Parts for Values<'_> {
    fn each(&self, pass: &mut impl PartVisitor) {
        for (n, value) in self.0.iter().enumerate() {
            pass.part(n, value);
        }
    }
}

#[derive(Debug, Clone)]
enum Piece {
    Lit(&'static str),
    Value(Value),
}

/// Harmless text of all lengths, some of it with a character that no key has, or one that begins like it.
fn text() -> impl Strategy<Value = String> {
    let hostile = prop::sample::select(vec!["#", "\u{10FFFF}", "\u{10FFFE}", "é", "İ", ""]);
    (".{0,3}|[a-zA-Z0-9.@-]{0,40}", 0..40_usize, 0..4_u8, hostile).prop_map(
        |(mut text, at, with, hostile)| {
            if with == 0 && text.is_char_boundary(at) {
                text.insert_str(at, hostile);
            }
            text
        },
    )
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::Text),
        (1..6_u16, "[a-z#]{1,6}").prop_map(|(length, text)| Value::Sized(length, text)),
        text().prop_map(Value::Rest),
        any::<u64>().prop_map(Value::Number),
        (0..1000_u64).prop_map(Value::Number),
        any::<u128>().prop_map(Value::Wide),
        (1..25_u16, any::<u64>(), 0..64_u32)
            .prop_map(|(width, number, by)| Value::Padded(width, number >> by)),
        any::<u128>().prop_map(Value::Id),
        (0..WORDS.len()).prop_map(Value::Word),
        text().prop_map(Value::Careless),
        text().prop_map(Value::Lower),
        text().prop_map(Value::Hash),
    ]
}

/// What stands between two delimiters.
fn field() -> impl Strategy<Value = Vec<Piece>> {
    let literal = || prop::sample::select(vec!["USER", "v", "<", "é-"]).prop_map(Piece::Lit);
    let value = || value().prop_map(Piece::Value);
    prop_oneof![
        2 => literal().prop_map(|one| vec![one]),
        4 => value().prop_map(|one| vec![one]),
        1 => Just(vec![Piece::Lit("")]),
        2 => prop::collection::vec(prop_oneof![literal(), value()], 2..4),
    ]
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn template(fields: &[Vec<Piece>]) -> Template {
    let mut names = NAMES.into_iter();
    let mut part = |value: &Value| Part::new(names.next().expect("few parts"), value.shape());
    let fields: Vec<Field> = fields
        .iter()
        .map(|pieces| match pieces.as_slice() {
            [Piece::Lit(text)] => Field::lit(text),
            [Piece::Value(value)] => Field::part(part(value)),
            pieces => {
                let seg = |piece: &Piece| match piece {
                    Piece::Lit(text) => Seg::Lit(text),
                    Piece::Value(value) => Seg::Part(part(value)),
                };
                Field::mixed(leak(pieces.iter().map(seg).collect::<Vec<_>>()))
            }
        })
        .collect();
    Template {
        text: "",
        delimiter: DELIMITER as u8,
        fields: leak(fields),
    }
}

/// The key of a template, or the field at fault and why.
fn expected(fields: &[Vec<Piece>], max: usize) -> Result<String, (&'static str, KeyErrorKind)> {
    let mut names = NAMES.into_iter();
    let mut texts = Vec::new();
    for pieces in fields {
        let mut text = String::new();
        for piece in pieces {
            text += &match piece {
                Piece::Lit(literal) => (*literal).to_owned(),
                Piece::Value(value) => {
                    let name = names.next().expect("few parts");
                    value.expected().map_err(|kind| (name, kind))?
                }
            };
        }
        texts.push(text);
    }
    let key = texts.join("#");
    match key.len() {
        length if length > max => Err(("pk", KeyErrorKind::TooLong { length, max })),
        _ => Ok(key),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_key_is_its_pieces_or_the_first_error(
        fields in prop::collection::vec(field(), 0..4),
        skipped in prop::collection::vec(value(), 0..2),
        max in prop_oneof![Just(1024_usize), 20..80_usize],
    ) {
        let pieces = fields.iter().flatten();
        let own = pieces.filter_map(|piece| match piece {
            Piece::Lit(_) => None,
            Piece::Value(value) => Some(value),
        });
        let values: Vec<&Value> = skipped.iter().chain(own).chain(&skipped).collect();
        prop_assume!(values.len() <= NAMES.len());

        let attribute = KeyAttribute { name: "pk", expr: "pk", kind: ScalarType::S };
        let layout: &'static KeyLayout = leak(KeyLayout::of(&template(&fields)));
        let (parts, first) = (Values(values), skipped.len());
        let at_run_time = build("E", &attribute, layout, &parts, first, max);
        let compiled = build("E", &attribute, ConstLayout(layout), &parts, first, max);
        prop_assert_eq!(&at_run_time, &compiled);

        let built = match at_run_time {
            Ok(KeyValue::S(key)) => {
                // What is not ASCII may be longer or shorter in lower case.
                prop_assert!(key.len() == key.capacity() || !key.is_ascii());
                Ok(key)
            }
            Ok(other) => panic!("{other:?} is no text"),
            Err(error) => Err((error.field(), error.kind())),
        };
        prop_assert_eq!(built, expected(&fields, max));
    }

    #[test]
    fn a_byte_is_found_wherever_it_is(mut bytes: Vec<u8>, a: u8, b: u8, at: usize) {
        let has_either = crate::key::buf::has_either;
        let naive = bytes.contains(&a) || bytes.contains(&b);
        prop_assert_eq!(has_either(&bytes, a, b), naive);
        if let Some(at) = at.checked_rem(bytes.len()) {
            for found in [a, b] {
                bytes[at] = found;
                prop_assert!(has_either(&bytes, a, b));
            }
        }
    }
}

#[test]
fn value_without_a_placeholder_fails_its_key() {
    let mut out = KeyBuf::new(b'#', String::new());
    out.put(
        Some(const { &Part::new("id", Shape::Text) }),
        &lookup::<String, _>(&"a"),
    );
    out.put(None, &lookup::<String, _>(&"b"));
    let error = out.finish("User").err().unwrap();
    assert_eq!(
        (error.field(), error.kind()),
        ("id", KeyErrorKind::Internal)
    );
}
