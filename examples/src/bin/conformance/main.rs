//! Runs the models on other engines and compares every answer with the embedded engine's.
//!
//! `conformance moto=http://127.0.0.1:5000 dynalite=http://127.0.0.1:4567` prints a table of patterns and engines. An answer is equal, or
//! deviates in a way that `deviations` names and explains, or differs, and then the program fails. `conformance port` prints a port that
//! is free.

mod deviations;
mod memory;
#[cfg(test)]
mod tests;

use deviations::{DEVIATIONS, Deviation};
use dyna_examples::{Answer, MODELS, Result, printed};
use memory::Fact;
use std::env;
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// An engine that is not the embedded one.
struct Other {
    name: String,
    url: String,
}

/// How the answers of an engine compare.
#[derive(Default)]
struct Tally {
    equal: usize,
    deviating: usize,
    different: usize,
}

fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    if arguments == ["port"] {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        println!("{port}");
        return Ok(ExitCode::SUCCESS);
    }
    let engines: Vec<Other> = arguments
        .iter()
        .map(|argument| engine(argument))
        .collect::<Result<_>>()?;
    if engines.is_empty() {
        return Err("name the engines: conformance moto=http://127.0.0.1:5000".into());
    }
    engines.iter().try_for_each(wait)?;
    let mut failures = Vec::new();
    let mut tallies: Vec<Tally> = engines.iter().map(|_| Tally::default()).collect();
    for model in MODELS {
        failures.extend(compare(model, &engines, &mut tallies)?);
    }
    explain(&engines);
    sum_up(&engines, &tallies);
    if failures.is_empty() && tallies.iter().any(|tally| tally.deviating > 0) {
        println!("Where one deviates, the model in memory answers as the embedded engine does.");
    }
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn engine(argument: &str) -> Result<Other> {
    let (name, url) = argument
        .split_once('=')
        .ok_or("an engine is NAME=http://HOST:PORT")?;
    Ok(Other {
        name: name.to_owned(),
        url: url.to_owned(),
    })
}

/// Until it can be reached. Servers take a while to start.
fn wait(engine: &Other) -> Result<()> {
    let Other { name, url } = engine;
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let address = if address.contains(':') {
        address.to_owned()
    } else {
        format!("{address}:80")
    };
    for _ in 0..300 {
        if TcpStream::connect(&address).is_ok() {
            return Ok(());
        }
        sleep(Duration::from_millis(200));
    }
    Err(format!("{name} cannot be reached at {url}").into())
}

/// Prints the rows of a model, counts them, and returns what should not be so.
fn compare(model: &str, engines: &[Other], tallies: &mut [Tally]) -> Result<Vec<String>> {
    let expected = answers(model, None)?;
    let facts = memory::facts(model);
    let mut failures = contradictions(model, &expected, &facts);
    let found: Vec<Vec<Answer>> = engines
        .iter()
        .map(|engine| answers(model, Some(&engine.url)))
        .collect::<Result<_>>()?;
    let width = expected.iter().map(|row| row.pattern.chars().count());
    let width = width.max().unwrap_or_default() + 2;
    let names: Vec<_> = engines
        .iter()
        .map(|engine| format!("{:12}", engine.name))
        .collect();
    println!("{model:width$}  {}", names.concat());
    for (at, row) in expected.iter().enumerate() {
        let mut cells = Vec::new();
        for ((engine, found), tally) in engines.iter().zip(&found).zip(&mut *tallies) {
            let (cell, failure) = cell(model, row, engine, found.get(at));
            match (cell.as_str(), &failure) {
                ("=", _) => tally.equal += 1,
                (_, None) => tally.deviating += 1,
                (_, Some(_)) => tally.different += 1,
            }
            cells.push(format!("{cell:12}"));
            failures.extend(failure);
        }
        println!("  {:width$}{}", row.pattern, cells.concat());
    }
    println!();
    Ok(failures)
}

/// What an engine made of a row, in a word, and what is wrong with that.
fn cell(
    model: &str,
    row: &Answer,
    engine: &Other,
    found: Option<&Answer>,
) -> (String, Option<String>) {
    let (pattern, name) = (&row.pattern, &engine.name);
    match (Deviation::listed(name, model, pattern), found == Some(row)) {
        (None, true) => ("=".to_owned(), None),
        (None, false) => {
            let failure = differs(model, row, name, found);
            ("DIFFERS".to_owned(), Some(failure))
        }
        (Some(number), true) => {
            let failure =
                format!("{model}, {pattern}: {name} does not deviate any more ({number})");
            ("=".to_owned(), Some(failure))
        }
        (Some(number), false) => (format!("({number})"), None),
    }
}

/// Where the embedded engine itself does not answer as DynamoDB's documentation has it.
fn contradictions(model: &str, answers: &[Answer], facts: &[Fact]) -> Vec<String> {
    let holds = |fact: &&Fact| answers.iter().any(|answer| fact.holds(answer));
    let wrong = facts.iter().filter(|fact| !holds(fact));
    let told = wrong.map(|fact| {
        let Fact { pattern, .. } = fact;
        format!(
            "{model}, {pattern}: the embedded engine answers otherwise than the in-memory model"
        )
    });
    let deviating = DEVIATIONS.iter().flat_map(|deviation| deviation.patterns);
    let deviating = deviating
        .filter(|(of, pattern)| *of == model && !facts.iter().any(|fact| fact.pattern == *pattern));
    let untold = deviating.map(|(_, pattern)| {
        format!("{model}, {pattern}: deviates, and no model says who is right")
    });
    told.chain(untold).collect()
}

fn differs(model: &str, row: &Answer, engine: &str, found: Option<&Answer>) -> String {
    let found = match found {
        Some(found) => found.answer.to_string(),
        None => "nothing".to_owned(),
    };
    format!(
        "{model}, {}: {engine} differs\n  embedded: {}\n  {engine}: {found}",
        row.pattern, row.answer
    )
}

/// The deviations of these engines, with their reasons.
fn explain(engines: &[Other]) {
    for (number, deviation) in DEVIATIONS.iter().enumerate() {
        if engines.iter().any(|engine| engine.name == deviation.engine) {
            let Deviation {
                engine,
                name,
                reason,
                ..
            } = deviation;
            println!("({}) {engine}, {name}: {reason}", number + 1);
        }
    }
}

/// What came out, engine by engine.
fn sum_up(engines: &[Other], tallies: &[Tally]) {
    println!();
    for (engine, tally) in engines.iter().zip(tallies) {
        let Tally {
            equal,
            deviating,
            different,
        } = tally;
        let all = equal + deviating + different;
        println!(
            "{}: {all} answers, {equal} as the embedded engine's, {deviating} known to deviate, {different} different",
            engine.name
        );
    }
}

/// What a model answers, on the embedded engine or on a server.
fn answers(model: &str, url: Option<&str>) -> Result<Vec<Answer>> {
    let text = match url {
        Some(url) => printed(model, &["answers", "--endpoint", url])?,
        None => printed(model, &["answers"])?,
    };
    let answers = text.lines().map(serde_json::from_str);
    Ok(answers.collect::<serde_json::Result<_>>()?)
}
