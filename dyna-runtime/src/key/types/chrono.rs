//! The date and time types of `chrono` in keys.

use crate::key::CivilDateTime;
use crate::key::calendar::{Calendar, DAY, DateKind, INSTANT, LOCAL, date_parts};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike, Utc};

date_parts!(DateTime<Utc>, NaiveDateTime, NaiveDate);

/// A second in nanoseconds; a time that has more is in a leap second.
const SECOND: u32 = 1_000_000_000;

impl Calendar for DateTime<Utc> {
    const FORM: DateKind = INSTANT;

    fn to_civil(&self) -> CivilDateTime {
        self.naive_utc().to_civil()
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        NaiveDateTime::from_civil(civil).map(|local| local.and_utc())
    }
}

impl Calendar for NaiveDateTime {
    const FORM: DateKind = LOCAL;

    #[expect(clippy::cast_possible_truncation, reason = "parts of a date are small")]
    fn to_civil(&self) -> CivilDateTime {
        let (second, nanosecond) = match (self.second(), self.nanosecond()) {
            (59, leap @ SECOND..) => (60, leap - SECOND),
            // `with_nanosecond` lets any second be a leap second. This keeps its width and its order.
            (second, nanosecond) => (second, nanosecond.min(SECOND - 1)),
        };
        CivilDateTime {
            year: self.year(),
            month: self.month() as u8,
            day: self.day() as u8,
            day_of_year: self.ordinal() as u16,
            hour: self.hour() as u8,
            minute: self.minute() as u8,
            second: second as u8,
            nanosecond,
        }
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        let (second, nanosecond) = match civil.second {
            60 => (59, SECOND + civil.nanosecond),
            second => (second, civil.nanosecond),
        };
        let (hour, minute) = (civil.hour.into(), civil.minute.into());
        let time = NaiveTime::from_hms_nano_opt(hour, minute, second.into(), nanosecond)?;
        Some(NaiveDate::from_civil(civil)?.and_time(time))
    }
}

impl Calendar for NaiveDate {
    const FORM: DateKind = DAY;

    fn to_civil(&self) -> CivilDateTime {
        self.and_time(NaiveTime::MIN).to_civil()
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        Self::from_ymd_opt(civil.year, civil.month.into(), civil.day.into())
    }
}
