//! The laws that ids, dates and times keep in keys. Built with all features.

mod built;

use super::{KeyBuf, KeyErrorKind, KeyPart};
use crate::shape::{LayoutItem, Part, fits};
use proptest::prelude::*;
use std::fmt::Debug;

/// The text of a value alone in a key.
fn text<T: KeyPart>(value: &T) -> Result<String, KeyErrorKind> {
    text_in(&[], value)
}

/// The same in a layout.
fn text_in<T: KeyPart>(layout: &'static [LayoutItem], value: &T) -> Result<String, KeyErrorKind> {
    let mut out = KeyBuf::new(b'#', String::new());
    out.part = Box::leak(Box::new(Part::new("at", T::SHAPE).with_layout(layout)));
    value.encode(&mut out);
    match out.error {
        None => Ok(out.text),
        Some((_, kind)) => Err(kind),
    }
}

/// Written, two values have their shape, sort as before, and are read back.
fn check_laws<T: KeyPart + Ord + Debug>(a: &T, b: &T) -> Result<(), TestCaseError> {
    let texts = [text(a), text(b)].map(|text| text.expect("can be written"));
    prop_assert_eq!(texts[0].cmp(&texts[1]), a.cmp(b));
    for (text, value) in texts.iter().zip([a, b]) {
        prop_assert!(fits(T::SHAPE, b'#', text), "{text} does not fit");
        let read = T::decode(text);
        prop_assert_eq!(read.as_ref(), Some(value));
    }
    Ok(())
}

/// Only what a value is written as is read as that value.
fn check_strict<T: KeyPart>(foreign: &str) -> Result<(), TestCaseError> {
    if let Some(value) = T::decode(foreign) {
        prop_assert_eq!(text(&value), Ok(foreign.to_owned()));
    }
    Ok(())
}

mod ids {
    use super::*;

    /// Ids that differ at random, and in one bit.
    fn pair() -> impl Strategy<Value = (u128, u128)> {
        prop_oneof![
            any::<(u128, u128)>(),
            (any::<u128>(), 0..128_u32).prop_map(|(a, bit)| (a, a ^ (1 << bit))),
        ]
    }

    fn native<T: serde::Serialize>(id: &T) -> Option<String> {
        let json = serde_json::to_value(id).ok()?;
        json.as_str().map(ToOwned::to_owned)
    }

    proptest! {
        #[test]
        fn uuids_keep_the_laws((a, b) in pair()) {
            check_laws(&uuid::Uuid::from_u128(a), &uuid::Uuid::from_u128(b))?;
        }

        #[test]
        fn uuids_are_written_as_serde_does(id: u128) {
            let id = uuid::Uuid::from_u128(id);
            prop_assert_eq!(text(&id).ok(), native(&id));
        }

        #[test]
        fn other_forms_of_a_uuid_are_not_read(id: u128) {
            let id = uuid::Uuid::from_u128(id);
            check_strict::<uuid::Uuid>(&id.hyphenated().to_string().to_uppercase())?;
            for form in [id.simple().to_string(), id.urn().to_string(), id.braced().to_string()] {
                prop_assert_eq!(uuid::Uuid::decode(&form), None);
            }
        }
    }

    proptest! {
        #[test]
        fn ulids_keep_the_laws((a, b) in pair()) {
            check_laws(&ulid::Ulid(a), &ulid::Ulid(b))?;
        }

        #[test]
        fn ulids_are_written_as_serde_does(id: u128) {
            let id = ulid::Ulid(id);
            prop_assert_eq!(text(&id).ok(), native(&id));
        }

        #[test]
        fn other_forms_of_a_ulid_are_not_read(form in "[0-9A-Za-z]{26}|[0-9A-TV-Z]{26}") {
            check_strict::<ulid::Ulid>(&form)?;
        }
    }

    #[test]
    fn a_ulid_of_more_than_128_bits_is_not_read() {
        assert!(ulid::Ulid::decode("7ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_some());
        assert!(ulid::Ulid::decode("8ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_none());
        assert!(ulid::Ulid::decode("7zzzzzzzzzzzzzzzzzzzzzzzzz").is_none());
    }
}

mod dates {
    use super::*;
    use crate::key::DatePart;
    use crate::key::layout::RFC3339_MILLIS;

    const MILLIS: i128 = 1_000_000;
    const DAY: i128 = 24 * 60 * 60 * 1_000 * MILLIS;

    /// From 0000-01-01 to 9999-12-30 in nanoseconds of the Unix epoch: jiff has no later instants.
    const YEARS: std::ops::Range<i128> = -719_528 * DAY..2_932_895 * DAY;

    /// Every field of an instant, to its finest digit.
    const FULL: &[LayoutItem] = &[
        LayoutItem::Year,
        LayoutItem::Month,
        LayoutItem::Day,
        LayoutItem::DayOfYear,
        LayoutItem::Hour,
        LayoutItem::Minute,
        LayoutItem::Second,
        LayoutItem::Micros,
        LayoutItem::Nanos,
    ];

    /// Instants far apart, close together, and at the turns of years.
    fn pair() -> impl Strategy<Value = (i128, i128)> {
        let near = |by: i128| {
            (YEARS, -by..by).prop_map(|(a, by)| (a, (a + by).clamp(YEARS.start, YEARS.end - 1)))
        };
        prop_oneof![(YEARS, YEARS), near(3 * MILLIS), near(2 * DAY)]
    }

    /// What looks like a time, and what does not.
    fn foreign() -> impl Strategy<Value = String> {
        prop_oneof![
            "[0-9]{4}-[01][0-9]-[0-3][0-9](T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\\.[0-9]{3}Z?)?",
            "[+-]?[0-9]{3,5}-[0-9]{2}-[0-9 +]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+]00:00)?)?",
            "\\PC{0,30}",
        ]
    }

    /// A type cut off at `unit` keeps the laws; `at` makes it from nanoseconds of the Unix epoch.
    macro_rules! dates {
        ($($name:ident: $type:ty, $unit:expr, $at:expr;)*) => {$(
            mod $name {
                use super::*;

                fn at(nanos: i128) -> $type {
                    let at: fn(i128) -> Option<$type> = $at;
                    at(nanos).expect("a time of these years")
                }

                fn cut(nanos: i128) -> i128 {
                    nanos.div_euclid($unit) * $unit
                }

                proptest! {
                    #[test]
                    fn keeps_the_laws((a, b) in pair()) {
                        check_laws(&at(cut(a)), &at(cut(b)))?;
                    }

                    #[test]
                    fn is_cut_off_to_the_past(a in YEARS) {
                        prop_assert_eq!(text(&at(a)), text(&at(cut(a))));
                    }

                    #[test]
                    fn reads_nothing_else(foreign in foreign()) {
                        check_strict::<$type>(&foreign)?;
                    }
                }

                #[test]
                fn has_a_time_if_its_shape_has() {
                    let width = <$type>::SHAPE.width();
                    assert_eq!(<$type>::HAS_TIME, width > Some(10));
                }
            }
        )*};
    }

    /// Whole seconds and the nanoseconds over them.
    fn chrono_at(nanos: i128) -> Option<chrono::DateTime<chrono::Utc>> {
        let seconds = nanos.div_euclid(1_000 * MILLIS).try_into().ok()?;
        let over = nanos.rem_euclid(1_000 * MILLIS).try_into().ok()?;
        chrono::DateTime::from_timestamp(seconds, over)
    }

    fn jiff_at(nanos: i128) -> Option<jiff::civil::DateTime> {
        let instant = jiff::Timestamp::from_nanosecond(nanos).ok()?;
        Some(jiff::tz::Offset::UTC.to_datetime(instant))
    }

    fn time_at(nanos: i128) -> Option<time::PrimitiveDateTime> {
        let utc = time::UtcDateTime::from_unix_timestamp_nanos(nanos).ok()?;
        Some(time::PrimitiveDateTime::new(utc.date(), utc.time()))
    }

    dates! {
        chrono_instant: chrono::DateTime<chrono::Utc>, MILLIS, chrono_at;
        chrono_local: chrono::NaiveDateTime, MILLIS, |n| Some(chrono_at(n)?.naive_utc());
        chrono_date: chrono::NaiveDate, DAY, |n| Some(chrono_at(n)?.date_naive());
        jiff_instant: jiff::Timestamp, MILLIS, |n| jiff::Timestamp::from_nanosecond(n).ok();
        jiff_local: jiff::civil::DateTime, MILLIS, jiff_at;
        jiff_date: jiff::civil::Date, DAY, |n| Some(jiff_at(n)?.date());
        time_offset: time::OffsetDateTime, MILLIS, |n| Some(time_at(n)?.assume_utc());
        time_instant: time::UtcDateTime, MILLIS, |n| Some(time_at(n)?.as_utc());
        time_local: time::PrimitiveDateTime, MILLIS, time_at;
        time_date: time::Date, DAY, |n| Some(time_at(n)?.date());
    }

    proptest! {
        /// The three crates write the same instant as the same text, in every field.
        #[test]
        fn the_crates_agree(nanos in YEARS) {
            let at = (chrono_at(nanos).unwrap(), jiff_at(nanos).unwrap(), time_at(nanos).unwrap());
            let instant = jiff::Timestamp::from_nanosecond(nanos).unwrap();
            for layout in [FULL, RFC3339_MILLIS] {
                let text = text_in(layout, &at.0);
                prop_assert_eq!(&text, &text_in(layout, &at.1));
                prop_assert_eq!(&text, &text_in(layout, &at.2));
                prop_assert_eq!(&text, &text_in(layout, &instant));
            }
        }
    }

    mod jiff_forms {
        use super::*;
        use jiff::Timestamp;
        use jiff::civil::{Date, DateTime, date};

        #[test]
        fn each_type_has_its_form() {
            let local = date(2025, 12, 27).at(1, 2, 3, 45_999_999);
            let instant = jiff::tz::Offset::UTC.to_timestamp(local).unwrap();
            assert_eq!(text(&instant).unwrap(), "2025-12-27T01:02:03.045Z");
            assert_eq!(text(&local).unwrap(), "2025-12-27T01:02:03.045");
            assert_eq!(text(&local.date()).unwrap(), "2025-12-27");
        }

        #[test]
        fn years_before_zero_are_refused() {
            assert_eq!(text(&Timestamp::MIN), Err(KeyErrorKind::YearOutOfRange));
            assert_eq!(text(&DateTime::MIN), Err(KeyErrorKind::YearOutOfRange));
            assert_eq!(text(&date(-1, 12, 31)), Err(KeyErrorKind::YearOutOfRange));
        }

        #[test]
        fn what_the_calendar_lacks_is_not_read() {
            assert_eq!(Date::decode("2025-02-29"), None);
            assert_eq!(Date::decode("2025-00-01"), None);
            assert_eq!(Timestamp::decode("2025-12-27T24:00:00.000Z"), None);
            assert_eq!(Timestamp::decode("2016-12-31T23:59:60.000Z"), None);
            // A day that jiff has, and an instant that it has not.
            assert!(DateTime::decode("9999-12-31T23:59:59.999").is_some());
            assert_eq!(Timestamp::decode("9999-12-31T23:59:59.999Z"), None);
        }
    }

    mod chrono_forms {
        use super::*;
        use chrono::{DateTime, NaiveDate, NaiveDateTime, Timelike, Utc};

        #[test]
        fn far_years_are_refused() {
            for far in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
                assert_eq!(text(&far), Err(KeyErrorKind::YearOutOfRange));
                assert_eq!(text(&far.naive_utc()), Err(KeyErrorKind::YearOutOfRange));
                assert_eq!(text(&far.date_naive()), Err(KeyErrorKind::YearOutOfRange));
            }
            let next = NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap();
            assert_eq!(text(&next), Err(KeyErrorKind::YearOutOfRange));
            assert_eq!(text(&next.pred_opt().unwrap()).unwrap(), "9999-12-31");
        }

        #[test]
        fn a_leap_second_has_a_place_of_its_own() {
            let leap = NaiveDateTime::decode("2016-12-31T23:59:60.500").unwrap();
            assert_eq!((leap.second(), leap.nanosecond()), (59, 1_500_000_000));
            assert_eq!(text(&leap).unwrap(), "2016-12-31T23:59:60.500");
            assert_eq!(text(&leap.and_utc()).unwrap(), "2016-12-31T23:59:60.500Z");
        }

        #[test]
        fn a_leap_second_within_a_minute_keeps_its_width_and_order() {
            let second = NaiveDateTime::decode("2016-12-31T23:59:30.000").unwrap();
            let odd = second.with_nanosecond(1_999_999_999).unwrap();
            assert_eq!(text(&odd).unwrap(), "2016-12-31T23:59:30.999");
        }
    }

    mod time_forms {
        use super::*;
        use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset};

        #[test]
        fn an_offset_is_turned_into_utc() {
            let utc = OffsetDateTime::decode("2025-12-31T23:30:00.000Z").unwrap();
            let local = utc.to_offset(UtcOffset::from_hms(5, 30, 0).unwrap());
            assert_eq!(local.year(), 2026);
            assert_eq!(text(&local).unwrap(), "2025-12-31T23:30:00.000Z");
        }

        #[test]
        fn an_offset_out_of_all_years_is_refused() {
            for (date, hours) in [(Date::MAX, -1), (Date::MIN, 1)] {
                let offset = UtcOffset::from_hms(hours, 0, 0).unwrap();
                let time = Time::from_hms(if hours < 0 { 23 } else { 0 }, 30, 0).unwrap();
                let far = OffsetDateTime::new_in_offset(date, time, offset);
                assert_eq!(text(&far), Err(KeyErrorKind::YearOutOfRange));
            }
        }

        #[test]
        fn years_before_zero_are_refused() {
            let before = Date::from_calendar_date(-1, Month::December, 31).unwrap();
            assert_eq!(text(&before), Err(KeyErrorKind::YearOutOfRange));
            let before = PrimitiveDateTime::new(before, Time::MIDNIGHT);
            assert_eq!(text(&before), Err(KeyErrorKind::YearOutOfRange));
            assert_eq!(text(&before.as_utc()), Err(KeyErrorKind::YearOutOfRange));
        }

        #[test]
        fn what_the_calendar_lacks_is_not_read() {
            assert_eq!(Date::decode("2025-02-29"), None);
            assert_eq!(UtcDateTime::decode("2016-12-31T23:59:60.000Z"), None);
        }
    }
}
