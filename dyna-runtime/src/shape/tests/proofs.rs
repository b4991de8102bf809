//! What `ambiguity` and `unsortable` accept and refuse.

use super::small::{DATE, TIME, one};
use super::{mixed, part, seg, template};
use crate::shape::{Ambiguity, Field, Seg, Shape, Template, ambiguity, is_open, unsortable};

fn ambiguous(segs: &[Seg]) -> Option<Ambiguity> {
    ambiguity(&template("t", &[mixed(segs), Field::lit("END")]))
}

#[test]
fn a_number_may_be_followed_by_a_non_digit() {
    let (n, text) = (seg("n", Shape::Number(3)), seg("x", Shape::Text));
    assert!(ambiguous(&[n, Seg::Lit("."), text]).is_none());
    for next in [&[Seg::Lit("0"), text][..], &[n], &[text]] {
        assert!(matches!(
            ambiguous(&[&[n], next].concat()),
            Some(Ambiguity::VariableWidth(..))
        ));
    }
    assert!(ambiguous(&[Seg::Lit("-"), text]).is_none());
}

/// What has no fixed width may stand before parts that have one: it ends so many bytes before its field.
#[test]
fn one_part_of_a_field_may_have_any_width() {
    let (n, text) = (seg("n", Shape::Number(3)), seg("x", Shape::Text));
    let words = seg("w", Shape::OneOf(&["a", "ab"]));
    let (id, day) = (seg("id", Shape::Sized(3)), seg("day", DATE));
    for open in [n, text, words] {
        assert!(ambiguous(&[open, id]).is_none());
        assert!(ambiguous(&[open, Seg::Lit("0")]).is_none());
        assert!(ambiguous(&[Seg::Lit("v"), id, open, day, Seg::Lit("b"), id]).is_none());
        for other in [n, text, words] {
            assert!(ambiguous(&[open, id, other]).is_some());
        }
    }
}

#[test]
fn a_rest_may_stand_before_parts_of_a_fixed_width() {
    let (rest, id) = (part("r", Shape::Rest), part("id", Shape::Sized(3)));
    let text = part("x", Shape::Text);
    let found = |fields: &[Field]| ambiguity(&template("t", fields));
    assert!(found(&[rest, id, Field::lit("END")]).is_none());
    let joined = mixed(&[Seg::Lit("a"), seg("r", Shape::Rest), seg("id", DATE)]);
    assert!(found(&[text, joined, id]).is_none());
    for fields in [
        &[rest, text][..],
        &[rest, id, text],
        &[joined, text],
        &[rest, rest],
    ] {
        assert!(matches!(found(fields), Some(Ambiguity::RestBeforeOpen(..))));
    }
}

/// A prefix fixes a part if it tells where the part ends.
#[test]
fn a_part_that_ends_with_its_field_alone_is_open() {
    let (text, id) = (seg("x", Shape::Text), seg("id", Shape::Sized(3)));
    let n = seg("n", Shape::Number(3));
    let open = |segs: &[Seg], n| is_open(&template("t", &[Field::lit("A"), mixed(segs)]), n);
    assert!(open(&[text, id], 0) && !open(&[text, id], 1));
    assert!(open(&[n, id], 0) && !open(&[n, Seg::Lit("."), id], 0));
    assert!(open(&[id, text, Seg::Lit("-"), id], 1) && !open(&[id, text, id], 0));
    assert!(!open(&[text, Seg::Lit(".json")], 0));
    let rest = |fields: &[Field]| is_open(&template("t", fields), 0);
    assert!(rest(&[part("r", Shape::Rest), part("id", DATE)]));
    assert!(!rest(&[part("r", Shape::Rest)]) && !rest(&[part("x", Shape::Text), Field::lit("A")]));
}

#[test]
fn words_may_be_followed_by_what_tells_them_apart() {
    let free = seg("w", Shape::OneOf(&["on", "off"]));
    let text = seg("x", Shape::Text);
    assert!(ambiguous(&[free, text]).is_none() && ambiguous(&[free, free]).is_none());
    let nested = seg("w", Shape::OneOf(&["a", "ab"]));
    assert!(ambiguous(&[nested, Seg::Lit("-"), text]).is_none());
    for next in [
        &[text][..],
        &[Seg::Lit("b"), text],
        &[Seg::Lit("bb"), text],
        &[free],
    ] {
        assert!(matches!(
            ambiguous(&[&[nested], next].concat()),
            Some(Ambiguity::WordsBeginAlike(_, "a", "ab"))
        ));
    }
    assert!(ambiguous(&[nested, Seg::Lit("bc")]).is_none());
}

#[test]
fn each_shape_has_its_place() {
    let rest = part("r", Shape::Rest);
    let opaque = part("o", Shape::Opaque);
    let found = |fields: &[Field]| ambiguity(&template("t", fields));
    assert!(found(&[Field::lit("A"), rest]).is_none() && found(&[opaque]).is_none());
    assert!(matches!(
        found(&[Field::lit("A"), opaque]),
        Some(Ambiguity::OpaqueNotAlone(_))
    ));
    assert!(matches!(
        found(&[mixed(&[Seg::Lit("A"), seg("o", Shape::Opaque)])]),
        Some(Ambiguity::OpaqueNotAlone(_))
    ));
    let colon = Template {
        delimiter: b':',
        ..one(TIME)
    };
    assert!(matches!(ambiguity(&colon), Some(Ambiguity::Delimiter(_))));
    let word = one(Shape::OneOf(&["a", "b#c"]));
    assert!(matches!(
        ambiguity(&word),
        Some(Ambiguity::DelimiterInWord(_, "b#c"))
    ));
}

#[test]
fn only_plain_numbers_are_unsortable() {
    assert_eq!(
        unsortable(&one(Shape::Number(20)), &[]).map(|p| p.name),
        Some("x")
    );
    for shape in [
        Shape::Digits(20),
        Shape::Text,
        Shape::Opaque,
        DATE,
        Shape::Rest,
    ] {
        assert!(unsortable(&one(shape), &[]).is_none());
    }
}
