//! The sort keys of an entity sort as its values do.

use super::{
    Exact, File, Ids, Lengths, Numbers, Sample, Signed, Texts, Times, Version, exact, file, ids,
    lengths, numbers, plain, signed, texts, times, version,
};
use proptest::prelude::*;
use std::cmp::Ordering;

fn by_sort_key<S: Sample>(a: &S, b: &S) -> Option<Ordering> {
    Some(a.text()?.sk.as_bytes().cmp(b.text()?.sk.as_bytes()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn padded_numbers_sort_by_value(a in numbers(), b in numbers()) {
        prop_assert_eq!(by_sort_key(&a, &b), Some((a.x, a.y).cmp(&(b.x, b.y))));
    }

    #[test]
    fn signed_numbers_sort_by_value(a in signed(), b in signed()) {
        prop_assert_eq!(by_sort_key(&a, &b), Some((a.high, a.low).cmp(&(b.high, b.low))));
    }

    #[test]
    fn ulids_sort_by_value(a in ids(), b in ids()) {
        prop_assert_eq!(by_sort_key(&a, &b), Some(a.sorted.cmp(&b.sorted)));
    }

    #[test]
    fn instants_and_days_sort_by_time(a in times(), b in times()) {
        let milliseconds = |it: &Times| it.at.as_nanosecond().div_euclid(1_000_000);
        let expected = (milliseconds(&a), a.day).cmp(&(milliseconds(&b), b.day));
        prop_assert_eq!(by_sort_key(&a, &b), Some(expected));
    }

    #[test]
    fn layouts_sort_by_time(a in exact(), b in exact()) {
        let expected = Exact::cmp_by_time(&a, &b);
        prop_assert_eq!(by_sort_key(&a, &b), Some(expected));
    }

    #[test]
    fn final_text_sorts_by_its_bytes(mut a in texts(plain()), b in texts(plain())) {
        a.b = b.b.clone();
        prop_assert_eq!(by_sort_key::<Texts>(&a, &b), Some(a.c.as_bytes().cmp(b.c.as_bytes())));
    }

    #[test]
    fn rests_sort_by_their_bytes(a in file(plain()), b in file(plain())) {
        prop_assert_eq!(by_sort_key::<File>(&a, &b), Some(a.path.as_bytes().cmp(b.path.as_bytes())));
    }

    #[test]
    fn text_of_a_fixed_length_sorts_in_the_middle(a in lengths(plain()), b in lengths(plain())) {
        let expected = (a.iso.as_bytes(), a.tail.as_bytes()).cmp(&(b.iso.as_bytes(), b.tail.as_bytes()));
        prop_assert_eq!(by_sort_key::<Lengths>(&a, &b), Some(expected));
    }

    #[test]
    fn mixed_fields_sort_by_their_numbers(a in version(plain()), b in version(plain())) {
        let numbers = |it: &Version| (it.major, it.minor, it.patch, it.note.clone().into_bytes());
        prop_assert_eq!(by_sort_key(&a, &b), Some(numbers(&a).cmp(&numbers(&b))));
    }
}

impl Exact {
    fn cmp_by_time(&self, other: &Self) -> Ordering {
        self.at.cmp(&other.at)
    }
}

/// The ends of each type, which random values seldom hit.
#[test]
fn the_ends_of_a_type_are_the_ends_of_its_keys() {
    let numbers = [0, 1, 9, 10, u64::MAX - 1, u64::MAX].map(|x| Numbers { n: 0, x, y: 0 });
    let signed = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX].map(|high| Signed {
        low: dyna_runtime::Ordered(0),
        high: dyna_runtime::Ordered(high),
    });
    let ids = [0, 1, u128::MAX - 1, u128::MAX].map(|id| Ids {
        random: uuid::Uuid::nil(),
        sorted: ulid::Ulid(id),
    });
    assert!(
        numbers
            .windows(2)
            .all(|w| by_sort_key(&w[0], &w[1]) == Some(Ordering::Less))
    );
    assert!(
        signed
            .windows(2)
            .all(|w| by_sort_key(&w[0], &w[1]) == Some(Ordering::Less))
    );
    assert!(
        ids.windows(2)
            .all(|w| by_sort_key(&w[0], &w[1]) == Some(Ordering::Less))
    );
}
