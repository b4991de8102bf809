//! The access patterns of the catalog are calls that compile, and ask what they are said to ask.

use dyna_cli::{AccessPattern, Catalog};
use dyna_runtime::{DynaEntity, DynaFields, DynaTable, Explain, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    index(inbox, pk = "inbox", sk = "inboxAt"),
    index(by_size, pk = ["room", "kind"], sk = [number("size"), "type"]),
    local_index(by_file, sk = "file"),
)]
enum Chat {
    Post(Post),
}

#[derive(Debug, Clone, Serialize, Deserialize, KeyPart)]
enum Kind {
    Text,
    Image,
}

#[derive(Debug, Clone, Serialize, Deserialize, DynaFields)]
struct Person {
    name: String,
}

/// Every kind of placeholder, at every place of a key.
#[derive(Debug, Clone, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Chat,
    pk = "ROOM#<room>",
    sk = "<kind>#<day:%Y-%m-%d>#<n:05>#<at:len=4>#<id>",
    inbox(as = to, pk = "<to.name|lower>", sk = "<from.name>#<at:len=4>.end"),
    by_size(pk = ["<room>", "<kind>"], sk = ["<size>", "<r#type>"]),
    by_file(pk = "ROOM#<room>", sk = "FILE#<path..>"),
)]
struct Post {
    room: String,
    kind: Kind,
    day: jiff::civil::Date,
    n: u32,
    at: String,
    id: String,
    to: Person,
    from: Person,
    size: i64,
    r#type: String,
    path: String,
}

/// A call as it is written, what it asks, and how its own values are spelled in a key.
struct Asked {
    call: &'static str,
    explain: Explain,
    spelled: Vec<(&'static str, &'static str)>,
}

macro_rules! calls {
    ($($(@($($name:ident = $value:expr => $spelled:literal),*))? $call:expr;)*) => {
        vec![$({
            $($(let $name = $value;)*)?
            Asked {
                call: stringify!($call),
                explain: $call.explain(),
                spelled: vec![$($((stringify!($name), $spelled)),*)?],
            }
        }),*]
    };
}

/// Every call that there is, with the values of [`SPELLED`].
#[rustfmt::skip]
fn asked() -> Vec<Asked> {
    let (room, kind, n, at, id) = ("hall", &Kind::Image, 7_u32, "noon", "p1");
    let (size, r#type, path) = (-3_i64, "gif", "a/b#c");
    let (to_name, from_name) = ("Ann", "bob");
    let day = jiff::civil::date(2025, 2, 3);
    let later = jiff::civil::date(2025, 3, 4);
    calls! {
        Post::get(room, kind, day, n, at, id);
        Post::query(room);
        Post::query(room).kind(kind);
        @(low = day => "2025-02-03", high = later => "2025-03-04")
        Post::query(room).kind(kind).day_range(low..=high);
        Post::query(room).kind(kind).day(day);
        @(low = 1_u32 => "00001", high = 2_u32 => "00002")
        Post::query(room).kind(kind).day(day).n_range(low..=high);
        Post::query(room).kind(kind).day(day).n(n);
        @(low = "dawn" => "dawn", high = "dusk" => "dusk")
        Post::query(room).kind(kind).day(day).n(n).at_range(low..=high);
        Post::query(room).kind(kind).day(day).n(n).at(at);
        @(low = "a" => "a", high = "z" => "z")
        Post::query(room).kind(kind).day(day).n(n).at(at).id_range(low..=high);
        @(prefix = "p" => "p")
        Post::query(room).kind(kind).day(day).n(n).at(at).id_starts_with(prefix);
        Post::to(to_name);
        Post::to(to_name).from_name(from_name);
        @(low = "dawn" => "dawn", high = "dusk" => "dusk")
        Post::to(to_name).from_name(from_name).at_range(low..=high);
        Post::to(to_name).from_name(from_name).at(at);
        Post::by_size(room, kind);
        @(low = -5_i64 => "-5", high = 5_i64 => "5")
        Post::by_size(room, kind).size_range(low..=high);
        Post::by_size(room, kind).size(size);
        @(low = "a" => "a", high = "z" => "z")
        Post::by_size(room, kind).size(size).type_range(low..=high);
        @(prefix = "g" => "g")
        Post::by_size(room, kind).size(size).type_starts_with(prefix);
        Post::by_size(room, kind).size(size).r#type(r#type);
        Post::by_file(room);
        @(low = "a/" => "a/", high = "a/z" => "a/z")
        Post::by_file(room).path_range(low..=high);
        @(prefix = "a/" => "a/")
        Post::by_file(room).path_starts_with(prefix);
        Post::by_file(room).path(path);
    }
}

/// What the calls are given, as it is written in a key.
const SPELLED: &[(&str, &str)] = &[
    ("room", "hall"),
    ("kind", "Image"),
    ("day", "2025-02-03"),
    ("n", "00007"),
    ("at", "noon"),
    ("id", "p1"),
    ("to.name|lower", "ann"),
    ("from.name", "bob"),
    ("size", "-3"),
    ("type", "gif"),
    ("path", "a/b#c"),
];

impl Asked {
    /// The pattern's values, with what the call was given.
    fn values(&self, pattern: &AccessPattern) -> Vec<String> {
        let values = pattern.values.iter().map(|(_, template)| {
            let spelled = SPELLED.iter().chain(&self.spelled);
            spelled.fold(template.clone(), |text, (name, value)| {
                text.replace(&format!("<{name}>"), value)
            })
        });
        values.collect()
    }

    /// The values of the request.
    fn asked(&self) -> Vec<String> {
        let members = self.explain.parameters().iter();
        let values =
            members.filter(|(name, _)| name.starts_with([':', 'K']) && !name.starts_with("KeyC"));
        values
            .map(|(_, value)| value.trim_matches('"').to_owned())
            .collect()
    }
}

#[test]
fn access_patterns_list_all_calls_and_their_requests() {
    let patterns = Catalog::of::<Chat>().access_patterns();
    let asked = asked();
    let listed: Vec<_> = patterns
        .iter()
        .map(|pattern| pattern.call.as_str())
        .collect();
    let calls: Vec<_> = asked.iter().map(|asked| asked.call).collect();
    assert_eq!(listed, calls);
    for (pattern, asked) in patterns.iter().zip(&asked) {
        let explain = &asked.explain;
        assert_eq!(pattern.entity, "Post");
        assert_eq!(pattern.operation, explain.operation(), "{explain}");
        assert_eq!(pattern.index, explain.get("IndexName"), "{explain}");
        assert_eq!(asked.values(pattern), asked.asked(), "{explain}");
        if pattern.operation == "Query" {
            let condition = explain.get("KeyConditionExpression");
            assert_eq!(Some(pattern.condition.as_str()), condition, "{explain}");
        }
    }
}
