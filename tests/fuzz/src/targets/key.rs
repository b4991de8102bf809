//! Keys: a stored key that can be taken apart is put together again from its parts, and no two tuples of values make the same key.

use crate::input::Input;
use dyna_runtime::entity::Key;
use dyna_runtime::{DynaEntity, DynaTable, Ordered};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "message", pk = "pk", sk = "sk"),
    pk = "CHANNEL#<channel>",
    sk = "MSG#<at:013>#<id>"
)]
struct Message {
    channel: String,
    at: u64,
    id: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "file", pk = "pk", sk = "sk"),
    pk = "<owner><id:len=6>",
    sk = "<day>#<path..>"
)]
struct File {
    owner: String,
    id: String,
    day: Date,
    path: String,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "count", pk = "pk", sk = "sk"),
    pk = "N#<n:plain>-<m:03>",
    sk = "<deep..><last:04>"
)]
struct Count {
    n: u32,
    m: u16,
    deep: String,
    last: u16,
}

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "event", pk = "pk", sk = "sk", delimiter = "/"),
    pk = "E/<id>/<by>",
    sk = "<at>/<level>/<text>",
    delimiter = "/"
)]
struct Event {
    id: Uuid,
    by: String,
    at: Timestamp,
    level: Ordered<i32>,
    text: String,
}

pub(super) fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let kind = input.byte();
    let entity = kind % 4;
    if kind > 127 {
        return pair(entity, &mut input);
    }
    let rest = input.rest();
    let (pk, sk) = rest.split_once('\n').unwrap_or((&rest, ""));
    // Others may have stored the character that ends ranges; it can be read, and no key of ours has it.
    if rest.contains('\u{10FFFF}') {
        return;
    }
    match entity {
        0 => {
            if let Ok((channel, at, id)) = Message::parse_key(pk, sk) {
                same(&Message::key(channel, at, id), &Message::raw_key(pk, sk));
            }
        }
        1 => {
            if let Ok((owner, id, day, path)) = File::parse_key(pk, sk) {
                same(&File::key(owner, id, day, path), &File::raw_key(pk, sk));
            }
        }
        2 => {
            if let Ok((n, m, deep, last)) = Count::parse_key(pk, sk) {
                same(&Count::key(n, m, deep, last), &Count::raw_key(pk, sk));
            }
        }
        _ => {
            if let Ok((id, by, at, level, text)) = Event::parse_key(pk, sk) {
                same(
                    &Event::key(id, by, at, level, text),
                    &Event::raw_key(pk, sk),
                );
            }
        }
    }
}

/// What was taken apart is valid, and the same key again.
fn same<E: dyna_runtime::entity::Entity>(built: &Key<E>, stored: &Key<E>) {
    assert_eq!(built.check().is_ok(), stored.check().is_ok());
    assert!(built.check().is_err() || built == stored);
}

/// Two tuples of values that make the same key are the same.
fn pair(entity: u8, input: &mut Input<'_>) {
    match entity {
        0 => distinct(input, message, |(channel, at, id)| {
            Message::key(channel, at, id)
        }),
        1 => distinct(input, file, |(owner, id, day, path)| {
            File::key(owner, id, day, path)
        }),
        2 => distinct(input, count, |(n, m, deep, last)| {
            Count::key(n, m, deep, last)
        }),
        _ => distinct(input, event, |(id, by, at, level, text)| {
            Event::key(id, by, at, level, text)
        }),
    }
}

fn distinct<V: Clone + PartialEq, E: dyna_runtime::entity::Entity>(
    input: &mut Input<'_>,
    values: impl Fn(&mut Input<'_>) -> V,
    key: impl Fn(V) -> Key<E>,
) {
    let (one, other) = (values(input), values(input));
    let (first, second) = (key(one.clone()), key(other.clone()));
    if first.check().is_ok() && second.check().is_ok() {
        assert_eq!(first == second, one == other);
    }
}

fn message(input: &mut Input<'_>) -> (String, u64, String) {
    (input.text(), input.number(), input.text())
}

fn file(input: &mut Input<'_>) -> (String, String, Date, String) {
    (input.text(), input.text(), date(input), input.text())
}

fn count(input: &mut Input<'_>) -> (u32, u16, String, u16) {
    let small = |input: &mut Input<'_>| u16::from(input.byte()) << input.below(8);
    let n = u32::from(small(input)) << input.below(16);
    (n, small(input), input.text(), small(input))
}

fn event(input: &mut Input<'_>) -> (Uuid, String, Timestamp, Ordered<i32>, String) {
    let id = Uuid::from_u128(input.number().into());
    let by = input.text();
    let at = Timestamp::from_millisecond(i64::from_ne_bytes(input.number().to_ne_bytes()) >> 17);
    let level = i32::from(input.byte()) - 128;
    (
        id,
        by,
        at.unwrap_or_default(),
        Ordered(level << input.below(24)),
        input.text(),
    )
}

fn date(input: &mut Input<'_>) -> Date {
    let year = i16::from(input.byte()) * 39;
    let month = i8::try_from(input.below(12)).unwrap_or_default() + 1;
    let day = i8::try_from(input.below(28)).unwrap_or_default() + 1;
    Date::new(year, month, day).unwrap_or_default()
}
