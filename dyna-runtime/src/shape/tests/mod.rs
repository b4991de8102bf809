//! What the algebra promises, held against brute force and against exact messages.

mod brute;
mod laws;
mod messages;
mod proofs;
mod small;

use super::{Field, LayoutItem, Part, Seg, Shape, Template};

/// A template out of pieces: `#` is the delimiter.
fn template(text: &'static str, fields: &[Field]) -> Template {
    Template {
        text,
        delimiter: b'#',
        fields: leak(fields.to_vec()),
    }
}

fn leak<T>(list: Vec<T>) -> &'static [T] {
    Box::leak(list.into_boxed_slice())
}

fn part(name: &'static str, shape: Shape) -> Field {
    Field::part(Part::new(name, shape))
}

fn mixed(segs: &[Seg]) -> Field {
    Field::mixed(leak(segs.to_vec()))
}

fn seg(name: &'static str, shape: Shape) -> Seg {
    Seg::Part(Part::new(name, shape))
}

#[test]
fn a_part_keeps_its_layout() {
    const DAY: &[LayoutItem] = &[LayoutItem::Year, LayoutItem::Literal("/"), LayoutItem::Day];
    let day = Part::new("day", Shape::Sized(7)).with_layout(DAY);
    assert_eq!((day.name, day.layout), ("day", DAY));
    assert!(Part::new("day", Shape::Text).layout.is_empty());
}
