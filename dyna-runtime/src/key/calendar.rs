//! Code shared by the date and time types of `jiff`, `chrono` and `time` in keys.
//!
//! The file of each crate only turns its types into a [`CivilDateTime`] and back; nothing here knows those crates.

use super::CivilDateTime;
use super::layout::{DATE, RFC3339_MILLIS};
use crate::shape::{DIGIT, LayoutItem, Run, Shape, byte, run};
use std::str::FromStr;

/// How a type is written where its template gives no layout.
pub(super) struct DateKind {
    pub(super) layout: &'static [LayoutItem],
    pub(super) shape: Shape,
    pub(super) has_time: bool,
}

/// An instant, in UTC.
pub(super) const INSTANT: DateKind = DateKind {
    layout: RFC3339_MILLIS,
    shape: Shape::Fixed(INSTANT_RUNS),
    has_time: true,
};

/// A date and a time of day without a zone: as an instant, but for the `Z`.
pub(super) const LOCAL: DateKind = DateKind {
    layout: RFC3339_MILLIS.split_at(RFC3339_MILLIS.len() - 1).0,
    shape: Shape::Fixed(INSTANT_RUNS.split_at(INSTANT_RUNS.len() - 1).0),
    has_time: true,
};

/// A date.
pub(super) const DAY: DateKind = DateKind {
    layout: DATE,
    shape: Shape::Fixed(INSTANT_RUNS.split_at(DATE.len()).0),
    has_time: false,
};

/// One run for each item of [`RFC3339_MILLIS`], which begins with [`DATE`].
const INSTANT_RUNS: &[Run] = &[
    run(DIGIT, 4),
    byte(b'-'),
    run(DIGIT, 2),
    byte(b'-'),
    run(DIGIT, 2),
    byte(b'T'),
    run(DIGIT, 2),
    byte(b':'),
    run(DIGIT, 2),
    byte(b':'),
    run(DIGIT, 2),
    byte(b'.'),
    run(DIGIT, 3),
    byte(b'Z'),
];

/// A date or time type by way of the calendar; [`date_parts!`] makes it a part of keys.
pub(super) trait Calendar: Sized {
    /// How it is written.
    const FORM: DateKind;

    /// Its date and time, in UTC if it is an instant.
    fn to_civil(&self) -> CivilDateTime;

    /// The value of a date and time read from a key; `None` if the calendar has no such day or time.
    /// The day of the year is not known.
    fn from_civil(civil: CivilDateTime) -> Option<Self>;
}

macro_rules! date_parts {
    ($($type:ty),*) => {$(
        impl $crate::key::KeyPart for $type {
            const SHAPE: $crate::shape::Shape = <Self as Calendar>::FORM.shape;
            const TRUSTED: bool = true;

            fn encode(&self, out: &mut $crate::key::KeyBuf) {
                out.date_time(self.to_civil(), Self::FORM.layout);
            }

            fn decode(text: &str) -> Option<Self> {
                $crate::key::CivilDateTime::parse(Self::FORM.layout, text).and_then(Self::from_civil)
            }
        }

        impl $crate::key::DatePart for $type {
            const HAS_TIME: bool = <Self as Calendar>::FORM.has_time;

            fn of_rfc3339(text: &str) -> Option<Self> {
                $crate::key::calendar::read_rfc3339(text, &Self::FORM, Self::from_civil)
            }
        }

        impl $crate::key::SortableKeyPart for $type {}
        impl $crate::key::FinalRange for $type {}
    )*};
}
pub(super) use date_parts;

impl CivilDateTime {
    /// Midnight of the first day that a key can hold: what a layout leaves out is taken from here.
    pub(super) const FIRST: Self = Self {
        year: 0,
        month: 1,
        day: 1,
        day_of_year: 1,
        hour: 0,
        minute: 0,
        second: 0,
        nanosecond: 0,
    };

    /// The same so many minutes earlier; its second may be a leap second.
    fn minutes_earlier(self, minutes: i64) -> Self {
        // Days since 1 March of the year 0, as `of_seconds` counts them.
        let years = i64::from(self.year) - i64::from(self.month <= 2);
        let month = (i64::from(self.month) + 9) % 12;
        let day_of_years =
            years * 365 + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
        let days = day_of_years + (153 * month + 2) / 5 + i64::from(self.day) - 1 - 719_468;
        let time = i64::from(self.hour) * 60 + i64::from(self.minute) - minutes;
        let earlier = Self::of_seconds((days * 1_440 + time) * 60, self.nanosecond);
        Self {
            second: self.second,
            ..earlier
        }
    }

    /// Reads what [`write`](Self::write) wrote in this layout. Looks at the digits only: 30 February passes.
    pub(super) fn parse(layout: &[LayoutItem], text: &str) -> Option<Self> {
        let mut civil = Self::FIRST;
        let mut rest = text;
        for item in layout {
            match *item {
                LayoutItem::Literal(literal) => rest = rest.strip_prefix(literal)?,
                LayoutItem::Year => civil.year = digits(4, &mut rest)?,
                LayoutItem::Month => civil.month = digits(2, &mut rest)?,
                LayoutItem::Day => civil.day = digits(2, &mut rest)?,
                LayoutItem::Hour => civil.hour = digits(2, &mut rest)?,
                LayoutItem::Minute => civil.minute = digits(2, &mut rest)?,
                LayoutItem::Second => civil.second = digits(2, &mut rest)?,
                LayoutItem::Millis => civil.nanosecond = digits::<u32>(3, &mut rest)? * 1_000_000,
                LayoutItem::Micros => civil.nanosecond = digits::<u32>(6, &mut rest)? * 1_000,
                LayoutItem::Nanos => civil.nanosecond = digits(9, &mut rest)?,
                LayoutItem::DayOfYear => civil.day_of_year = digits(3, &mut rest)?,
            }
        }
        rest.is_empty().then_some(civil)
    }
}

/// Takes exactly this many digits off the front.
fn digits<T: FromStr>(width: usize, text: &mut &str) -> Option<T> {
    let (number, rest) = text.split_at_checked(width)?;
    *text = rest;
    // `parse` alone would take a sign.
    let plain = number.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| number.parse().ok()).flatten()
}

/// Reads any text of RFC 3339, or the part of one that a type without a time or a zone has.
pub(super) fn read_rfc3339<T>(
    text: &str,
    form: &DateKind,
    of: impl Fn(CivilDateTime) -> Option<T>,
) -> Option<T> {
    let mut rest = text;
    let civil = date(&mut rest)?;
    if !form.has_time {
        return if rest.is_empty() { of(civil) } else { None };
    }
    rest = rest.strip_prefix(['T', 't', ' '])?;
    let civil = time(civil, &mut rest)?;
    let minutes = if form.layout.len() == INSTANT.layout.len() {
        offset(&mut rest)?
    } else {
        0
    };
    if !rest.is_empty() {
        return None;
    }
    if minutes == 0 {
        return of(civil);
    }
    // If the calendar has no such day or time, it has none whatever the offset is. A year of the same days is far from the ends of a type.
    of(CivilDateTime {
        year: 2000 + civil.year % 400,
        ..civil
    })?;
    of(civil.minutes_earlier(minutes))
}

fn date(rest: &mut &str) -> Option<CivilDateTime> {
    let (date, time) = rest.split_at_checked("0000-00-00".len())?;
    *rest = time;
    CivilDateTime::parse(DAY.layout, date)
}

fn time(date: CivilDateTime, rest: &mut &str) -> Option<CivilDateTime> {
    let hour = digits(2, rest)?;
    *rest = rest.strip_prefix(':')?;
    let minute = digits(2, rest)?;
    *rest = rest.strip_prefix(':')?;
    let second = digits(2, rest)?;
    let nanosecond = match rest.strip_prefix('.') {
        None => 0,
        Some(fraction) => {
            let end = fraction.find(|c: char| !c.is_ascii_digit());
            let (fraction, after) = fraction.split_at_checked(end.unwrap_or(fraction.len()))?;
            *rest = after;
            nanoseconds(fraction)?
        }
    };
    Some(CivilDateTime {
        hour,
        minute,
        second,
        nanosecond,
        ..date
    })
}

/// The fraction of a second, unless it has digits that no nanosecond has.
fn nanoseconds(fraction: &str) -> Option<u32> {
    let (held, finer) = fraction.split_at_checked(9).unwrap_or((fraction, ""));
    if fraction.is_empty() || finer.bytes().any(|digit| digit != b'0') {
        return None;
    }
    format!("{held:0<9}").parse().ok()
}

/// How many minutes it is ahead of UTC.
fn offset(rest: &mut &str) -> Option<i64> {
    if let Some(after) = rest.strip_prefix(['Z', 'z']) {
        *rest = after;
        return Some(0);
    }
    let is_behind = rest.starts_with('-');
    *rest = rest.strip_prefix(['+', '-'])?;
    let hours: i64 = digits(2, rest)?;
    *rest = rest.strip_prefix(':')?;
    let minutes: i64 = digits(2, rest)?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    let ahead = 60 * hours + minutes;
    Some(if is_behind { -ahead } else { ahead })
}
