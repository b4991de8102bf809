//! Entities whose index keys are more than their fields side by side.

use super::{Law, text};
use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

/// Fields that are stored in the keys of two indexes alone, beside one that may be missing from a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "TICKET#<id>",
    sk = "TICKET",
    fine(as = by_buyer, pk = "BUYER#<buyer>", sk = "<day:03>"),
    by_plan(as = by_day, pk = "DAY#<day:03>#<gate?>"),
)]
pub(in super::super) struct Ticket {
    pub(in super::super) id: String,
    #[dyna(key_only)]
    pub(in super::super) buyer: String,
    #[dyna(key_only)]
    pub(in super::super) day: u16,
    pub(in super::super) gate: Option<String>,
    pub(in super::super) seen: u32,
}

/// A field that decides about an index, and a function of two fields that leaves items out of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "JOB#<id>",
    sk = "JOB",
    by_point(as = running, pk = "JOB#<owner>", sk = "<level:03>", when = is_running),
    fine(as = by_level, pk = "LEVEL#<(level, class)|self::rank>", sk = "<id>"),
)]
pub(in super::super) struct Job {
    pub(in super::super) id: String,
    pub(in super::super) owner: String,
    pub(in super::super) level: u8,
    pub(in super::super) is_running: bool,
    pub(in super::super) class: Option<String>,
    pub(in super::super) seen: u32,
}

fn rank(level: &u8, class: &Option<String>) -> Option<String> {
    let class = class.as_deref()?;
    (*level > 0).then(|| format!("{level}-{class}"))
}

/// A function of the whole entity that decides about an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Law,
    pk = "ALARM#<id>",
    sk = "ALARM",
    by_plan(as = loud, pk = "LOUD#<room>", when = Self::is_loud),
)]
pub(in super::super) struct Alarm {
    pub(in super::super) id: String,
    pub(in super::super) room: String,
    pub(in super::super) volume: u8,
    pub(in super::super) muted: Option<String>,
}

impl Alarm {
    fn is_loud(&self) -> bool {
        self.volume > 1 && self.muted.is_none()
    }
}

pub(in super::super) fn ticket() -> Ticket {
    Ticket {
        id: "t".to_owned(),
        buyer: "ann".to_owned(),
        day: 1,
        gate: None,
        seen: 0,
    }
}

pub(in super::super) fn job() -> Job {
    Job {
        id: "j".to_owned(),
        owner: text("owner", 0),
        level: 1,
        is_running: false,
        class: None,
        seen: 0,
    }
}

pub(in super::super) fn alarm() -> Alarm {
    Alarm {
        id: "a".to_owned(),
        room: text("room", 0),
        volume: 2,
        muted: None,
    }
}
