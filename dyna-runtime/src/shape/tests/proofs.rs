//! What `ambiguity` and `unsortable` accept and refuse.

use super::small::{DATE, TIME, one};
use super::{mixed, part, seg, template};
use crate::shape::{Ambiguity, Field, Seg, Shape, Template, ambiguity, unsortable};

fn ambiguous(segs: &[Seg]) -> Option<Ambiguity> {
    ambiguity(&template("t", &[mixed(segs), Field::lit("END")]))
}

#[test]
fn a_number_may_be_followed_by_a_non_digit() {
    let n = seg("n", Shape::Number(3));
    assert!(ambiguous(&[n, Seg::Lit(".")]).is_none());
    for next in [Seg::Lit("0"), n, seg("x", Shape::Text)] {
        assert!(matches!(
            ambiguous(&[n, next]),
            Some(Ambiguity::VariableWidth(_))
        ));
    }
    let text = seg("x", Shape::Text);
    assert!(matches!(
        ambiguous(&[text, Seg::Lit("-")]),
        Some(Ambiguity::VariableWidth(_))
    ));
    assert!(ambiguous(&[Seg::Lit("-"), text]).is_none());
}

#[test]
fn words_may_be_followed_by_what_tells_them_apart() {
    let free = seg("w", Shape::OneOf(&["on", "off"]));
    let text = seg("x", Shape::Text);
    assert!(ambiguous(&[free, text]).is_none() && ambiguous(&[free, free]).is_none());
    let nested = seg("w", Shape::OneOf(&["a", "ab"]));
    assert!(ambiguous(&[nested, Seg::Lit("-"), text]).is_none());
    for next in [text, Seg::Lit("b"), Seg::Lit("bb"), free] {
        assert!(matches!(
            ambiguous(&[nested, next]),
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
        found(&[rest, Field::lit("A")]),
        Some(Ambiguity::RestNotLast(_))
    ));
    assert!(matches!(
        found(&[mixed(&[seg("r", Shape::Rest), Seg::Lit("x")])]),
        Some(Ambiguity::RestNotLast(_))
    ));
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
        unsortable(&one(Shape::Number(20))).map(|p| p.name),
        Some("x")
    );
    for shape in [
        Shape::Digits(20),
        Shape::Text,
        Shape::Opaque,
        DATE,
        Shape::Rest,
    ] {
        assert!(unsortable(&one(shape)).is_none());
    }
}
