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
    message = "a layout such as `:%Y-%m` is for dates and times, and `{Self}` is none",
    label = "`{Self}` is not a date or time type",
    note = "those of `jiff`, `chrono` and `time` are known by the features of the same name"
)]
pub trait DatePart: KeyPart {
    /// Whether it has a time of day.
    const HAS_TIME: bool;
}

/// A date and a time of day on the calendar, in UTC if it stands for an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
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

impl Civil {
    /// The day and time of so many milliseconds since 1970.
    pub(crate) fn of_millis(millis: i64) -> Self {
        const DAY: i64 = 86_400_000;
        let time = millis.rem_euclid(DAY);
        let part = |unit: i64, most: i64| u8::try_from(time / unit % most).unwrap_or_default();
        let (mut year, mut left) = (1970_i64, millis.div_euclid(DAY));
        // 400 years always have as many days; the years left over are few.
        year += left.div_euclid(146_097) * 400;
        left = left.rem_euclid(146_097);
        while left >= days_of(year) {
            left -= days_of(year);
            year += 1;
        }
        let day_of_year = left + 1;
        let mut month = 1;
        while left >= days_of_month(year, month) {
            left -= days_of_month(year, month);
            month += 1;
        }
        Self {
            year: year.try_into().unwrap_or(i32::MAX),
            month,
            day: u8::try_from(left + 1).unwrap_or_default(),
            day_of_year: day_of_year.try_into().unwrap_or_default(),
            hour: part(3_600_000, 24),
            minute: part(60_000, 60),
            second: part(1_000, 60),
            nanosecond: u32::try_from(time % 1_000 * 1_000_000).unwrap_or_default(),
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
                LayoutItem::Literal(text) => out.push_str(text),
                // Before the year 0 the key is never sent.
                LayoutItem::Year => pad::<4>(self.year.unsigned_abs().into(), out),
                LayoutItem::Month => pad::<2>(self.month.into(), out),
                LayoutItem::Day => pad::<2>(self.day.into(), out),
                LayoutItem::Hour => pad::<2>(self.hour.into(), out),
                LayoutItem::Minute => pad::<2>(self.minute.into(), out),
                LayoutItem::Second => pad::<2>(self.second.into(), out),
                LayoutItem::Millis => pad::<3>(u64::from(self.nanosecond) / 1_000_000, out),
                LayoutItem::Micros => pad::<6>(u64::from(self.nanosecond) / 1_000, out),
                LayoutItem::Nanos => pad::<9>(self.nanosecond.into(), out),
                LayoutItem::DayOfYear => pad::<3>(self.day_of_year.into(), out),
            }
        }
        (0..=9999).contains(&self.year)
    }
}

/// Writes a number with zeros in front. One that is too large has more digits, which no layout has.
fn pad<const WIDTH: usize>(mut number: u64, out: &mut String) {
    let mut digits = [b'0'; WIDTH];
    for digit in digits.iter_mut().rev() {
        // A remainder of ten is one digit.
        *digit += u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
    if number > 0 {
        out.push_str(itoa::Buffer::new().format(number));
    }
    out.push_str(std::str::from_utf8(&digits).unwrap_or_default());
}

fn days_of(year: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if is_leap { 366 } else { 365 }
}

fn days_of_month(year: i64, month: u8) -> i64 {
    match month {
        2 => days_of(year) - 337,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{Civil, RFC3339_MILLIS};

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
            assert!(Civil::of_millis(millis).write(RFC3339_MILLIS, &mut out));
            assert_eq!(out, text);
        }
    }
}
