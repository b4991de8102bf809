//! The date and time types of `jiff` in keys.
//!
//! `Zoned` is not among them: its zone would be lost. Take its `timestamp()` or its `datetime()`.

use crate::key::CivilDateTime;
use crate::key::calendar::{Calendar, DAY, DateKind, INSTANT, LOCAL, date_parts};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// A second in nanoseconds.
const SECOND: i32 = 1_000_000_000;

date_parts!(Timestamp, DateTime, Date);

impl Calendar for Timestamp {
    const FORM: DateKind = INSTANT;

    fn to_civil(&self) -> CivilDateTime {
        // Both parts of an instant before 1970 are negative.
        match (self.as_second(), self.subsec_nanosecond()) {
            (second, nanos @ ..0) => {
                CivilDateTime::of_seconds(second - 1, (nanos + SECOND).cast_unsigned())
            }
            (second, nanos) => CivilDateTime::of_seconds(second, nanos.cast_unsigned()),
        }
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        let local = DateTime::from_civil(civil)?;
        Offset::UTC.to_timestamp(local).ok()
    }
}

impl Calendar for DateTime {
    const FORM: DateKind = LOCAL;

    fn to_civil(&self) -> CivilDateTime {
        CivilDateTime {
            year: self.year().into(),
            month: self.month().cast_unsigned(),
            day: self.day().cast_unsigned(),
            day_of_year: self.day_of_year().cast_unsigned(),
            hour: self.hour().cast_unsigned(),
            minute: self.minute().cast_unsigned(),
            second: self.second().cast_unsigned(),
            nanosecond: self.subsec_nanosecond().cast_unsigned(),
        }
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        let time = Time::new(
            civil.hour.cast_signed(),
            civil.minute.cast_signed(),
            civil.second.cast_signed(),
            civil.nanosecond.cast_signed(),
        );
        Some(Date::from_civil(civil)?.to_datetime(time.ok()?))
    }
}

impl Calendar for Date {
    const FORM: DateKind = DAY;

    fn to_civil(&self) -> CivilDateTime {
        self.to_datetime(Time::midnight()).to_civil()
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        let year = civil.year.try_into().ok()?;
        Self::new(year, civil.month.cast_signed(), civil.day.cast_signed()).ok()
    }
}
