//! `time::UtcDateTime` in keys, which `time` has since 0.3.38.

use crate::key::CivilDateTime;
use crate::key::calendar::{Calendar, DateKind, INSTANT, date_parts};
use time::{PrimitiveDateTime, UtcDateTime};

date_parts!(UtcDateTime);

impl Calendar for UtcDateTime {
    const FORM: DateKind = INSTANT;

    fn to_civil(&self) -> CivilDateTime {
        PrimitiveDateTime::new(self.date(), self.time()).to_civil()
    }

    fn from_civil(civil: CivilDateTime) -> Option<Self> {
        PrimitiveDateTime::from_civil(civil).map(PrimitiveDateTime::as_utc)
    }
}
