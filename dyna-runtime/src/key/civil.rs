//! Dates and times in keys: one calendar form, and the layouts it is written in.

use super::KeyPart;
use crate::shape::LayoutItem;

/// `2025-12-27T00:00:00.000Z`: how an instant is written where its template gives no layout. Always 24 bytes, so its text
/// sorts by time.
///
/// Cut off at milliseconds: two instants within the same one are one key. Where each must have its own, add an id to the
/// template, or write the instant out with `%9f`.
pub const RFC3339_MILLIS: &[LayoutItem] = &[
    LayoutItem::Year,
    LayoutItem::Literal("-"),
    LayoutItem::Month,
    LayoutItem::Literal("-"),
    LayoutItem::Day,
    LayoutItem::Literal("T"),
    LayoutItem::Hour,
    LayoutItem::Literal(":"),
    LayoutItem::Minute,
    LayoutItem::Literal(":"),
    LayoutItem::Second,
    LayoutItem::Literal("."),
    LayoutItem::Millis,
    LayoutItem::Literal("Z"),
];

/// `2025-12-27`: how a date is written where its template gives no layout.
pub const DATE: &[LayoutItem] = &[
    LayoutItem::Year,
    LayoutItem::Literal("-"),
    LayoutItem::Month,
    LayoutItem::Literal("-"),
    LayoutItem::Day,
];

/// Dates and times: what a layout such as `<at:%Y-%m>` can be given to.
#[diagnostic::on_unimplemented(
    message = "a layout such as `:%Y-%m` needs a date or time, found `{Self}`",
    label = "`{Self}` is not a date or time type",
    note = "enable the feature `jiff`, `chrono` or `time` of dyna-runtime to use the types of that crate"
)]
pub trait DatePart: KeyPart {
    /// Whether it has a time of day.
    const HAS_TIME: bool;

    /// Reads any text of RFC 3339, without what the type lacks: a date has no time, and a time may have no zone. A type of your own
    /// reads what it writes in keys, unless it says more.
    fn of_rfc3339(text: &str) -> Option<Self> {
        Self::decode(text)
    }
}

/// A date and a time of day on the calendar, in UTC if it is an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilDateTime {
    /// The year.
    pub year: i32,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
    /// The day of the year, from 1.
    pub day_of_year: u16,
    /// The hour, from 0 to 23.
    pub hour: u8,
    /// The minute.
    pub minute: u8,
    /// The second.
    pub second: u8,
    /// The nanosecond.
    pub nanosecond: u32,
}

impl CivilDateTime {
    /// The day and time of so many milliseconds since 1970.
    pub(crate) fn of_millis(millis: i64) -> Self {
        let nanos = millis.rem_euclid(1_000) * 1_000_000;
        Self::of_seconds(
            millis.div_euclid(1_000),
            nanos.try_into().unwrap_or_default(),
        )
    }

    /// The day and time of so many seconds since 1970, and nanoseconds after them.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "remainders are small; a year is cut off to one that no key has"
    )]
    pub(crate) fn of_seconds(seconds: i64, nanosecond: u32) -> Self {
        const DAY: i64 = 86_400;
        // Days since 1 March of a year before all others, and years that begin there: leap days come last.
        let days = seconds.div_euclid(DAY) + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097) as u32);
        let years = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * years + years / 4 - years / 100);
        let month = (5 * day + 2) / 153;
        let is_next = month >= 10;
        let year = era * 400 + i64::from(years) + i64::from(is_next);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let time = seconds.rem_euclid(DAY) as u32;
        Self {
            year: year.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            month: (if is_next { month - 9 } else { month + 3 }) as u8,
            day: (day - (153 * month + 2) / 5 + 1) as u8,
            day_of_year: (if is_next {
                day - 305
            } else {
                day + 60 + u32::from(is_leap)
            }) as u16,
            hour: (time / 3_600) as u8,
            minute: (time / 60 % 60) as u8,
            second: (time % 60) as u8,
            nanosecond,
        }
    }

    /// Whether a layout says less than this: `%Y-%m` of any time but the first instant of a month.
    pub(crate) fn exceeds(self, layout: &[LayoutItem]) -> bool {
        let has = |item| layout.contains(&item);
        let day = has(LayoutItem::DayOfYear) || (has(LayoutItem::Month) && has(LayoutItem::Day));
        let fraction = match () {
            () if has(LayoutItem::Nanos) => 1,
            () if has(LayoutItem::Micros) => 1_000,
            () if has(LayoutItem::Millis) => 1_000_000,
            () => 1_000_000_000,
        };
        (!day && self.day != 1)
            || (!day && !has(LayoutItem::Month) && self.month != 1)
            || (!has(LayoutItem::Hour) && self.hour != 0)
            || (!has(LayoutItem::Minute) && self.minute != 0)
            || (!has(LayoutItem::Second) && self.second != 0)
            || !self.nanosecond.is_multiple_of(fraction)
    }

    /// Writes it in a layout; `false` if its year has no four digits.
    pub(crate) fn write(self, layout: &[LayoutItem], out: &mut String) -> bool {
        for item in layout {
            match *item {
                LayoutItem::Literal(text) => match text.as_bytes() {
                    // Most are one separator.
                    &[byte] => out.push(char::from(byte)),
                    _ => out.push_str(text),
                },
                // Before the year 0 the key is never sent.
                LayoutItem::Year => {
                    let year = self.year.unsigned_abs();
                    pair(year / 100, out);
                    pair(year % 100, out);
                }
                LayoutItem::Month => pair(self.month.into(), out),
                LayoutItem::Day => pair(self.day.into(), out),
                LayoutItem::Hour => pair(self.hour.into(), out),
                LayoutItem::Minute => pair(self.minute.into(), out),
                LayoutItem::Second => pair(self.second.into(), out),
                LayoutItem::Millis => triple(self.nanosecond / 1_000_000, out),
                LayoutItem::Micros => {
                    triple(self.nanosecond / 1_000_000, out);
                    triple(self.nanosecond / 1_000 % 1_000, out);
                }
                LayoutItem::Nanos => {
                    triple(self.nanosecond / 1_000_000, out);
                    triple(self.nanosecond / 1_000 % 1_000, out);
                    triple(self.nanosecond % 1_000, out);
                }
                LayoutItem::DayOfYear => triple(self.day_of_year.into(), out),
            }
        }
        (0..=9999).contains(&self.year)
    }
}

/// Writes two digits. A number that is too large has more, which no layout has.
#[inline]
fn pair(number: u32, out: &mut String) {
    const PAIRS: &str = "0001020304050607080910111213141516171819\
        2021222324252627282930313233343536373839\
        4041424344454647484950515253545556575859\
        6061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899";
    let at = 2 * number as usize;
    match PAIRS.get(at..at + 2) {
        Some(digits) => out.push_str(digits),
        None => out.push_str(itoa::Buffer::new().format(number)),
    }
}

/// Writes three digits.
#[inline]
fn triple(number: u32, out: &mut String) {
    pair(number / 10, out);
    out.push(char::from_digit(number % 10, 10).unwrap_or('0'));
}

#[cfg(test)]
mod tests {
    use super::{CivilDateTime, RFC3339_MILLIS};

    #[test]
    fn milliseconds_are_days_and_times() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] {
            let mut out = String::new();
            assert!(CivilDateTime::of_millis(millis).write(RFC3339_MILLIS, &mut out));
            assert_eq!(out, text);
        }
    }
}
