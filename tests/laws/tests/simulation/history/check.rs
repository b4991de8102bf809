//! Holds a history to the laws: a sequential model takes every write that the server applied, in its order.

use super::model::{Refusal, State};
use super::program::{Op, Program, Read, Write};
use super::run::{Event, History, Seen, Told};
use super::world::World;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

type Items = BTreeMap<(String, String), Value>;

/// What is wrong with a history, if anything is.
pub(super) fn check(program: &Program, history: &History) -> Result<(), String> {
    let states = replay(history)?;
    check_jobs(history)?;
    for event in &history.events {
        let context = |problem: String| format!("operation {}: {problem}", event.number);
        check_told(event, history, &states).map_err(context)?;
        for seen in &event.seen {
            check_seen(seen, program, history, &states).map_err(context)?;
        }
    }
    Ok(())
}

/// The states after each write. Every write that the server applied is one that the model applies too, and stores the same.
fn replay(history: &History) -> Result<Vec<State>, String> {
    let events: BTreeMap<u64, &Event> = history.events.iter().map(|it| (it.number, it)).collect();
    let mut states = vec![history.begin.clone()];
    for (at, applied) in history.applied.iter().enumerate() {
        let context =
            |problem: String| format!("write {at} of operation {}: {problem}", applied.client);
        let event = events.get(&applied.client);
        let event = event.ok_or_else(|| context("nobody sent it".to_owned()))?;
        let writes = match event.op {
            Op::Batch(_) => applied_part(&event.writes, &applied.body),
            _ => event.writes.clone(),
        };
        let next = states[at].apply_all(&writes, applied.client);
        let next = next.map_err(|refusal| {
            context(format!(
                "was applied, and the model refuses it: {refusal:?}"
            ))
        })?;
        let (expected, found) = (next.items(), stored(&applied.items));
        if expected != found {
            return Err(context(difference(&expected, &found)));
        }
        states.push(next);
    }
    Ok(states)
}

/// The writes of a batch that one request had.
fn applied_part(writes: &[(Write, Option<World>)], body: &str) -> Vec<(Write, Option<World>)> {
    let is_in = |(write, _): &&(Write, Option<World>)| match write {
        Write::PutNote(id, _) | Write::DeleteNote(id) => body.contains(&format!("\"NOTE#{id}\"")),
        _ => false,
    };
    writes.iter().filter(is_in).cloned().collect()
}

/// The items that are stored, but for records of operations, without times.
fn stored(items: &str) -> Items {
    let items: Vec<Value> = serde_json::from_str(items).unwrap();
    let items = items.into_iter().filter(|item| item["kind"]["S"] != "Job");
    let items = items.map(|mut item| {
        if item["kind"]["S"] == "Page" {
            item.as_object_mut().unwrap().remove("updated");
        }
        let text = |name: &str| item[name]["S"].as_str().unwrap().to_owned();
        ((text("pk"), text("sk")), item)
    });
    items.collect()
}

fn difference(expected: &Items, found: &Items) -> String {
    let missing = expected
        .iter()
        .filter(|(key, item)| found.get(*key) != Some(item));
    let more = found
        .iter()
        .filter(|(key, item)| expected.get(*key) != Some(item));
    let list = |items: Vec<(&(String, String), &Value)>| {
        let items = items.iter().map(|(_, item)| item.to_string());
        items.collect::<Vec<_>>().join("\n    ")
    };
    format!(
        "stored\n    {}\n  instead of\n    {}",
        list(more.collect()),
        list(missing.collect())
    )
}

/// What was acknowledged is stored, what has failed is not, and what has a token is stored once.
fn check_told(event: &Event, history: &History, states: &[State]) -> Result<(), String> {
    let applied = history.applied.iter().enumerate();
    let applied = applied.filter(|(_, write)| write.client == event.number);
    let applied: Vec<usize> = applied.map(|(at, _)| at).collect();
    let has_token = match &event.op {
        Op::Once(_) | Op::Transact(_) => true,
        Op::Write(write) => write.is_transaction(),
        _ => false,
    };
    if event.job.is_some() {
        return Ok(());
    }
    let times = applied.len();
    if has_token && times > 1 {
        return Err(format!("was applied {times} times"));
    }
    let refusal = match event.told {
        Told::Unknown => return Ok(()),
        Told::Done => return check_done(event, &applied, history),
        Told::Failed | Told::NotSent => None,
        Told::ConditionFailed => Some(Refusal::Condition),
        Told::VersionConflict => Some(Refusal::Version),
        Told::NotUnique => Some(Refusal::NotUnique),
    };
    let Some(refusal) = refusal else {
        return match times {
            0 => Ok(()),
            _ => Err(format!("{:?} was told, and it was applied", event.told)),
        };
    };
    if times > 0 && !comes_back(event, applied[0], states) {
        return Err(format!("{:?} was told, and it was applied", event.told));
    }
    let is_refused = |state: &State| match state.apply_all(&event.writes, event.number) {
        Ok(_) => false,
        // A transaction tells all of its refusals, the model its first one.
        Err(found) => found == refusal || event.writes.len() > 1 || is_of_account(event),
    };
    let mut states = states[event.span.from..=event.span.to].iter();
    if states.any(is_refused) {
        return Ok(());
    }
    Err(format!(
        "{:?} was told, and nothing was in its way",
        event.told
    ))
}

/// An account that is there, with a value that is taken, is refused for both.
fn is_of_account(event: &Event) -> bool {
    matches!(
        event.writes[..],
        [(
            Write::CreateAccount(..) | Write::ChangeLoadedMail(..) | Write::RekeyLoadedAccount(..),
            _
        )]
    )
}

/// A version begins anew when an item is deleted and created again, and with it a write that is on its way may find its version. That
/// is the one exception that the documentation makes.
fn comes_back(event: &Event, applied: usize, states: &[State]) -> bool {
    let mut pages = event.writes.iter().filter_map(|(_, loaded)| match loaded {
        Some(World::Page(page)) => Some(&page.id),
        _ => None,
    });
    event.told == Told::VersionConflict
        && pages.any(|id| {
            let between = states[event.span.from..=applied].iter();
            between.clone().any(|state| !state.pages.contains_key(id))
        })
}

fn check_done(event: &Event, applied: &[usize], history: &History) -> Result<(), String> {
    let span = event.span;
    let is_within = |at: &&usize| (span.from..span.to).contains(*at);
    let within: Vec<&usize> = applied.iter().filter(is_within).collect();
    if within.is_empty() {
        return Err("was acknowledged, and was not applied in that time".to_owned());
    }
    if let Op::Batch(writes) = &event.op {
        let parts = within.iter().flat_map(|at| {
            let applied = &history.applied[**at];
            applied_part(&event.writes, &applied.body)
        });
        let parts: Vec<Write> = parts.map(|(write, _)| write).collect();
        if let Some(lost) = writes.iter().find(|write| !parts.contains(write)) {
            return Err(format!("{lost:?} was acknowledged, and was not applied"));
        }
    }
    Ok(())
}

/// A consistent read returns a state of its time, and one that is not an earlier state, as far back as reads may be behind.
fn check_seen(
    seen: &Seen,
    program: &Program,
    history: &History,
    states: &[State],
) -> Result<(), String> {
    let lag = match (seen.is_consistent, program.lag) {
        (false, Some(lag)) => lag,
        _ => Duration::ZERO,
    };
    let since = seen.span.begun.saturating_sub(lag);
    let is_over = |at: &usize| history.applied[*at].at <= since;
    let behind = (0..seen.span.from).filter(is_over).count();
    let from = if lag == Duration::ZERO {
        seen.span.from
    } else {
        behind
    };
    let states = &states[from..=seen.span.to];
    let is_seen = if seen.read == Read::Batch {
        // Each item of a batch is read for itself.
        ["a", "b"].iter().all(|id| {
            let of_id = |found: &[World]| {
                let note = |it: &&World| matches!(it, World::Note(note) if note.id == *id);
                found.iter().find(note).cloned()
            };
            let found = of_id(&seen.found);
            let mut states = states.iter();
            states.any(|state| of_id(&state.read(Read::Batch)) == found)
        })
    } else {
        states
            .iter()
            .any(|state| state.read(seen.read) == seen.found)
    };
    if is_seen {
        return Ok(());
    }
    let (read, found) = (seen.read, &seen.found);
    Err(format!(
        "{read:?} returned {found:?}, which was stored at no time of it"
    ))
}

/// An operation that runs once runs once, and everyone is told the same.
fn check_jobs(history: &History) -> Result<(), String> {
    for id in super::program::IDS {
        let jobs = history.events.iter().filter_map(|it| it.job);
        let jobs: Vec<_> = jobs.filter(|job| job.id == id).collect();
        let runs = jobs.iter().filter(|job| job.has_run).count();
        if runs > 1 {
            return Err(format!("job {id} has run {runs} times"));
        }
        let states = history.applied.iter().map(|it| job_state(&it.items, id));
        let mut output = None;
        for state in states {
            match (output, state) {
                (Some(before), after) if Some(before) != after => {
                    return Err(format!("the output {before} of job {id} was lost"));
                }
                (_, after) => output = after,
            }
        }
        let told = jobs.iter().filter_map(|job| job.output);
        for told in told {
            if output != Some(told) {
                return Err(format!(
                    "{told} of job {id} was told, and {output:?} is stored"
                ));
            }
        }
    }
    Ok(())
}

/// The stored output of an operation.
fn job_state(items: &str, id: &str) -> Option<u64> {
    let items: Vec<Value> = serde_json::from_str(items).unwrap();
    let key = format!("JOB#{id}");
    let job = items.iter().find(|item| item["pk"]["S"] == key)?;
    job["output"]["N"].as_str()?.parse().ok()
}
