//! Single cases: the ones a reader would ask about, and the ones random templates do not reach.

use super::{mixed, part, seg, template};
use crate::shape::search::Relation;
use crate::shape::{
    Bytes, CROCKFORD, DIGIT, Field, HEX, Keys, Run, Seg, Shape, Template, ambiguity, byte, collide,
    intersect, matches, prefix_intersects, run, split, witness,
};

const UUID: Shape = Shape::Fixed(&[
    run(HEX, 8),
    byte(b'-'),
    run(HEX, 4),
    byte(b'-'),
    run(HEX, 4),
    byte(b'-'),
    run(HEX, 4),
    byte(b'-'),
    run(HEX, 12),
]);
pub(super) const DATE: Shape = Shape::Fixed(&[
    run(DIGIT, 4),
    byte(b'-'),
    run(DIGIT, 2),
    byte(b'-'),
    run(DIGIT, 2),
]);
pub(super) const TIME: Shape = Shape::Fixed(&[run(DIGIT, 2), byte(b':'), run(DIGIT, 2)]);

pub(super) fn one(shape: Shape) -> Template {
    template("<x>", &[part("x", shape)])
}

fn lit(text: &'static str) -> Template {
    template(text, &[Field::lit(text)])
}

#[test]
fn byte_sets_hold_what_they_say() {
    for (set, members) in [
        (DIGIT, "0123456789"),
        (HEX, "0123456789abcdef"),
        (CROCKFORD, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
        (Bytes::one(b'-'), "-"),
        (Bytes::NONE, ""),
    ] {
        for b in 0..=255u8 {
            assert_eq!(set.contains(b), members.as_bytes().contains(&b), "{b}");
        }
    }
    assert!((0..=255).all(|b| Bytes::ANY.contains(b)));
    assert_eq!(Bytes::range(0, 255), Bytes::ANY);
    assert!(Bytes::range(b'b', b'a').is_empty());
    assert!(Bytes::one(0xe9).contains(0xff) && !Bytes::one(0xe9).is_empty());
    assert!(DIGIT.and(Bytes::one(b'a')).is_empty());
}

#[test]
fn widths_are_known_where_they_are_fixed() {
    assert_eq!(UUID.width(), Some(36));
    assert_eq!(Shape::Digits(20).width(), Some(20));
    assert_eq!(Shape::Sized(24).width(), Some(24));
    assert_eq!(Shape::OneOf(&["on", "no"]).width(), Some(2));
    for shape in [
        Shape::Text,
        Shape::Rest,
        Shape::Opaque,
        Shape::Number(20),
        Shape::OneOf(&["a", "bc"]),
    ] {
        assert!(!shape.is_fixed_width(), "{shape:?}");
    }
}

#[test]
fn shapes_know_whether_they_contain_the_delimiter() {
    assert!(TIME.can_contain(b':') && !TIME.can_contain(b'#'));
    assert!(UUID.can_contain(b'-') && Shape::Number(3).can_contain(b'7'));
    assert!(Shape::OneOf(&["a", "b/c"]).can_contain(b'/'));
    assert!(!Shape::Text.can_contain(b'#') && !Shape::Sized(3).can_contain(b'#'));
    assert!(Shape::Rest.can_contain(b'#') && Shape::Opaque.can_contain(b'#'));
}

#[test]
fn fixed_layouts_are_compared_position_by_position() {
    assert!(!intersect(&one(DATE), &one(UUID)));
    assert!(!intersect(&one(DATE), &one(Shape::Digits(10))));
    assert!(intersect(&one(UUID), &one(UUID)));
    assert!(
        intersect(&one(DATE), &lit("2024-01-31")) && !intersect(&one(DATE), &lit("2024-1-31x"))
    );
    assert!(!intersect(
        &one(DATE),
        &one(Shape::OneOf(&["open", "closed"]))
    ));
    assert!(
        intersect(&one(DATE), &one(Shape::Sized(10))) && intersect(&one(DATE), &one(Shape::Text))
    );
}

#[test]
fn runs_of_no_bytes_do_not_matter() {
    const PADDED: Shape = Shape::Fixed(&[run(DIGIT, 0), byte(b'a'), run(DIGIT, 0)]);
    const LETTER: Shape = Shape::Fixed(&[byte(b'a')]);
    const DIGIT_OR_LETTER: Shape = Shape::Fixed(&[run(HEX, 1), run(Bytes::NONE, 0)]);
    assert!(intersect(&one(PADDED), &one(LETTER)));
    assert!(intersect(&one(DIGIT_OR_LETTER), &one(Shape::Digits(1))));
    assert_eq!(PADDED.width(), Some(1));
}

/// Numbers have at most their digits: "007" is no `<n>` of two digits, but one of three.
#[test]
fn numbers_are_as_long_as_their_type_allows() {
    assert!(!intersect(&one(Shape::Number(2)), &lit("007")));
    assert!(intersect(&one(Shape::Number(3)), &lit("007")));
    assert!(!intersect(&one(Shape::Number(3)), &one(Shape::Digits(4))));
}

#[test]
fn an_opaque_key_may_equal_any_other() {
    let opaque = one(Shape::Opaque);
    for other in [opaque, lit("A"), one(UUID), one(Shape::Text)] {
        assert!(intersect(&opaque, &other) && intersect(&other, &opaque));
    }
    assert_eq!(witness(&opaque, &opaque).as_str(), "0");
    assert!(matches(&opaque, "any # thing"));
}

#[test]
fn empty_fields_are_fields() {
    let gap = template("A##B", &[Field::lit("A"), Field::lit(""), Field::lit("B")]);
    let text = template(
        "A#<x>#B",
        &[Field::lit("A"), part("x", Shape::Text), Field::lit("B")],
    );
    let rest = template("A#<x..>", &[Field::lit("A"), part("x", Shape::Rest)]);
    let open = template("A#", &[Field::lit("A"), Field::lit("")]);
    assert!(matches(&gap, "A##B") && !matches(&gap, "A#B"));
    assert!(!intersect(&gap, &text) && intersect(&gap, &rest) && intersect(&gap, &gap));
    assert!(!intersect(&open, &rest) && !intersect(&rest, &open));
    assert!(prefix_intersects(&gap, 1, &open) && !prefix_intersects(&gap, 2, &open));
}

/// Long literals have hashed codes; equal length and a common beginning must not fool them.
#[test]
fn long_literals_are_compared_in_full() {
    assert!(intersect(&lit("CONFIGURATION"), &lit("CONFIGURATION")));
    assert!(!intersect(&lit("CONFIGURATION"), &lit("CONFIGURATIOM")));
    assert!(!intersect(&lit("CONFIGURATION"), &lit("CONFIGURATIONS")));
    assert!(!intersect(&lit("ab"), &lit("b")) && !intersect(&lit("\0"), &lit("\0\0")));
}

/// If the hash of two different literals were the same, they would still be told apart.
#[test]
fn a_hash_collision_changes_nothing() {
    let mut forged = Field::lit("CONFIGURATIOM");
    forged.code = Field::lit("CONFIGURATION").code;
    let forged = template("forged", &[forged]);
    assert!(!intersect(&forged, &lit("CONFIGURATION")));
    assert!(witness(&forged, &lit("CONFIGURATION")).is_empty());
}

/// A 200-byte literal beside a mixed field fits the automaton.
#[test]
fn long_literals_in_mixed_fields_are_compared() {
    let long = &*"L".repeat(200).leak();
    let a = template(
        "a",
        &[mixed(&[seg("n", Shape::Number(20)), Seg::Lit(long)])],
    );
    let b = template("b", &[mixed(&[seg("t", Shape::Text), Seg::Lit(long)])]);
    let c = template(
        "c",
        &[mixed(&[
            seg("t", Shape::Text),
            Seg::Lit("-"),
            Seg::Lit(long),
        ])],
    );
    assert!(intersect(&a, &b) && !intersect(&a, &c));
    assert_eq!(witness(&a, &b).as_str(), format!("0{long}"));
    let whole = lit(format!("7{long}").leak());
    assert!(intersect(&a, &whole) && intersect(&b, &whole) && !intersect(&c, &whole));
}

/// What is too long to compare counts as meeting, without an example.
#[test]
fn what_does_not_fit_the_automaton_is_unknown() {
    let long = &*"L".repeat(600).leak();
    let a = template("a", &[mixed(&[seg("t", Shape::Text), Seg::Lit(long)])]);
    let b = template("b", &[mixed(&[seg("t", Shape::Text), Seg::Lit("-")])]);
    assert_eq!(crate::shape::intersect::compare(&a, &b), Relation::Unknown);
    assert!(intersect(&a, &b) && witness(&a, &b).is_empty());
}

/// Even then, another field, a length or an end may settle it.
#[test]
fn what_does_not_fit_may_be_settled_otherwise() {
    let long = &*"L".repeat(600).leak();
    let a = template("a", &[mixed(&[seg("t", Shape::Text), Seg::Lit(long)])]);
    let b = template("b", &[mixed(&[seg("t", Shape::Text), Seg::Lit("-")])]);
    let c = template(
        "c",
        &[mixed(&[seg("n", Shape::Number(20)), Seg::Lit(long)])],
    );
    assert!(!intersect(&c, &one(Shape::Sized(300))));
    let with = |t: Template, last| template("two", &[t.fields[0], Field::lit(last)]);
    assert!(!intersect(&with(a, "E"), &with(b, "F")) && intersect(&with(a, "E"), &with(b, "E")));
}

/// `Sized(1)` is one whole character, never half of one.
#[test]
fn placeholders_do_not_split_characters() {
    let halves = template(
        "<a:len=1><b:len=1>",
        &[mixed(&[
            seg("a", Shape::Sized(1)),
            seg("b", Shape::Sized(1)),
        ])],
    );
    assert!(!intersect(&halves, &lit("é")) && !matches(&halves, "é"));
    assert!(intersect(&halves, &lit("ab")) && intersect(&one(Shape::Sized(2)), &lit("é")));
}

#[test]
fn keys_collide_if_both_parts_meet() {
    let keys = |pk: Template, sk| Keys {
        entity: "E",
        pk,
        sk,
    };
    let (a, b) = (lit("A"), lit("B"));
    assert!(collide(&keys(a, None), &keys(a, None)));
    assert!(!collide(&keys(a, None), &keys(b, None)));
    assert!(!collide(&keys(a, Some(a)), &keys(a, Some(b))));
    assert!(!collide(&keys(a, Some(a)), &keys(b, Some(a))));
    assert!(collide(&keys(a, Some(a)), &keys(a, Some(one(Shape::Text)))));
}

#[test]
fn split_gives_every_placeholder() {
    let t = template(
        "V#v<major>.<minor>#<day><kind>-<path..>",
        &[
            Field::lit("V"),
            mixed(&[
                Seg::Lit("v"),
                seg("major", Shape::Number(3)),
                Seg::Lit("."),
                seg("minor", Shape::Number(3)),
            ]),
            mixed(&[
                seg("day", DATE),
                seg("kind", Shape::OneOf(&["A", "AB"])),
                Seg::Lit("-"),
                seg("path", Shape::Rest),
            ]),
        ],
    );
    assert!(ambiguity(&t).is_none());
    assert_eq!(
        split(&t, "V#v12.7#2024-01-31AB-x#y"),
        Some(vec!["12", "7", "2024-01-31", "AB", "x#y"])
    );
    for wrong in [
        "V#v12.7#2024-01-31ABC-x",
        "V#v1234.7#2024-01-31A-x",
        "V#v1.7",
        "",
    ] {
        assert_eq!(split(&t, wrong), None, "{wrong}");
    }
}

/// Everything is decided while the crate is checked.
const _: () = {
    const A: Template = Template {
        text: "v<n>",
        delimiter: b'#',
        fields: &[Field::mixed(&[
            Seg::Lit("v"),
            Seg::Part(crate::shape::Part::new("n", Shape::Number(3))),
        ])],
    };
    const RUNS: &[Run] = &[byte(b'v'), run(DIGIT, 2)];
    const B: Template = Template {
        text: "<b>",
        delimiter: b'#',
        fields: &[Field::part(crate::shape::Part::new(
            "b",
            Shape::Fixed(RUNS),
        ))],
    };
    assert!(intersect(&A, &B) && prefix_intersects(&A, 1, &B));
    assert!(matches!(witness(&A, &B).as_str().as_bytes(), b"v00"));
};
