//! Random items, and the many forms in which JSON can say the same.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use base64ct::{Base64, Encoding};
use fastrand::Rng;

use crate::codec::Item;

/// Most attributes are of the type that their name suggests.
pub(super) fn item(rng: &mut Rng) -> Item {
    let mut item = Item::new();
    for name in [
        "pk", "text", "n", "list", "map", "set", "bytes", "flag", "no",
    ] {
        let value = match (name, rng.u8(..12)) {
            (_, 0..3) => continue,
            (_, 3) => attribute(rng, 3),
            ("n", _) => AttributeValue::N(rng.i32(..).to_string()),
            ("list", _) => AttributeValue::L((0..rng.u8(..3)).map(|_| attribute(rng, 2)).collect()),
            ("map", _) => AttributeValue::M(Item::from([(text(rng), attribute(rng, 2))])),
            ("set", _) => AttributeValue::Ss(vec![text(rng), text(rng)]),
            ("bytes", _) => AttributeValue::B(bytes(rng)),
            ("flag", _) => AttributeValue::Bool(rng.bool()),
            ("no", _) => AttributeValue::Null(true),
            _ => AttributeValue::S(text(rng)),
        };
        item.insert(name.to_owned(), value);
    }
    if rng.u8(..8) == 0 {
        item.insert(text(rng), attribute(rng, 2));
    }
    item
}

pub(super) fn attribute(rng: &mut Rng, depth: u8) -> AttributeValue {
    let count = rng.usize(1..4);
    match rng.u8(..if depth == 0 { 8 } else { 10 }) {
        0 => AttributeValue::S(text(rng)),
        1 => AttributeValue::N(number(rng)),
        2 => AttributeValue::B(bytes(rng)),
        3 => AttributeValue::Bool(rng.bool()),
        4 => AttributeValue::Null(rng.u8(..8) > 0),
        5 => AttributeValue::Ss((0..count).map(|_| text(rng)).collect()),
        6 => AttributeValue::Ns((0..count).map(|_| number(rng)).collect()),
        7 => AttributeValue::Bs((0..count).map(|_| bytes(rng)).collect()),
        8 => AttributeValue::L((1..count).map(|_| attribute(rng, depth - 1)).collect()),
        _ => AttributeValue::M(
            (1..count)
                .map(|_| (text(rng), attribute(rng, depth - 1)))
                .collect(),
        ),
    }
}

pub(super) fn text(rng: &mut Rng) -> String {
    let characters = [
        'a',
        'b',
        'z',
        '0',
        ' ',
        '"',
        '\\',
        '/',
        '\n',
        '\t',
        '\u{8}',
        '\u{c}',
        '\r',
        '\0',
        '\u{1f}',
        '\u{7f}',
        'é',
        'ß',
        '日',
        '\u{2028}',
        '\u{ffff}',
        '😀',
        '\u{10ffff}',
        '{',
        '}',
        ',',
        ':',
    ];
    (0..rng.usize(..20))
        .map(|_| characters[rng.usize(..characters.len()) / (1 + rng.usize(..3))])
        .collect()
}

fn number(rng: &mut Rng) -> String {
    match rng.u8(..6) {
        0 => rng.i8(..).to_string(),
        1 => rng.u64(..).to_string(),
        2 => rng.i128(..).to_string(),
        3 => rng.f64().to_string(),
        4 => format!("{}E{}", rng.u8(..), rng.i8(..)),
        // 38 digits and more are kept as they are.
        _ => format!("-{}{}", rng.u128(1..), rng.u128(..)),
    }
}

fn bytes(rng: &mut Rng) -> Blob {
    let length = rng.usize(..6);
    Blob::new((0..length).map(|_| rng.u8(..)).collect::<Vec<_>>())
}

/// Writes JSON in one of its many forms.
pub(super) struct Printer<'r> {
    pub(super) rng: &'r mut Rng,
    /// Whether there is white space, escapes that are not needed, and members in any order.
    pub(super) loose: bool,
    pub(super) out: String,
}

impl Printer<'_> {
    fn space(&mut self) {
        if self.loose && self.rng.u8(..4) == 0 {
            for _ in 0..self.rng.usize(..3) {
                self.out.push(' ');
            }
        }
    }

    fn token(&mut self, token: &str) {
        self.space();
        self.out.push_str(token);
        self.space();
    }

    fn each<T>(&mut self, brackets: [&str; 2], all: Vec<T>, mut one: impl FnMut(&mut Self, T)) {
        self.token(brackets[0]);
        for (n, value) in all.into_iter().enumerate() {
            if n > 0 {
                self.token(",");
            }
            one(self, value);
        }
        self.token(brackets[1]);
    }

    pub(super) fn members<T>(&mut self, mut all: Vec<(&str, T)>, one: impl Fn(&mut Self, T)) {
        if self.loose {
            self.rng.shuffle(&mut all);
        }
        self.each(["{", "}"], all, |printer, (name, value)| {
            printer.string(name);
            printer.token(":");
            one(printer, value);
        });
    }

    pub(super) fn string(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            let needed = character < ' ' || matches!(character, '"' | '\\');
            let wanted = self.loose && self.rng.u8(..8) == 0;
            if !needed && !wanted {
                self.out.push(character);
                continue;
            }
            match (character, self.rng.bool()) {
                ('"', true) => self.out.push_str(r#"\""#),
                ('\\', true) => self.out.push_str(r"\\"),
                ('/', true) => self.out.push_str(r"\/"),
                ('\n', true) => self.out.push_str(r"\n"),
                ('\u{8}', true) => self.out.push_str(r"\b"),
                ('\u{c}', true) => self.out.push_str(r"\f"),
                ('\r', true) => self.out.push_str(r"\r"),
                ('\t', true) => self.out.push_str(r"\t"),
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let upper = self.rng.bool();
                        let digits = if upper {
                            format!("{unit:04X}")
                        } else {
                            format!("{unit:04x}")
                        };
                        self.out.push_str("\\u");
                        self.out.push_str(&digits);
                    }
                }
            }
        }
        self.out.push('"');
    }

    pub(super) fn item(&mut self, item: &Item) {
        let members = item.iter().map(|(name, value)| (name.as_str(), value));
        self.members(members.collect(), Self::attribute);
    }

    pub(super) fn items(&mut self, items: &[Item]) {
        self.each(["[", "]"], items.iter().collect(), Self::item);
    }

    fn attribute(&mut self, value: &AttributeValue) {
        let base64 = |bytes: &Blob| Base64::encode_string(bytes.as_ref());
        let all = |texts: &[String]| texts.to_vec();
        let string = |printer: &mut Self, text: String| printer.string(&text);
        let plain = |printer: &mut Self, text: String| {
            printer.out.push('"');
            printer.out.push_str(&text);
            printer.out.push('"');
        };
        self.token("{");
        let name = match value {
            AttributeValue::S(_) => "S",
            AttributeValue::N(_) => "N",
            AttributeValue::B(_) => "B",
            AttributeValue::Bool(_) => "BOOL",
            AttributeValue::Null(_) => "NULL",
            AttributeValue::Ss(_) => "SS",
            AttributeValue::Ns(_) => "NS",
            AttributeValue::Bs(_) => "BS",
            AttributeValue::L(_) => "L",
            _ => "M",
        };
        self.string(name);
        self.token(":");
        match value {
            AttributeValue::S(text) | AttributeValue::N(text) => self.string(text),
            AttributeValue::B(bytes) => plain(self, base64(bytes)),
            AttributeValue::Bool(value) | AttributeValue::Null(value) => {
                self.token(&value.to_string());
            }
            AttributeValue::Ss(set) | AttributeValue::Ns(set) => {
                self.each(["[", "]"], all(set), string);
            }
            AttributeValue::Bs(set) => {
                self.each(["[", "]"], set.iter().map(base64).collect(), plain);
            }
            AttributeValue::L(list) => {
                self.each(["[", "]"], list.iter().collect(), Self::attribute);
            }
            AttributeValue::M(map) => self.item(map),
            _ => {}
        }
        self.token("}");
    }
}

/// Changes a response on its way.
pub(super) fn corrupt(rng: &mut Rng, answer: &mut Vec<u8>) {
    let at = rng.usize(..answer.len());
    let bytes = b"\"\\{}[]:,0aSNLMu\x00\x1f \xff";
    let byte = bytes[rng.usize(..bytes.len())];
    match rng.u8(..6) {
        0 => answer.truncate(at),
        1 => answer[at] ^= 1 << rng.u8(..8),
        2 => answer[at] = byte,
        3 => answer.insert(at, byte),
        4 => drop(answer.remove(at)),
        _ => {
            let end = (at + rng.usize(..12)).min(answer.len());
            let again: Vec<u8> = answer[at..end].to_vec();
            answer.splice(at..at, again);
        }
    }
}
