//! The laws, for random templates.

use proptest::prelude::*;

use super::brute::{
    LONGEST, all_strings, close_pair, is_over_letters, language, language_over, pair, template,
};
use super::leak;
use crate::shape::{
    Field, Kind, Part, Seg, Shape, Template, ambiguity, fits, intersect, is_open, matches,
    prefix_intersects, split, unsortable, witness,
};

/// The first `n` fields of a template, then `last`.
fn cut(t: &Template, n: usize, last: Field) -> Template {
    let mut fields = t.fields[..n].to_vec();
    fields.push(last);
    Template {
        fields: leak(fields),
        ..*t
    }
}

fn shortest_common(a: &Template, b: &Template) -> Option<usize> {
    let delimiters = [a.delimiter, b.delimiter];
    let b = language_over(b, &delimiters);
    let common = language_over(a, &delimiters)
        .into_keys()
        .filter(|s| b.contains_key(s));
    common.map(|s| s.len()).min()
}

fn check_meet(a: &Template, b: &Template) -> Result<(), TestCaseError> {
    let shown = witness(a, b);
    if let Some(n) = shortest_common(a, b) {
        prop_assert!(intersect(a, b));
        prop_assert_eq!(shown.as_str().len(), n);
    } else {
        prop_assert_eq!(intersect(a, b), shown.as_str().len() > LONGEST);
    }
    if !shown.is_empty() {
        // Proofs let a number have zeros in front, which no key is read with; only the strings that were tried tell such a key from a wrong one.
        let shown = shown.as_str();
        let delimiters = [a.delimiter, b.delimiter];
        let was_tried = shown.len() <= LONGEST && is_over_letters(shown, &delimiters);
        let is_made = |t: &Template| {
            matches(t, shown)
                || language_over(t, &delimiters).contains_key(shown)
                || !was_tried && shown.contains('0')
        };
        prop_assert!(is_made(a), "{}", shown);
        prop_assert!(is_made(b), "{}", shown);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The same for fields that mix text and placeholders and differ little.
    #[test]
    fn meet_agrees_with_brute_force_on_close_fields((a, b) in close_pair()) {
        prop_assert_eq!(intersect(&a, &b), intersect(&b, &a));
        // A field without pieces makes the empty string, which no key is.
        if !matches(&a, "") && !matches(&b, "") {
            check_meet(&a, &b)?;
        }
    }
}

proptest! {
    /// Two templates meet if and only if some string is made by both; the witness is a shortest one.
    #[test]
    fn meet_agrees_with_brute_force((a, b) in pair()) {
        check_meet(&a, &b)?;
    }

    /// The order of two templates does not matter, and a template meets itself.
    #[test]
    fn meet_is_symmetric_and_reflexive((a, b) in pair()) {
        prop_assert_eq!(intersect(&a, &b), intersect(&b, &a));
        prop_assert!(intersect(&a, &a));
    }

    /// With different delimiters, too, two templates meet if and only if some string is made by both.
    #[test]
    fn meet_agrees_with_brute_force_across_delimiters(a in template(b'#'), b in template(b'/')) {
        prop_assert_eq!(intersect(&a, &b), intersect(&b, &a));
        check_meet(&a, &b)?;
    }

    /// Where a delimiter is a character of the other template's shapes, a common string is never overlooked.
    #[test]
    fn meet_agrees_across_delimiters(a in template(b'#'), b in template(b'0')) {
        if shortest_common(&a, &b).is_some() && ambiguity(&b).is_none() {
            prop_assert!(intersect(&a, &b) && intersect(&b, &a));
        }
    }

    /// A key that can be any text meets whatever another template makes.
    #[test]
    fn any_text_meets_every_template(b in template(b'/')) {
        let fields = leak(vec![Field::part(Part::new("any", Shape::Rest))]);
        let any = Template { text: "<any>", delimiter: b'#', fields };
        // Some templates make the empty string alone, which no key is.
        if language(&b).keys().any(|key| !key.is_empty()) {
            prop_assert!(intersect(&any, &b) && intersect(&b, &any));
        }
        prop_assert!(ambiguity(&any).is_none());
    }

    /// No key of another delimiter that a prefix query returns is overlooked.
    #[test]
    fn in_prefix_agrees_across_delimiters(a in template(b'#'), b in template(b'/'), n in 1usize..3) {
        if n < a.fields.len() {
            let delimiters = [b'#', b'/'];
            let prefixes = language_over(&cut(&a, n, Field::lit("")), &delimiters);
            let returned = |key: &String| prefixes.keys().any(|p| key.starts_with(&**p));
            if language_over(&b, &delimiters).keys().any(returned) {
                prop_assert!(prefix_intersects(&a, n, &b));
            }
        }
    }

    /// A prefix query returns what fits the prefix followed by nothing or anything.
    #[test]
    fn in_prefix_is_meeting_the_prefix_and_a_tail((a, b) in pair(), n in 0usize..4) {
        let n = n.min(a.fields.len());
        let expected = if n == 0 {
            true
        } else if n == a.fields.len() {
            intersect(&a, &b)
        } else {
            let rest = Field::part(Part::new("rest", Shape::Rest));
            intersect(&cut(&a, n, rest), &b) || intersect(&cut(&a, n, Field::lit("")), &b)
        };
        prop_assert_eq!(prefix_intersects(&a, n, &b), expected);
    }

    /// No key that a prefix query returns is overlooked.
    #[test]
    fn in_prefix_agrees_with_brute_force((a, b) in pair(), n in 1usize..3) {
        if n < a.fields.len() {
            let prefixes = language(&cut(&a, n, Field::lit("")));
            let returned = |key: &String| prefixes.keys().any(|p| key.starts_with(&**p));
            if language(&b).keys().any(returned) {
                prop_assert!(prefix_intersects(&a, n, &b));
            }
        }
    }

    /// `matches` and `split` accept exactly what the template makes, and `split` is one way to make it. The proofs let numbers have zeros in
    /// front, which none is written with.
    #[test]
    fn reading_accepts_exactly_what_writing_makes(t in template(b'#')) {
        let language = language(&t);
        let is_plain = |(part, value): (&Part, &String)| {
            let is_number = matches!(part.shape.of_value(), Shape::Number(_));
            !is_number || value.len() < 2 || !value.starts_with('0')
        };
        for key in all_strings(&[t.delimiter]) {
            let values = split(&t, key);
            let mut ways = language.get(key).into_iter().flatten();
            let is_written = ways.any(|way| t.parts().zip(way).all(is_plain));
            prop_assert_eq!(matches(&t, key), is_written, "{}", key);
            prop_assert_eq!(values.is_some(), is_written, "{}", key);
            if let Some(values) = values {
                let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
                prop_assert!(language[key].contains(&values), "{} {:?}", key, values);
            }
        }
    }

    /// If `ambiguity` accepts a template, every key is made in one way only: the one `split` finds.
    #[test]
    fn accepted_templates_are_read_back_uniquely(t in template(b'#')) {
        if ambiguity(&t).is_none() {
            for (key, ways) in language(&t) {
                prop_assert_eq!(ways.len(), 1, "{} {:?}", key, ways);
            }
        }
    }

    /// A placeholder that is not open is fixed by the key up to the next one: every key that begins so has the same value of it.
    #[test]
    fn a_prefix_fixes_what_is_not_open(t in template(b'#')) {
        let parts = t.parts().count();
        if ambiguity(&t).is_none() {
            let language = language(&t);
            let closed = (0..parts).take_while(|n| !is_open(&t, *n)).count();
            for fixed in 1..=closed.min(parts.saturating_sub(1)) {
                for ways in language.values() {
                    let values = ways.first().unwrap();
                    let text = (0..fixed).map(|n| t.literal_before(n) + &values[n]);
                    let prefix = text.collect::<String>() + &t.literal_before(fixed);
                    let found = language.range(prefix.clone()..);
                    for (key, others) in found.take_while(|(key, _)| key.starts_with(&prefix)) {
                        let other = others.first().unwrap();
                        prop_assert_eq!(&other[..fixed], &values[..fixed], "{} {}", prefix, key);
                    }
                }
            }
        }
    }

    /// Text that ends with its field, or has a fixed length, is found by what it starts with: in the keys that begin so, and in no others.
    #[test]
    fn a_prefix_of_text_is_a_prefix_of_the_key(t in template(b'#'), text in "[01a]{1,2}") {
        if ambiguity(&t).is_none() {
            let language = language(&t);
            let first = t.fields.iter().position(|field| !matches!(field.kind(), Kind::Lit(_)));
            if let Some(at) = first
                && let Kind::Part(part) = t.fields[at].kind()
                && matches!(part.shape, Shape::Text | Shape::Sized(_))
            {
                let fits = part.shape.width().is_none_or(|width| text.len() <= width.into());
                let prefix = t.literal_before(0) + &text;
                for (key, ways) in language.iter().filter(|_| fits) {
                    let value = &ways.first().unwrap()[0];
                    prop_assert_eq!(key.starts_with(&prefix), value.starts_with(&text), "{}", key);
                }
            }
        }
    }

    /// `unsortable` finds a number without a fixed width if and only if there is one.
    #[test]
    fn unsortable_finds_numbers(t in template(b'#')) {
        let is_number = |part: &Part| matches!(part.shape.of_value(), Shape::Number(_));
        let has_number = t.fields.iter().any(|field| match field.kind() {
            Kind::Lit(_) => false,
            Kind::Part(part) => is_number(&part),
            Kind::Mixed(segs) => segs.iter().any(|s| matches!(s, Seg::Part(p) if is_number(p))),
        });
        prop_assert_eq!(unsortable(&t, &[]).is_some(), has_number);
    }

    /// A lone placeholder accepts the texts of its shape, and its width is their length.
    #[test]
    fn a_lone_placeholder_accepts_its_shape(t in template(b'#')) {
        if let [field] = t.fields && let Kind::Part(part) = field.kind() {
            for text in all_strings(b"#") {
                let fits = fits(part.shape, b'#', text);
                prop_assert_eq!(fits, matches(&t, text));
                if let (true, Some(width)) = (fits, part.shape.width()) {
                    prop_assert_eq!(text.len(), usize::from(width));
                }
            }
        }
    }
}
