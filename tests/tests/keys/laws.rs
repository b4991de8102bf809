//! Different values have different keys: within an entity, and across the entities of a table.

use super::{
    Angle, Colon, Exact, File, Functions, Ids, Lengths, Nested, Numbers, Own, Sample, Signed, Text,
    Texts, Times, Version, Words, angle, colon, exact, file, functions, hostile, ids, initial,
    lengths, nested, numbers, own, signed, stage, texts, times, version, words,
};
use crate::keys::Stage;
use dyna_runtime::{DynaEntity, DynaTable, Explain, Ordered};
use jiff::civil::Date;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ulid::Ulid;
use uuid::Uuid;

/// Two samples have the same key exactly if `seen` sees the same of them; samples without a key say nothing.
fn injective<S: Sample, V: PartialEq>(
    a: &S,
    b: &S,
    seen: impl Fn(&S) -> V,
) -> Result<(), TestCaseError> {
    if let (Some(key), Some(other)) = (a.text(), b.text()) {
        prop_assert_eq!(
            seen(a) == seen(b),
            key == other,
            "{:?} and {:?}",
            key,
            other
        );
    }
    Ok(())
}

/// What a key says of an instant without a layout.
fn millisecond(at: jiff::Timestamp) -> i64 {
    at.as_nanosecond().div_euclid(1_000_000).try_into().unwrap()
}

macro_rules! injective {
    ($($name:ident: $strategy:expr, |$it:ident: &$entity:ident| $seen:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(1024))]
            $(
                #[test]
                fn $name(a in $strategy, b in $strategy) {
                    injective(&a, &b, |$it: &$entity| $seen)?;
                    injective(&a, &a.clone(), |$it: &$entity| $seen)?;
                }
            )*
        }
    };
}

injective! {
    texts_are_injective: texts(hostile()), |it: &Texts| it.clone();
    numbers_are_injective: numbers(), |it: &Numbers| it.clone();
    signed_numbers_are_injective: signed(), |it: &Signed| it.clone();
    ids_are_injective: ids(), |it: &Ids| it.clone();
    times_are_injective_by_millisecond: times(), |it: &Times| (millisecond(it.at), it.day);
    laid_out_times_are_injective: exact(), |it: &Exact| it.clone();
    words_are_injective: words(hostile()), |it: &Words| it.clone();
    lengths_are_injective: lengths(hostile()), |it: &Lengths| it.clone();
    rests_are_injective: file(hostile()), |it: &File| it.clone();
    nested_fields_are_injective: nested(hostile()), |it: &Nested| it.clone();
    mixed_fields_are_injective: version(hostile()), |it: &Version| it.clone();
    angles_are_injective: angle(hostile()), |it: &Angle| it.clone();
    another_delimiter_is_injective: colon(hostile()), |it: &Colon| it.clone();
    functions_are_injective_on_their_images: functions(hostile()), |it: &Functions| {
        (it.email.to_lowercase(), it.name.to_uppercase(), it.token.clone(), it.id.clone())
    };
    own_functions_are_injective_on_their_images: own(hostile()), |it: &Own| {
        (it.year / 10, initial(&it.name), it.n)
    };
}

/// The text of every key, for people to read.
#[expect(clippy::too_many_lines, reason = "one sample after the other")]
#[test]
fn key_matches_its_template() {
    let text = |pk: &str, sk: &str| {
        Some(Text {
            pk: pk.to_owned(),
            sk: sk.to_owned(),
        })
    };
    let id = Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
    let day = Date::new(2025, 12, 27).unwrap();
    let at = "2025-12-27T01:02:03.456789Z".parse().unwrap();
    let iso = |text: &str| text.to_owned();

    let texts = Texts {
        a: iso("a"),
        b: "b".into(),
        c: iso("é"),
    };
    assert_eq!(texts.text(), text("TXT#a", "T#b#é"));
    assert_eq!(
        Numbers { n: 7, x: 8, y: 9 }.text(),
        text("NUM#7", "N#00000000000000000008#00009")
    );
    let signed = Signed {
        low: Ordered(-1),
        high: Ordered(0),
    };
    assert_eq!(
        signed.text(),
        text("SIGNED#127", "S#09223372036854775808#127")
    );
    let ids = Ids {
        random: id,
        sorted: Ulid(1),
    };
    assert_eq!(
        ids.text(),
        text(
            "ID#01234567-89ab-cdef-0123-456789abcdef",
            "00000000000000000000000001"
        )
    );
    assert_eq!(
        Times { at, day }.text(),
        text(
            "TIME#2025-12",
            "2025-12-27T01:02:03.456Z#2025-12-27#2025361"
        )
    );
    assert_eq!(
        Exact { at }.text(),
        text("EXACT", "2025-12-27 01:02:03.456789000")
    );
    let words = Words {
        stage: Stage::PreRelease,
        name: super::Name(iso("x")),
    };
    assert_eq!(words.text(), text("WORD#pre-release", "x"));
    let lengths = Lengths {
        code: iso("éé"),
        iso: iso("123456"),
        tail: iso("t"),
    };
    assert_eq!(lengths.text(), text("LEN#éé", "L#123456#t"));
    let file = File {
        bucket: iso("b"),
        path: iso("#a#/b#"),
    };
    assert_eq!(file.text(), text("FILE#b", "F##a#/b#"));
    let nested = super::Data {
        email: iso("e"),
        place: super::Place {
            city: iso("c"),
            zip: 7,
        },
    };
    assert_eq!(Nested { data: nested }.text(), text("NEST#e", "c#00007"));
    let version = Version {
        stage: Stage::Pre,
        build: 7,
        major: 1,
        minor: 2,
        patch: 3,
        note: iso("n"),
    };
    assert_eq!(version.text(), text("VER#pre.7", "v001.00203-n"));
    assert_eq!(Angle { id: iso("<>") }.text(), text("<ANGLE>#<>", "<<>"));
    let colon = Colon {
        a: iso("a#"),
        b: iso("b"),
        c: iso("c"),
    };
    assert_eq!(colon.text(), text("C:a#", "#:b:c"));
    assert_eq!(
        Own {
            year: 1987,
            name: iso("éa"),
            n: 5
        }
        .text(),
        text("OWN#198", "é#0000000005")
    );
    let functions = Functions {
        email: iso("A@B.ß"),
        name: iso("straße"),
        token: iso("abc"),
        id: iso("x"),
    };
    let key = functions.text().unwrap();
    assert_eq!(key.pk, format!("FN#a@b.ß#{}", &key.pk[key.pk.len() - 2..]));
    let hash: Vec<_> = Sha256::digest("abc")
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(key.sk, format!("STRASSE#{}#x", hash.concat()));
}

/// Shards are where others have stored their items: the buckets never move, and all are used.
#[test]
fn shards_stay_and_spread() {
    let bucket = |id: &str| {
        let it = Functions {
            email: "e".into(),
            name: "n".into(),
            token: "t".into(),
            id: id.into(),
        };
        it.text().unwrap().pk.replace("FN#e#", "")
    };
    assert_eq!(
        [bucket("a"), bucket("b"), bucket("user-1")],
        ["00", "09", "14"]
    );
    let used: std::collections::BTreeSet<_> = (0..200).map(|n| bucket(&n.to_string())).collect();
    let all: std::collections::BTreeSet<_> = (0..16).map(|n| format!("{n:02}")).collect();
    assert_eq!(used, all);
}

/// Entities that share their partitions, told apart by nothing but the shapes of their sort keys.
#[derive(DynaTable)]
#[dyna(name = "shared", pk = "pk", sk = "sk")]
enum Shared {
    Meta(Meta),
    One(One),
    Two(Two),
    Tail(Tail),
    Number(Number),
    Day(Day),
    Id(Id),
    Sorted(Sorted),
    Word(Word),
    Dotted(Dotted),
    Digits(Digits),
}

macro_rules! shared {
    ($($entity:ident, $sk:literal { $($field:ident: $type:ty),* };)*) => {$(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
        #[dyna(table = Shared, pk = "P#<p>", sk = $sk)]
        struct $entity {
            p: String,
            $($field: $type,)*
        }

        impl Sample for $entity {
            fn written(&self) -> Explain {
                self.put().explain()
            }

            fn looked_up(&self) -> Explain {
                $entity::get(&self.p, $(&self.$field),*).explain()
            }
        }
    )*};
}

shared! {
    Meta, "META" {};
    One, "A#<x>" { x: String };
    Two, "A#<x>#<y>" { x: String, y: String };
    Tail, "A#<x>#<y>#<z..>" { x: String, y: String, z: String };
    Number, "<n:010>" { n: u64 };
    Day, "<day>" { day: Date };
    Id, "<id>" { id: Uuid };
    Sorted, "<id>" { id: Ulid };
    Word, "<stage>" { stage: Stage };
    Dotted, "v<major:03>.<minor:03>" { major: u16, minor: u16 };
    Digits, "v<n:07>" { n: u32 };
}

/// Short texts, to be joined by delimiters.
fn pieces() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[ab]{0,1}", 3..6)
}

/// Where to cut them, in two ways.
fn cuts() -> impl Strategy<Value = (usize, usize, usize, usize)> {
    (1..3_usize, 0..3_usize, 1..3_usize, 0..3_usize).prop_map(|(i, j, k, l)| (i, i + j, k, k + l))
}

/// The pieces before, between and after two places, joined.
fn cut(pieces: &[String], i: usize, j: usize) -> (String, String, String) {
    let j = j.min(pieces.len());
    (
        pieces[..i].join("#"),
        pieces[i..j].join("#"),
        pieces[j..].join("#"),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// The same text is cut at different delimiters, so that joining it again without care gives one key.
    #[test]
    fn text_that_is_cut_in_two_ways_has_two_keys(pieces in pieces(), (i, j, k, l) in cuts()) {
        let (x, y, z) = cut(&pieces, i, j);
        let (u, v, w) = cut(&pieces, k, l);
        let texts = |(a, b, c): (&String, &String, &String)| Texts { a: a.clone(), b: b.as_str().into(), c: c.clone() };
        let a = || "a".to_owned();
        injective(&texts((&a(), &x, &y)), &texts((&a(), &u, &v)), Clone::clone)?;
        injective(&texts((&x, &y, &z)), &texts((&u, &v, &w)), Clone::clone)?;
        let file = |bucket: &String, path: &String| File { bucket: bucket.clone(), path: path.clone() };
        injective(&file(&x, &y), &file(&u, &v), Clone::clone)?;
        let two = |x: &String, y: &String| Two { p: a(), x: x.clone(), y: y.clone() };
        injective(&two(&x, &y), &two(&u, &v), Clone::clone)?;
        let tail = |x: &String, y: &String, z: &String| Tail { p: a(), x: x.clone(), y: y.clone(), z: z.clone() };
        injective(&tail(&x, &y, &z), &tail(&u, &v, &w), Clone::clone)?;
        let colon = |b: &String, c: &String| Colon { a: a(), b: b.replace('#', ":"), c: c.replace('#', ":") };
        injective(&colon(&x, &y), &colon(&u, &v), Clone::clone)?;
        let functions = |name: &String, id: &String| {
            Functions { email: a(), name: name.clone(), token: a(), id: id.clone() }
        };
        let seen = |it: &Functions| (it.name.to_uppercase(), it.id.clone());
        injective(&functions(&x, &y), &functions(&u, &v), seen)?;
    }

    /// Two numbers without anything between them, of which only the widths tell where one ends.
    #[test]
    fn adjacent_numbers_are_injective(a in (0..120_u16, 0..20_u8), b in (0..120_u16, 0..20_u8)) {
        let version = |(minor, patch)| Version {
            stage: Stage::Pre, build: 1, major: 1, minor, patch, note: "n".to_owned(),
        };
        // The digits of one are the digits of the other, cut elsewhere.
        let digits = format!("{}{}", a.0, a.1);
        let moved = (digits[..1].parse().unwrap(), digits[1..].parse().unwrap_or(0));
        injective(&version(a), &version(b), Clone::clone)?;
        injective(&version(a), &version(moved), Clone::clone)?;
    }

    #[test]
    fn entities_never_share_a_key(
        p in hostile(), pieces in pieces(), (i, j, k, _) in cuts(),
        n in 0..1200_u16, stage in stage(), day in super::day(), id in any::<u128>(),
    ) {
        let p = || p.clone();
        let small = n % 1000;
        let (x, y, z) = cut(&pieces, i, j);
        let (u, v, _) = cut(&pieces, k, pieces.len());
        let keys = [
            Meta { p: p() }.text(),
            One { p: p(), x: pieces.join("#") }.text(),
            Two { p: p(), x: u, y: v }.text(),
            Tail { p: p(), x, y, z }.text(),
            Number { p: p(), n: n.into() }.text(),
            Day { p: p(), day }.text(),
            Id { p: p(), id: Uuid::from_u128(id) }.text(),
            Sorted { p: p(), id: Ulid(id) }.text(),
            Word { p: p(), stage }.text(),
            Dotted { p: p(), major: small, minor: small }.text(),
            Digits { p: p(), n: n.into() }.text(),
        ];
        let mut keys: Vec<Text> = keys.into_iter().flatten().collect();
        let all = keys.len();
        keys.sort_by(|a, b| (&a.pk, &a.sk).cmp(&(&b.pk, &b.sk)));
        keys.dedup();
        prop_assert_eq!(keys.len(), all);
    }

    #[test]
    fn no_text_makes_a_key_of_another_entity(text in hostile(), stage in stage(), n in 0..1000_u16) {
        let t = || text.clone();
        let keys = [
            Texts { a: t(), b: t().into(), c: t() }.text(),
            Words { stage, name: super::Name(t()) }.text(),
            Lengths { code: t(), iso: t(), tail: t() }.text(),
            File { bucket: t(), path: t() }.text(),
            Functions { email: t(), name: t(), token: t(), id: t() }.text(),
            Own { year: n.into(), name: t(), n: n.into() }.text(),
            Nested { data: super::Data { email: t(), place: super::Place { city: t(), zip: n.into() } } }.text(),
            Version { stage, build: n, major: n, minor: n, patch: 7, note: t() }.text(),
            Angle { id: t() }.text(),
        ];
        let mut keys: Vec<_> = keys.into_iter().flatten().map(|key| (key.pk, key.sk)).collect();
        let all = keys.len();
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), all);
    }
}
