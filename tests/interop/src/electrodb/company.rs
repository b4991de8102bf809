//! The entities of the service `company`, which `ElectroDB` writes: `company.mjs` has the same model.

use super::{Shop, V1, V2};
use dyna_runtime::key::KeyBuf;
use dyna_runtime::shape::Shape;
use dyna_runtime::{DynaCollection, DynaEntity, KeyPart, Result, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An employee. Without a team and a title the key of the index ends at the first of them; without a manager it has half a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$company#employeeid_<employee_id|lower>",
    sk = "$employee_1",
    gsi1(as = coworkers, pk = "$company#office_<office|lower>", sk = "$workplaces#employee_1#<(team, title)|self::tail>"),
    gsi2(as = reports, pk = "$company#manager_<manager?|lower>", sk = "$employee_1#employeeid_<employee_id|lower>"),
)]
pub struct Employee {
    #[serde(rename = "__edb_v__")]
    version: V1,
    employee_id: String,
    office: String,
    team: Option<String>,
    title: Option<String>,
    manager: Option<String>,
    hired: Option<String>,
}

/// The end of a key, with all that stands between its attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail(String);

impl KeyPart for Tail {
    const SHAPE: Shape = Shape::Rest;

    fn encode(&self, out: &mut KeyBuf) {
        out.text(&self.0);
    }

    fn decode(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }
}

/// A key ends where the first attribute is missing.
#[expect(clippy::ref_option, reason = "functions of templates take references")]
fn tail(team: &Option<String>, title: &Option<String>) -> Tail {
    let value = |value: &Option<String>| value.clone().unwrap_or_default().to_lowercase();
    let mut tail = format!("team_{}", value(team));
    if team.is_some() {
        tail = format!("{tail}#title_{}", value(title));
    }
    Tail(tail)
}

/// An office.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "$company#country_<country|lower>",
    sk = "$office_1#office_<office|lower>",
    gsi1(as = workplace, pk = "$company#office_<office|lower>", sk = "$workplaces#office_1"),
)]
pub struct Office {
    #[serde(rename = "__edb_v__")]
    version: V1,
    office: String,
    country: String,
    desks: u32,
}

/// `service.collections.workplaces`
#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(index = gsi1)]
pub enum Workplaces {
    /// Those who work there.
    Employee(Employee),
    /// The office.
    Office(Office),
}

/// A task of a project, in a clustered collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$company#project_<project|lower>",
    sk = "$agenda#day_<day>#taskid_<task_id|lower>#task_1",
)]
pub struct Task {
    #[serde(rename = "__edb_v__")]
    version: V1,
    project: String,
    day: String,
    task_id: String,
    done: Option<bool>,
}

/// A meeting of a project, beside the tasks of its day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$company#project_<project|lower>",
    sk = "$agenda#day_<day>#meetingid_<meeting_id|lower>#meeting_1",
)]
pub struct Meeting {
    #[serde(rename = "__edb_v__")]
    version: V1,
    project: String,
    day: String,
    meeting_id: String,
    room: Option<String>,
}

/// `service.collections.agenda`: its members have the day in common.
#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(steps(day: String))]
pub enum Agenda {
    /// What is to be done.
    Task(Task),
    /// Who meets.
    Meeting(Meeting),
}

/// A badge, in upper case, in lower case, and as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$COMPANY#BADGEID_<badge_id|upper>",
    sk = "$badge_1",
    gsi1(as = by_holder, pk = "$company#holder_<holder>", sk = "$BADGE_1#BADGEID_<badge_id|upper>"),
)]
pub struct Badge {
    #[serde(rename = "__edb_v__")]
    version: V1,
    badge_id: String,
    holder: String,
}

/// What a device has logged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "$company#device_<device|lower>", sk = "$log_1#at_<at:013>#level_<level:02>")]
pub struct Log {
    #[serde(rename = "__edb_v__")]
    version: V1,
    device: String,
    at: u64,
    level: u8,
    lines: Option<Vec<Line>>,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Line {
    text: String,
    code: f64,
}

/// A contract, under templates of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "contracts/<year:plain>",
    sk = "no-<number|lower>-final",
    gsi2(as = by_partner, pk = "<partner|lower>", sk = "<year:plain>:<number|lower>"),
)]
pub struct Contract {
    #[serde(rename = "__edb_v__")]
    version: V1,
    year: u32,
    number: String,
    partner: String,
    #[serde(default, with = "dyna_runtime::serde::number_set")]
    codes: Option<BTreeSet<u32>>,
}

/// A skill, as version 1 had it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, tag = "Skill", pk = "$company#name_<name|lower>", sk = "$skill_1")]
pub struct Skill1 {
    #[serde(rename = "__edb_v__")]
    version: V1,
    name: String,
    level: Option<String>,
}

/// A skill of an area: the same `__edb_e__`, other keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, tag = "Skill", pk = "$company#area_<area|lower>", sk = "$skill_2#name_<name|lower>")]
pub struct Skill2 {
    #[serde(rename = "__edb_v__")]
    version: V2,
    area: String,
    name: String,
    level: Option<u32>,
}

/// A leave. Without an approver it is in no index, unlike a seat that nobody has: both halves of the key would be empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Shop,
    pk = "$company#leaveid_<leave_id|lower>",
    sk = "$leave_1",
    gsi1(as = to_approve, pk = "$company#approver_<approver?|lower>", sk = "$leave_1#from_<from?|lower>", when = Self::is_asked),
)]
pub struct Leave {
    #[serde(rename = "__edb_v__")]
    version: V1,
    leave_id: String,
    approver: Option<String>,
    from: Option<String>,
}

impl Leave {
    fn is_asked(&self) -> bool {
        self.approver.is_some() || self.from.is_some()
    }
}

/// A seat: numbers without padding and a boolean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "$company#floor_<floor:plain>#window_<window|super::word>",
    sk = "$seat_1#seat_<seat:plain>",
    gsi2(as = by_taker, pk = "$company#taken_<taken?|lower>", sk = "$seat_1#floor_<floor:plain>#seat_<seat:plain>"),
)]
pub struct Seat {
    #[serde(rename = "__edb_v__")]
    version: V1,
    floor: u32,
    window: bool,
    seat: u32,
    taken: Option<String>,
}

/// A note: attributes of every kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(table = Shop, pk = "$company#noteid_<note_id|lower>", sk = "$note_1")]
pub struct Note {
    #[serde(rename = "__edb_v__")]
    version: V1,
    note_id: String,
    body: Option<serde_json::Value>,
    #[serde(default, with = "dyna_runtime::serde::string_set")]
    tags: Option<BTreeSet<String>>,
    meta: Option<Meta>,
    private: Option<String>,
}

/// A map with a map in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Meta {
    stars: Option<u32>,
    by: Option<Author>,
}

/// Who wrote a note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Author {
    name: Option<String>,
    bot: Option<bool>,
}

/// A shift, with a label in its keys and an attribute of another name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "$company#at_<office|lower>#week_<week|lower>",
    sk = "$shift_1#employeeid_<employee_id|lower>",
    gsi1(as = by_employee, pk = "$company#employeeid_<employee_id|lower>", sk = "$shift_1#at_<office|lower>#week_<week|lower>"),
)]
pub struct Shift {
    #[serde(rename = "__edb_v__")]
    version: V1,
    office: String,
    week: String,
    #[serde(rename = "eid")]
    employee_id: String,
    hours: f64,
}

/// What `promote` of `company.mjs` does.
pub(super) async fn promote(db: &Table<Shop>) -> Result<()> {
    if let Some(employee) = Employee::get("E-2").send(db).await? {
        let update = Employee::update_loaded(&employee).set(Employee::TEAM, "Web".to_owned());
        let update = update.set(Employee::TITLE, "Dev".to_owned());
        update.send(db).await?;
    }
    let task = Task::update("P-1", "2026-11-18", "T-1").set(Task::DONE, true);
    task.send(db).await?;
    let meeting = Meeting::delete("P-1", "2026-11-18", "M-1");
    meeting.send(db).await?;
    if let Some(leave) = Leave::get("L-2").send(db).await? {
        let update = Leave::update_loaded(&leave).set(Leave::APPROVER, "E-8".to_owned());
        let update = update.set(Leave::FROM, "2026-12-01".to_owned());
        update.send(db).await?;
    }
    if let Some(seat) = Seat::get(2, false, 7).send(db).await? {
        let update = Seat::update_loaded(&seat).set(Seat::TAKEN, "E-2".to_owned());
        update.send(db).await?;
    }
    let shift = Shift::update("Köln", "2026-W47", "E-1").add(Shift::HOURS, 1.0);
    shift.send(db).await?;
    let skill = Skill2 {
        version: V2::V2,
        area: "Code".into(),
        name: "SQL".into(),
        level: None,
    };
    skill.create().send(db).await?;
    let employee = Employee {
        version: V1::V1,
        employee_id: "E-4".into(),
        office: "Bonn".into(),
        team: None,
        title: None,
        manager: Some("E-1".into()),
        hired: None,
    };
    employee.create().send(db).await
}
