//! Every text of RFC 3339 is read exactly, by the types of `jiff`, `chrono` and `time`, or refused.

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, NaiveDate, Utc};
use dyna_runtime::codec::from_item;
use jiff::Timestamp;
use proptest::prelude::*;
use serde::Deserialize;
use time::OffsetDateTime;

#[derive(Debug, Deserialize)]
struct Jiff {
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    at: Timestamp,
}

#[derive(Debug, Deserialize)]
struct Chrono {
    #[serde(with = "dyna_runtime::serde::rfc3339")]
    at: DateTime<Utc>,
}

#[derive(Debug, Deserialize)]
struct Time {
    #[serde(with = "dyna_runtime::serde::rfc3339::option", default)]
    at: Option<OffsetDateTime>,
}

#[derive(Debug, Clone)]
struct Text {
    date: (i32, u32, u32),
    time: (i64, i64, i64),
    fraction: String,
    /// Its sign, and hours and minutes.
    offset: Option<(i64, i64, i64)>,
    written: String,
}

fn texts() -> impl Strategy<Value = Text> {
    let date = prop_oneof![
        (0..=9999_i32, 0..=13_u32, 0..=32_u32),
        (1890..=2110_i32, 1..=12_u32, 26..=31_u32),
        (0..=9999_i32, 2..=3_u32, 1..=29_u32),
        (
            prop_oneof![Just(0), Just(9999)],
            prop_oneof![Just(1_u32), Just(12)],
            prop_oneof![1..=2_u32, 30..=31_u32]
        ),
    ];
    let time = prop_oneof![
        (0..=24_i64, 0..=60_i64, 0..=61_i64),
        (0..=23_i64, 0..=59_i64, 0..=59_i64),
    ];
    let fraction = prop_oneof![
        Just(String::new()),
        "[0-9]{1,9}",
        "[0-9]{9}0{1,3}",
        "[0-9]{10}"
    ];
    let offset = prop_oneof![
        Just(None),
        (prop_oneof![Just(-1_i64), Just(1)], 0..=24_i64, 0..=60_i64).prop_map(Some),
        (prop_oneof![Just(-1_i64), Just(1)], 0..=23_i64, 0..=59_i64).prop_map(Some),
    ];
    let between = prop_oneof![Just('T'), Just('t'), Just(' ')];
    let zone = prop_oneof![Just('Z'), Just('z')];
    (date, time, fraction, offset, between, zone).prop_map(
        |(date, time, fraction, offset, between, zone)| {
            let mut text = format!(
                "{:04}-{:02}-{:02}{between}{:02}:{:02}:{:02}",
                date.0, date.1, date.2, time.0, time.1, time.2
            );
            if !fraction.is_empty() {
                text.extend([".", &fraction]);
            }
            match offset {
                None => text.push(zone),
                Some((sign, hours, minutes)) => {
                    let sign = if sign < 0 { '-' } else { '+' };
                    let zone = format!("{sign}{hours:02}:{minutes:02}");
                    text.push_str(&zone);
                }
            }
            Text {
                date,
                time,
                fraction,
                offset,
                written: text,
            }
        },
    )
}

impl Text {
    /// The second since 1970, and the nanosecond; of a leap second, the one before it and a billion more.
    fn expected(&self) -> Option<(i64, u32)> {
        let (year, month, day) = self.date;
        let date = NaiveDate::from_ymd_opt(year, month, day)?;
        let days = date
            .signed_duration_since(NaiveDate::from_ymd_opt(1970, 1, 1)?)
            .num_days();
        let (hour, minute, second) = self.time;
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let (sign, hours, minutes) = self.offset.unwrap_or((1, 0, 0));
        if hours > 23 || minutes > 59 {
            return None;
        }
        let digits = format!("{:0<9}", self.fraction);
        let (digits, finer) = digits.split_at(9);
        if finer.bytes().any(|digit| digit != b'0') {
            return None;
        }
        let nanos: u32 = digits.parse().unwrap();
        let leap = u32::from(second == 60);
        let minutes_of_day = hour * 60 + minute - sign * (hours * 60 + minutes);
        let seconds = days * 86_400 + minutes_of_day * 60 + second - i64::from(leap);
        Some((seconds, nanos + leap * 1_000_000_000))
    }
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let at = AttributeValue::S(text.to_owned());
    from_item([("at".to_owned(), at)].into_iter().collect()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_of_rfc_3339_is_read_exactly_or_refused(text in texts()) {
        let expected = text.expected();
        let chrono = read::<Chrono>(&text.written).map(|it| (it.at.timestamp(), it.at.timestamp_subsec_nanos()));
        prop_assert_eq!(chrono, expected, "{}", text.written);
        // Only chrono has leap seconds.
        let expected = expected.filter(|_| text.time.2 != 60);
        let nanos = expected.map(|(second, nano)| i128::from(second) * 1_000_000_000 + i128::from(nano));
        let time = read::<Time>(&text.written).map(|it| it.at.unwrap().unix_timestamp_nanos());
        let in_time = nanos.filter(|nanos| OffsetDateTime::from_unix_timestamp_nanos(*nanos).is_ok());
        prop_assert_eq!(time, in_time, "{}", text.written);
        let jiff = read::<Jiff>(&text.written).map(|it| it.at.as_nanosecond());
        let in_jiff = nanos.filter(|nanos| Timestamp::from_nanosecond(*nanos).is_ok());
        prop_assert_eq!(jiff, in_jiff, "{}", text.written);
    }
}
