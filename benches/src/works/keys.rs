//! Building keys, for each kind of placeholder.
//!
//! By hand means: with the checks that Dyna makes, and one allocation of the exact size for each half of the key.

use super::{DYNA, FORMAT, HAND};
use crate::hand;
use crate::work::{Contestant, Work};
use dyna_runtime::{DynaEntity, DynaTable, Get, Key, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::hint::black_box;
use uuid::Uuid;

#[derive(DynaTable)]
#[dyna(name = "keys", pk = "pk", sk = "sk")]
enum Keys {
    Text(Text),
    Number(Number),
    Id(Id),
    Time(Time),
    Word(Word),
    Lower(Lower),
    Hash(Hash),
}

macro_rules! entities {
    ($($name:ident { $($field:ident: $type:ty),* } $pk:literal $sk:literal)*) => {$(
        #[derive(Serialize, Deserialize, DynaEntity)]
        #[dyna(table = Keys, pk = $pk, sk = $sk)]
        struct $name { $($field: $type),* }
    )*};
}

entities! {
    Text { user: String, device: String } "USER#<user>" "DEVICE#<device>"
    Number { channel: String, at: u64, id: String } "CHANNEL#<channel>" "MSG#<at:013>#<id>"
    Id { order: Uuid, line: Uuid } "ORDER#<order>" "LINE#<line>"
    Time { sensor: String, at: Timestamp } "SENSOR#<sensor>" "AT#<at>"
    Word { job: String, state: State } "JOB#<job>" "STATE#<state>"
    Lower { email: String } "EMAIL#<email|lower>" "-"
    Hash { token: String } "TOKEN#<token|sha256>" "-"
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, KeyPart)]
enum State {
    Waiting,
    Running,
}

impl State {
    fn text(self) -> &'static str {
        match self {
            Self::Waiting => "Waiting",
            Self::Running => "Running",
        }
    }
}

/// Dyna's, whose texts are only known to requests.
fn ours<E: DynaEntity>(build: impl Fn() -> Key<E> + Clone + 'static) -> Contestant {
    let again = build.clone();
    Contestant::shown(
        DYNA,
        || (),
        move |()| drop(black_box(build())),
        move |()| texts(again()),
    )
}

fn texts<E: DynaEntity>(key: Key<E>) -> Value {
    let explained = Get::new(key).explain();
    let text = |member| {
        explained
            .get(member)
            .map(|text| text.trim_matches('"').to_owned())
    };
    json!([text("Key.pk"), text("Key.sk")])
}

fn fits(text: &str) -> Option<&str> {
    (!text.is_empty() && !text.contains(['#', '\u{10FFFF}'])).then_some(text)
}

/// One allocation of the exact size.
fn join(prefix: &str, value: &str) -> String {
    let mut out = String::with_capacity(prefix.len() + value.len());
    out.push_str(prefix);
    out.push_str(value);
    out
}

pub(super) fn works() -> Vec<Work> {
    vec![
        Work::new("key/text", text),
        Work::new("key/number", number),
        Work::new("key/uuid", id),
        Work::new("key/time", time),
        Work::new("key/enum", word),
        Work::new("key/lower", lower),
        Work::new("key/sha256", hash),
    ]
}

fn user() -> &'static str {
    black_box("user-7c1d9a")
}

fn text() -> [Contestant; 3] {
    let device = || black_box("device-01");
    let by_hand = move || {
        Some((
            join("USER#", fits(user())?),
            join("DEVICE#", fits(device())?),
        ))
    };
    let formatted = move || Some((format!("USER#{}", user()), format!("DEVICE#{}", device())));
    [
        ours(move || Text::key(user(), device())),
        Contestant::new(HAND, by_hand),
        Contestant::new(FORMAT, formatted),
    ]
}

fn number() -> [Contestant; 3] {
    let channel = || black_box("general-4711");
    let at = || black_box(1_735_257_600_000_u64);
    let id = || black_box("01J0000000000000000000000");
    let formatted = move || {
        let pk = format!("CHANNEL#{}", channel());
        Some((pk, format!("MSG#{:013}#{}", at(), id())))
    };
    [
        ours(move || Number::key(channel(), at(), id())),
        Contestant::new(HAND, move || hand::keys(channel(), at(), id())),
        Contestant::new(FORMAT, formatted),
    ]
}

fn id() -> [Contestant; 3] {
    let order = || black_box(Uuid::from_u128(0x0192_3f00_7a51_7c7c_a3a1_5f0e_11d2_9c01));
    let line = || black_box(Uuid::from_u128(0x0192_3f00_7a52_7d01_b7c2_9a64_0e5f_4410));
    let by_hand = move || {
        let mut text = Uuid::encode_buffer();
        let pk = join("ORDER#", order().hyphenated().encode_lower(&mut text));
        let sk = join("LINE#", line().hyphenated().encode_lower(&mut text));
        Some((pk, sk))
    };
    let formatted = move || Some((format!("ORDER#{}", order()), format!("LINE#{}", line())));
    [
        ours(move || Id::key(order(), line())),
        Contestant::new(HAND, by_hand),
        Contestant::new(FORMAT, formatted),
    ]
}

fn time() -> [Contestant; 3] {
    let since = jiff::SignedDuration::from_millis(1_735_257_600_123);
    let at = move || black_box(Timestamp::UNIX_EPOCH + since);
    let by_hand = move || {
        let mut sk = String::with_capacity("AT#2024-12-27T00:00:00.000Z".len());
        sk.push_str("AT#");
        civil(at().as_second(), &mut sk);
        sk.push('.');
        hand::digits::<3>(at().subsec_millisecond().unsigned_abs().into(), &mut sk);
        sk.push('Z');
        Some((join("SENSOR#", fits(user())?), sk))
    };
    let formatted = move || Some((format!("SENSOR#{}", user()), format!("AT#{:.3}", at())));
    [
        ours(move || Time::key(user(), at())),
        Contestant::new(HAND, by_hand),
        Contestant::new(FORMAT, formatted),
    ]
}

fn word() -> [Contestant; 3] {
    let state = || black_box(State::Running);
    let by_hand = move || Some((join("JOB#", fits(user())?), join("STATE#", state().text())));
    let formatted = move || {
        Some((
            format!("JOB#{}", user()),
            format!("STATE#{}", state().text()),
        ))
    };
    [
        ours(move || Word::key(user(), state())),
        Contestant::new(HAND, by_hand),
        Contestant::new(FORMAT, formatted),
    ]
}

fn email() -> &'static str {
    black_box("Ann.Example@Example.com")
}

fn lower() -> [Contestant; 3] {
    let by_hand = || {
        Some((
            join("EMAIL#", &fits(email())?.to_lowercase()),
            "-".to_owned(),
        ))
    };
    let formatted = || Some((format!("EMAIL#{}", email().to_lowercase()), "-".to_owned()));
    [
        ours(|| Lower::key(email())),
        Contestant::new(HAND, by_hand),
        Contestant::new(FORMAT, formatted),
    ]
}

fn hash() -> [Contestant; 3] {
    let formatted = || {
        let mut pk = String::from("TOKEN#");
        for byte in Sha256::digest(email()) {
            let _ = write!(pk, "{byte:02x}");
        }
        Some((pk, "-".to_owned()))
    };
    [
        ours(|| Hash::key(email())),
        Contestant::new(HAND, || Some((hashed(email()), "-".to_owned()))),
        Contestant::new(FORMAT, formatted),
    ]
}

fn hashed(text: &str) -> String {
    let mut out = String::with_capacity("TOKEN#".len() + 64);
    out.push_str("TOKEN#");
    for byte in Sha256::digest(text) {
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
    }
    out
}

/// `2024-12-27T00:00:00` of a time in seconds.
fn civil(seconds: i64, out: &mut String) {
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year + era * 400 + i64::from(month <= 2);
    let of_day = seconds.rem_euclid(86_400);
    hand::digits::<4>(year.unsigned_abs(), out);
    let rest = [
        ('-', month),
        ('-', of_year - (153 * shifted + 2) / 5 + 1),
        ('T', of_day / 3_600),
        (':', of_day / 60 % 60),
        (':', of_day % 60),
    ];
    for (separator, value) in rest {
        out.push(separator);
        hand::digits::<2>(value.unsigned_abs(), out);
    }
}
