//! The date and time types of `time` in keys.

use crate::key::CivilDateTime;
use crate::key::calendar::{Calendar, DAY, DateKind, INSTANT, LOCAL, date_parts};
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

date_parts!(OffsetDateTime, PrimitiveDateTime, Date);

/// Written in UTC, and read in UTC: the same instant, without its offset.
impl Calendar for OffsetDateTime {
    const FORM: DateKind = INSTANT;

    fn to_civil(&self) -> CivilDateTime {
        match self.checked_to_offset(UtcOffset::UTC) {
            Some(utc) => PrimitiveDateTime::new(utc.date(), utc.time()).to_civil(),
            // The offset moves it out of all the years that `time` has; no key has them either.
            None => CivilDateTime {
                year: i32::MAX,
                ..PrimitiveDateTime::new(self.date(), self.time()).to_civil()
            },
        }
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        PrimitiveDateTime::from_civil(civil).map(PrimitiveDateTime::assume_utc)
    }
}

impl Calendar for PrimitiveDateTime {
    const FORM: DateKind = LOCAL;

    fn to_civil(&self) -> CivilDateTime {
        let (hour, minute, second, nanosecond) = self.as_hms_nano();
        CivilDateTime {
            year: self.year(),
            month: self.month().into(),
            day: self.day(),
            day_of_year: self.ordinal(),
            hour,
            minute,
            second,
            nanosecond,
        }
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        let CivilDateTime {
            hour,
            minute,
            second,
            nanosecond,
            ..
        } = civil;
        let time = Time::from_hms_nano(hour, minute, second, nanosecond).ok()?;
        Some(Self::new(Date::from_civil(civil)?, time))
    }
}

impl Calendar for Date {
    const FORM: DateKind = DAY;

    fn to_civil(&self) -> CivilDateTime {
        PrimitiveDateTime::new(*self, Time::MIDNIGHT).to_civil()
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        let month = civil.month.try_into().ok()?;
        Self::from_calendar_date(civil.year, month, civil.day).ok()
    }
}
