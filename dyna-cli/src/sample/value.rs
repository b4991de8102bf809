//! Values of sample items. Types are recognized by their spelling; a field of another type is left out of the sample.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::entity::FieldMeta;
use dyna_runtime::shape::{LayoutItem, Part, Run, Shape, fits};

/// 2026-01-01, in seconds since 1970.
const EXPIRY: usize = 1_767_225_600;

/// Text number `n` of a placeholder's shape.
pub(crate) fn part_text(part: &Part, n: usize) -> String {
    if !part.layout.is_empty() {
        let items = part.layout.iter();
        return items.map(|item| laid_out(item, n)).collect();
    }
    match part.shape.of_value() {
        Shape::Text | Shape::Rest | Shape::Optional(_) => word(part.name, n),
        Shape::Digits(width) => format!("{n:0width$}", width = width.into()),
        Shape::Number(_) | Shape::Opaque => n.to_string(),
        Shape::OneOf(words) => {
            let mut words = words.iter().cycle();
            let word = words.nth(n.saturating_sub(1));
            word.map(ToString::to_string).unwrap_or_default()
        }
        shape @ Shape::Sized(width) => {
            known(shape, n).unwrap_or_else(|| format!("{n:0width$}", width = width.into()))
        }
        shape @ Shape::Fixed(runs) => known(shape, n).unwrap_or_else(|| filled(runs, n)),
    }
}

/// `channel_id` to `channel1`: letters and digits, so that no delimiter is in it.
pub(crate) fn word(name: &str, n: usize) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    let name = name.strip_suffix("_id").unwrap_or(name);
    let mut word = String::new();
    let mut capital = false;
    for c in name.chars() {
        match (c.is_alphanumeric(), capital && !word.is_empty()) {
            (true, true) => word.extend(c.to_uppercase()),
            (true, false) => word.push(c),
            (false, _) => {}
        }
        capital = !c.is_alphanumeric();
    }
    format!("{word}{n}")
}

/// A text that people know, if it has this shape.
fn known(shape: Shape, n: usize) -> Option<String> {
    let n = n % 10;
    let known = [
        format!("2025-01-0{n}T00:00:00.000Z"),
        format!("2025-01-0{n}T00:00:00Z"),
        format!("2025-01-0{n}"),
        format!("2025-0{n}"),
        uuid(n),
        ulid(n),
    ];
    known.into_iter().find(|text| fits(shape, b'\0', text))
}

fn uuid(n: usize) -> String {
    format!("00000000-0000-4000-8000-{n:012}")
}

fn ulid(n: usize) -> String {
    format!("01JGFJJZ00{n:016}")
}

/// The first character of each set, and a digit at the end if one may stand there.
fn filled(runs: &[Run], n: usize) -> String {
    let count: usize = runs.iter().map(|run| usize::from(run.n)).sum();
    let sets = runs
        .iter()
        .flat_map(|run| std::iter::repeat_n(run.set, run.n.into()));
    let chars = sets.enumerate().map(|(at, set)| {
        let digit = u8::try_from(n % 10).map_or(b'0', |n| b'0' + n);
        let mut candidates = (at + 1 == count)
            .then_some(digit)
            .into_iter()
            .chain(b'0'..=b'z')
            .chain(b' '..=b'~');
        let found = candidates.find(|byte| set.contains(*byte));
        char::from(found.unwrap_or(b'0'))
    });
    chars.collect()
}

fn laid_out(item: &LayoutItem, n: usize) -> String {
    match item {
        LayoutItem::Literal(text) => (*text).to_owned(),
        LayoutItem::Year => "2025".to_owned(),
        LayoutItem::Month => "01".to_owned(),
        LayoutItem::Day => format!("{n:02}"),
        LayoutItem::DayOfYear => format!("{n:03}"),
        LayoutItem::Hour | LayoutItem::Minute | LayoutItem::Second => "00".to_owned(),
        LayoutItem::Millis => "000".to_owned(),
        LayoutItem::Micros => "000000".to_owned(),
        LayoutItem::Nanos => "000000000".to_owned(),
    }
}

/// Value number `n` of a field: that of its placeholder, if it has one, or one of its type.
pub(crate) fn field_value(
    field: &FieldMeta,
    part: Option<&Part>,
    is_ttl: bool,
    n: usize,
) -> Option<AttributeValue> {
    if is_ttl {
        return Some(AttributeValue::N((EXPIRY + n).to_string()));
    }
    let spelled = typed(field.ty, field.name, n);
    match (spelled, part) {
        // A text that a key holds as it is.
        (Some(AttributeValue::S(_)) | None, Some(part)) if part.layout.is_empty() => {
            Some(AttributeValue::S(part_text(part, n)))
        }
        (spelled, _) => spelled,
    }
}

fn typed(ty: &str, name: &str, n: usize) -> Option<AttributeValue> {
    let text = |text: String| Some(AttributeValue::S(text));
    let (outer, inner) = match ty.split_once('<') {
        Some((outer, inner)) => (outer, inner.strip_suffix('>').unwrap_or(inner)),
        None => (ty, ""),
    };
    let outer = outer.rsplit("::").next().unwrap_or(outer);
    match outer {
        "Option" | "Box" | "Arc" | "Rc" => typed(inner, name, n),
        "String" | "str" | "Cow" => text(word(name, n)),
        "char" => text("c".to_owned()),
        "bool" => Some(AttributeValue::Bool(n % 2 == 1)),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
        | "isize" => Some(AttributeValue::N(n.to_string())),
        "f32" | "f64" => Some(AttributeValue::N(format!("{n}.5"))),
        "Vec" | "VecDeque" if !inner.is_empty() => Some(AttributeValue::L(
            typed(inner, name, n).into_iter().collect(),
        )),
        "Timestamp" | "DateTime" | "OffsetDateTime" | "Zoned" => {
            text(format!("2025-01-{n:02}T00:00:00Z"))
        }
        "Date" | "NaiveDate" => text(format!("2025-01-{n:02}")),
        "Uuid" => text(uuid(n)),
        "Ulid" => text(ulid(n)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{part_text, word};
    use dyna_runtime::shape::{CROCKFORD, DIGIT, HEX, Part, Shape, byte, fits, run};
    use proptest::prelude::*;

    #[test]
    fn words_have_no_delimiter() {
        assert_eq!(word("channel_id", 1), "channel1");
        assert_eq!(word("data.external_user_id", 2), "externalUser2");
        assert_eq!(word("id", 1), "id1");
        assert_eq!(word("_", 3), "3");
    }

    #[test]
    fn known_texts_are_used_where_they_fit() {
        const DAY: &[dyna_runtime::shape::Run] = &[
            run(DIGIT, 4),
            byte(b'-'),
            run(DIGIT, 2),
            byte(b'-'),
            run(DIGIT, 2),
        ];
        const ULID: &[dyna_runtime::shape::Run] = &[run(CROCKFORD, 26)];
        const HASH: &[dyna_runtime::shape::Run] = &[run(HEX, 64)];
        let text = |shape| part_text(&Part::new("at", shape), 2);
        assert_eq!(text(Shape::Fixed(DAY)), "2025-01-02");
        assert_eq!(text(Shape::Sized(24)), "2025-01-02T00:00:00.000Z");
        assert_eq!(text(Shape::Fixed(ULID)).len(), 26);
        assert_eq!(text(Shape::Fixed(HASH)), format!("{}2", "0".repeat(63)));
        assert_eq!(text(Shape::OneOf(&["a", "b"])), "b");
    }

    proptest! {
        /// Every text has the shape of its placeholder.
        #[test]
        fn texts_fit_their_shapes(width in 1_u16..40, n in 1_usize..4) {
            let shapes = [Shape::Text, Shape::Rest, Shape::Sized(width), Shape::Digits(width), Shape::Number(width)];
            for shape in shapes {
                let text = part_text(&Part::new("some_field", shape), n);
                prop_assert!(fits(shape, b'#', &text), "{shape:?} {text}");
            }
        }
    }
}
