//! The laws of keys, through the derives: what is written, looked up, read back, ordered, and refused.

mod errors;
mod laws;
mod lies;
mod order;
mod parsed;

use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Explain, KeyPart, Ordered};
use jiff::Timestamp;
use jiff::civil::Date;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use uuid::Uuid;

/// One entity for each kind of template.
#[derive(DynaTable)]
#[dyna(name = "keys", pk = "pk", sk = "sk")]
enum Keys {
    Texts(Texts),
    Numbers(Numbers),
    Signed(Signed),
    Ids(Ids),
    Times(Times),
    Exact(Exact),
    Words(Words),
    Lengths(Lengths),
    File(File),
    Functions(Functions),
    Own(Own),
    Nested(Nested),
    Version(Version),
    Angle(Angle),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "TXT#<a>", sk = "T#<b>#<c>")]
struct Texts {
    a: String,
    b: Box<str>,
    c: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "NUM#<n>", sk = "N#<x:020>#<y:05>")]
struct Numbers {
    n: u64,
    x: u64,
    y: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "SIGNED#<low>", sk = "S#<high>#<low>")]
struct Signed {
    low: Ordered<i8>,
    high: Ordered<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "ID#<random>", sk = "<sorted>")]
struct Ids {
    random: Uuid,
    sorted: Ulid,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "TIME#<at:%Y-%m>", sk = "<at>#<day>#<day:%Y%j>")]
struct Times {
    at: Timestamp,
    day: Date,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "EXACT", sk = "<at:%Y-%m-%d %H:%M:%S.%9f>")]
struct Exact {
    at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "WORD#<stage>", sk = "<name>")]
struct Words {
    stage: Stage,
    name: Name,
}

/// `pre` begins `pre-release`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "kebab-case")]
enum Stage {
    Pre,
    PreRelease,
    Done,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
struct Name(String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "LEN#<code:len=4>", sk = "L#<iso:len=6>#<tail>")]
struct Lengths {
    code: String,
    iso: String,
    tail: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "FILE#<bucket>", sk = "F#<path..>")]
struct File {
    bucket: String,
    path: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "FN#<email|lower>#<id|shard(16)>", sk = "<name|upper>#<token|sha256>#<id>")]
struct Functions {
    email: String,
    name: String,
    token: String,
    id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "OWN#<year|crate::keys::decade>", sk = "<name|self::initial>#<n:010>")]
struct Own {
    year: u32,
    name: String,
    n: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what a template calls")]
fn decade(year: &u32) -> u32 {
    year / 10
}

#[expect(clippy::ptr_arg, reason = "what a template calls")]
fn initial(name: &String) -> String {
    name.chars().take(1).collect()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "NEST#<data.email>", sk = "<data.place.city>#<data.place.zip:05>")]
struct Nested {
    data: Data,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Data {
    email: String,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Place {
    city: String,
    zip: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "VER#<stage>.<build>", sk = "v<major:03>.<minor:03><patch:02>-<note>")]
struct Version {
    stage: Stage,
    build: u16,
    major: u16,
    minor: u16,
    patch: u8,
    note: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Keys, pk = "<<ANGLE>#<id>", sk = "<<<id>")]
struct Angle {
    id: String,
}

/// The same with another delimiter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "colons", pk = "pk", sk = "sk", delimiter = ":"),
    delimiter = ":",
    pk = "C:<a>",
    sk = "#:<b>:<c>"
)]
struct Colon {
    a: String,
    b: String,
    c: String,
}

/// The text of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Text {
    pk: String,
    sk: String,
}

/// An entity as the tests ask it.
trait Sample: Clone + PartialEq {
    /// What `put` writes.
    fn written(&self) -> Explain;
    /// What `get` asks for.
    fn looked_up(&self) -> Explain;

    /// The key, if it may be written. What is written is what is looked up.
    fn text(&self) -> Option<Text> {
        let (written, looked_up) = (self.written(), self.looked_up());
        let text = key_of(&written, "Item");
        assert_eq!(text, key_of(&looked_up, "Key"));
        assert_eq!(written.get("Error"), looked_up.get("Error"));
        assert_eq!(text.is_none(), written.get("Error").is_some());
        text
    }
}

macro_rules! samples {
    ($($entity:ident: |$it:ident| ($($argument:expr),*);)*) => {$(
        impl Sample for $entity {
            fn written(&self) -> Explain {
                self.put().explain()
            }

            fn looked_up(&self) -> Explain {
                let $it = self;
                $entity::get($($argument),*).explain()
            }
        }
    )*};
}

samples! {
    Texts: |it| (&it.a, &it.b, it.c.as_str());
    Numbers: |it| (it.n, it.x, &it.y);
    Signed: |it| (it.low, it.high);
    Ids: |it| (it.random, it.sorted);
    Times: |it| (it.at, it.day);
    Exact: |it| (it.at);
    Words: |it| (it.stage, &it.name);
    Lengths: |it| (&it.code, it.iso.as_str(), &it.tail);
    File: |it| (&it.bucket, &it.path);
    Functions: |it| (&it.email, &it.id, it.name.as_str(), &it.token);
    Own: |it| (it.year, &it.name, it.n);
    Nested: |it| (&it.data.email, it.data.place.city.as_str(), it.data.place.zip);
    Version: |it| (it.stage, it.build, it.major, it.minor, it.patch, &it.note);
    Angle: |it| (&it.id);
    Colon: |it| (&it.a, &it.b, &it.c);
}

fn key_of(explain: &Explain, member: &str) -> Option<Text> {
    Some(Text {
        pk: unquoted(explain.get(&format!("{member}.pk"))?),
        sk: unquoted(explain.get(&format!("{member}.sk"))?),
    })
}

/// The text that `{:?}` shows as this.
pub(crate) fn unquoted(shown: &str) -> String {
    let mut chars = shown[1..shown.len() - 1].chars();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('0') => '\0',
                Some('u') => {
                    let hex: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    char::from_u32(u32::from_str_radix(&hex, 16).unwrap()).unwrap()
                }
                Some(c) => c,
                None => unreachable!("`{{:?}}` ends in a quote"),
            },
            c => c,
        };
        text.push(c);
    }
    text
}

proptest! {
    #[test]
    fn unquoted_is_the_inverse_of_debug(text in any::<String>()) {
        prop_assert_eq!(unquoted(&format!("{text:?}")), text);
    }
}

/// Text out of few pieces, so that two of them often join to the same: delimiters and parts of templates among them.
fn hostile() -> BoxedStrategy<String> {
    let pieces = prop::sample::select(vec![
        "a",
        "b",
        "#",
        ":",
        "T",
        "1",
        "0",
        "00001",
        "v001",
        ".",
        "-",
        "<",
        ">",
        "pre",
        "pre-release",
        "done",
        "F#",
        "2025-01-01",
        "é",
        "\u{10FFFE}",
        "\u{10FFFF}",
        "\0",
        " ",
    ]);
    prop::collection::vec(pieces, 0..4)
        .prop_map(|pieces| pieces.concat())
        .boxed()
}

/// Text that may stand in a key of either delimiter.
fn plain() -> BoxedStrategy<String> {
    let short = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "0",
        "10",
        "A",
        "pre",
        "v001.",
        "\0",
        "<",
        "\u{10FFFE}",
    ]);
    let any = any::<String>().prop_map(|text| text.replace(['#', ':', '\u{10FFFF}'], "_"));
    prop_oneof![
        prop::collection::vec(short, 1..3).prop_map(|pieces| pieces.concat()),
        any.prop_filter("empty", |text| !text.is_empty()),
    ]
    .boxed()
}

/// Small numbers, and all others.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..12_u64, any::<u64>(), Just(u64::MAX)]
}

fn stage() -> impl Strategy<Value = Stage> {
    prop::sample::select(vec![Stage::Pre, Stage::PreRelease, Stage::Done])
}

/// Instants of the years 0000 to 9999, some of them within one millisecond.
fn instant() -> impl Strategy<Value = Timestamp> {
    let first: Timestamp = "0000-01-01T00:00:00Z".parse().unwrap();
    let last: Timestamp = "9999-12-30T22:00:00Z".parse().unwrap();
    let any = (first.as_second()..last.as_second(), 0..1_000_000_000);
    let near = (
        0..3_i64,
        prop::sample::select(vec![0, 1, 999_999, 1_000_000, 999_999_999]),
    );
    prop_oneof![any, near].prop_map(|(second, nano)| Timestamp::new(second, nano).unwrap())
}

fn day() -> impl Strategy<Value = Date> {
    let any = (0..=9999_i16, 1..=12_i8, 1..=28_i8);
    let near = (2024..=2025_i16, 1..=2_i8, 1..=3_i8);
    prop_oneof![any, near].prop_map(|(year, month, day)| Date::new(year, month, day).unwrap())
}

fn texts(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Texts> {
    (text.clone(), text.clone(), text).prop_map(|(a, b, c)| Texts { a, b: b.into(), c })
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let y = prop_oneof![0..12_u32, 0..100_000_u32];
    (number(), number(), y).prop_map(|(n, x, y)| Numbers { n, x, y })
}

fn signed() -> impl Strategy<Value = Signed> {
    let high = prop_oneof![-12..12_i64, any::<i64>(), Just(i64::MIN), Just(i64::MAX)];
    (any::<i8>(), high).prop_map(|(low, high)| Signed {
        low: Ordered(low),
        high: Ordered(high),
    })
}

fn ids() -> impl Strategy<Value = Ids> {
    let sorted = prop_oneof![0..9_u128, any::<u128>(), Just(u128::MAX)];
    let random = prop_oneof![0..9_u128, any::<u128>()];
    (random, sorted).prop_map(|(random, sorted)| Ids {
        random: Uuid::from_u128(random),
        sorted: Ulid(sorted),
    })
}

fn times() -> impl Strategy<Value = Times> {
    (instant(), day()).prop_map(|(at, day)| Times { at, day })
}

fn exact() -> impl Strategy<Value = Exact> {
    instant().prop_map(|at| Exact { at })
}

fn words(text: impl Strategy<Value = String>) -> impl Strategy<Value = Words> {
    (stage(), text).prop_map(|(stage, name)| Words {
        stage,
        name: Name(name),
    })
}

fn lengths(text: impl Strategy<Value = String>) -> impl Strategy<Value = Lengths> {
    ("[ab01]{4}|é[ab]{2}|[ab]é[ab]|éé", "[ab01]{6}", text).prop_map(|(code, iso, tail)| Lengths {
        code,
        iso,
        tail,
    })
}

fn file(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = File> {
    (text.clone(), text).prop_map(|(bucket, path)| File { bucket, path })
}

fn functions(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Functions> {
    (text.clone(), text.clone(), text.clone(), text).prop_map(|(email, name, token, id)| {
        Functions {
            email,
            name,
            token,
            id,
        }
    })
}

fn own(text: impl Strategy<Value = String>) -> impl Strategy<Value = Own> {
    let year = prop_oneof![0..30_u32, any::<u32>()];
    (year, text, 0..3_u32).prop_map(|(year, name, n)| Own { year, name, n })
}

fn nested(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Nested> {
    (text.clone(), text, 0..100_000_u32).prop_map(|(email, city, zip)| Nested {
        data: Data {
            email,
            place: Place { city, zip },
        },
    })
}

fn version(text: impl Strategy<Value = String>) -> impl Strategy<Value = Version> {
    (
        stage(),
        0..300_u16,
        0..1000_u16,
        0..1000_u16,
        0..100_u8,
        text,
    )
        .prop_map(|(stage, build, major, minor, patch, note)| Version {
            stage,
            build,
            major,
            minor,
            patch,
            note,
        })
}

fn angle(text: impl Strategy<Value = String>) -> impl Strategy<Value = Angle> {
    text.prop_map(|id| Angle { id })
}

fn colon(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Colon> {
    (text.clone(), text.clone(), text).prop_map(|(a, b, c)| Colon { a, b, c })
}
