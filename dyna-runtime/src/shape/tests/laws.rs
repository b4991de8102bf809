//! The laws, for random templates.

use proptest::prelude::*;

use super::brute::{LONGEST, all_strings, close_pair, language, pair, template};
use super::leak;
use crate::shape::{
    Field, Kind, Part, Seg, Shape, Template, ambiguity, fits, in_prefix, matches, meet, split,
    unsortable, witness,
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
    let b = language(b);
    let common = language(a).into_keys().filter(|s| b.contains_key(s));
    common.map(|s| s.len()).min()
}

fn check_meet(a: &Template, b: &Template) -> Result<(), TestCaseError> {
    let shown = witness(a, b);
    if let Some(n) = shortest_common(a, b) {
        prop_assert!(meet(a, b));
        prop_assert_eq!(shown.as_str().len(), n);
    } else {
        prop_assert_eq!(meet(a, b), shown.as_str().len() > LONGEST);
    }
    if !shown.is_empty() {
        prop_assert!(matches(a, shown.as_str()), "{}", shown);
        prop_assert!(matches(b, shown.as_str()), "{}", shown);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The same for fields that mix text and placeholders and differ little.
    #[test]
    fn meet_agrees_with_brute_force_on_close_fields((a, b) in close_pair()) {
        prop_assert_eq!(meet(&a, &b), meet(&b, &a));
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
        prop_assert_eq!(meet(&a, &b), meet(&b, &a));
        prop_assert!(meet(&a, &a));
    }

    /// With different delimiters, too, a common string is never overlooked.
    #[test]
    fn meet_agrees_across_delimiters(a in template(b'#'), b in template(b'0')) {
        if shortest_common(&a, &b).is_some() && ambiguity(&b).is_none() {
            prop_assert!(meet(&a, &b) && meet(&b, &a));
        }
    }

    /// A prefix query returns what fits the prefix followed by nothing or anything.
    #[test]
    fn in_prefix_is_meeting_the_prefix_and_a_tail((a, b) in pair(), n in 0usize..4) {
        let n = n.min(a.fields.len());
        let expected = if n == 0 {
            true
        } else if n == a.fields.len() {
            meet(&a, &b)
        } else {
            let rest = Field::part(Part::new("rest", Shape::Rest));
            meet(&cut(&a, n, rest), &b) || meet(&cut(&a, n, Field::lit("")), &b)
        };
        prop_assert_eq!(in_prefix(&a, n, &b), expected);
    }

    /// No key that a prefix query returns is overlooked.
    #[test]
    fn in_prefix_agrees_with_brute_force((a, b) in pair(), n in 1usize..3) {
        if n < a.fields.len() {
            let prefixes = language(&cut(&a, n, Field::lit("")));
            let returned = |key: &String| prefixes.keys().any(|p| key.starts_with(&**p));
            if language(&b).keys().any(returned) {
                prop_assert!(in_prefix(&a, n, &b));
            }
        }
    }

    /// `matches` and `split` accept exactly what the template makes, and `split` is one way to make it.
    #[test]
    fn reading_accepts_exactly_what_writing_makes(t in template(b'#')) {
        let language = language(&t);
        for key in all_strings(t.delimiter) {
            let values = split(&t, key);
            prop_assert_eq!(matches(&t, key), language.contains_key(key), "{}", key);
            prop_assert_eq!(values.is_some(), language.contains_key(key), "{}", key);
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

    /// `unsortable` finds a number without a fixed width if and only if there is one.
    #[test]
    fn unsortable_finds_numbers(t in template(b'#')) {
        let is_number = |part: &Part| matches!(part.shape, Shape::Number(_));
        let has_number = t.fields.iter().any(|field| match field.kind() {
            Kind::Lit(_) => false,
            Kind::Part(part) => is_number(&part),
            Kind::Mixed(segs) => segs.iter().any(|s| matches!(s, Seg::Part(p) if is_number(p))),
        });
        prop_assert_eq!(unsortable(&t).is_some(), has_number);
    }

    /// A lone placeholder accepts the texts of its shape, and its width is their length.
    #[test]
    fn a_lone_placeholder_accepts_its_shape(t in template(b'#')) {
        if let [field] = t.fields && let Kind::Part(part) = field.kind() {
            for text in all_strings(b'#') {
                let fits = fits(part.shape, b'#', text);
                prop_assert_eq!(fits, matches(&t, text));
                if let (true, Some(width)) = (fits, part.shape.width()) {
                    prop_assert_eq!(text.len(), usize::from(width));
                }
            }
        }
    }
}
