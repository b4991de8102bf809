//! The table: what each contestant costs, and what the first, Dyna, costs in proportion.

mod growth;

use crate::work::{Contestant, Work, disagreeing};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a piece of work costs.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    /// Instructions, as callgrind counts them.
    instructions: Option<u64>,
    /// Allocations.
    allocations: u64,
    /// Bytes that were allocated.
    bytes: u64,
    /// Most bytes that were allocated at the same time.
    peak: u64,
    /// The shortest time that it took.
    time: Duration,
}

/// By work and peer.
type Allocated = BTreeMap<(String, String), [u64; 3]>;

/// Prints the table of the works whose names begin as the arguments say, or does one piece of work for callgrind.
///
/// # Errors
///
/// When the program that counts allocations, which stands beside this one, cannot be run.
pub fn main(mut works: Vec<Work>) -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["once", work, peer, times] = arguments[..] {
        once(&works, work, peer, times.parse().map_err(io::Error::other)?);
        return Ok(());
    }
    works.retain(|work| {
        arguments.is_empty() || arguments.iter().any(|prefix| work.name.starts_with(prefix))
    });
    print!("{}", report(&works)?);
    Ok(())
}

/// Prints what every contestant allocates: how often, how many bytes, how many at the same time. `measure` counts it, in a program of
/// its own, because the allocator that counts costs instructions.
pub fn print_allocations(works: Vec<Work>, measure: fn(&mut dyn FnMut()) -> [u64; 3]) {
    for work in works {
        for mut contestant in work.contestants() {
            contestant.warm_up();
            contestant.prepare();
            let [count, bytes, peak] = measure(&mut || contestant.work());
            println!("{} {} {count} {bytes} {peak}", work.name, contestant.peer);
        }
    }
}

/// Does a piece of work as often as told: what callgrind watches.
fn once(works: &[Work], name: &str, peer: &str, times: usize) {
    let contestants = works.iter().filter(|work| work.name == name);
    let mut contestants = contestants.flat_map(Work::contestants);
    let contestant = contestants.find(|contestant| contestant.peer == peer);
    let mut contestant = contestant.expect("the report only names works that there are");
    for _ in 0..3 {
        contestant.warm_up();
    }
    for _ in 0..times {
        contestant.prepare();
        contestant.work();
    }
}

/// Measures the works and writes the table.
fn report(works: &[Work]) -> io::Result<String> {
    let program = std::env::current_exe()?;
    let allocated = allocations(&program.with_file_name("allocations"))?;
    let callgrind = has_valgrind();
    let mut out = String::new();
    if !callgrind {
        out.push_str("**valgrind is not installed: no instructions were counted.**\n\n");
    }
    let mut rows = Vec::new();
    for work in works {
        eprintln!("{}", work.name);
        let mut contestants = work.contestants();
        let others = disagreeing(&mut contestants);
        assert!(
            others.is_empty(),
            "{}: {others:?} do something else",
            work.name
        );
        let times = times(&mut contestants);
        let costs = contestants.iter().zip(times).map(|(contestant, time)| {
            let key = (work.name.clone(), contestant.peer.to_owned());
            let [allocations, bytes, peak] = allocated.get(&key).copied().unwrap_or_default();
            let instructions = callgrind
                .then(|| instructions(&program, &work.name, contestant.peer))
                .transpose()?;
            let cost = Cost {
                instructions,
                allocations,
                bytes,
                peak,
                time,
            };
            Ok((contestant.peer, cost))
        });
        rows.push((work.name.clone(), costs.collect::<io::Result<Vec<_>>>()?));
    }
    table(&rows, &mut out);
    ratios(&rows, &mut out);
    growth::growth(&rows, &mut out);
    Ok(out)
}

fn has_valgrind() -> bool {
    let found = Command::new("valgrind").arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

/// How often small works are done, so that what is around them does not count.
const TIMES: u64 = 10;

/// The instructions of one run of a work.
fn instructions(program: &Path, work: &str, peer: &str) -> io::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*work*measured*"])
        .arg(program)
        .args(["once", work, peer, &TIMES.to_string()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split_once("Collected :"));
    let collected = collected.and_then(|(_, count)| count.trim().parse::<u64>().ok());
    let collected = collected.ok_or_else(|| io::Error::other(text.into_owned()))?;
    Ok(collected / TIMES)
}

/// What another program counted: the one that has the allocator that counts.
fn allocations(program: &Path) -> io::Result<Allocated> {
    let output = Command::new(program).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let key = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut number = || words.next()?.parse().ok();
        Some((key, [number()?, number()?, number()?]))
    });
    Ok(lines.collect())
}

/// The shortest time of each contestant. They take turns, so that a noisy moment is no one's alone.
fn times(contestants: &mut [Contestant]) -> Vec<Duration> {
    let mut times = vec![Duration::MAX; contestants.len()];
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(300) {
        for (contestant, shortest) in contestants.iter_mut().zip(&mut times) {
            contestant.prepare();
            let start = Instant::now();
            contestant.work();
            *shortest = start.elapsed().min(*shortest);
        }
    }
    times
}

type Row = (String, Vec<(&'static str, Cost)>);

/// One line for each peer of each work.
fn table(rows: &[Row], out: &mut String) {
    out.push_str(concat!(
        "| work | peer | instructions | of the peer | ratio | allocations | ratio | bytes | peak | time |\n",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    ));
    for (work, costs) in rows {
        let Some(((_, ours), peers)) = costs.split_first() else {
            continue;
        };
        for (peer, theirs) in peers {
            let count = |count: Option<u64>| count.map_or("-".to_owned(), grouped);
            let _ = writeln!(
                out,
                "| {work} | {peer} | {} | {} | **{}** | {} : {} | {} | {} | {} | {} |",
                count(ours.instructions),
                count(theirs.instructions),
                ratio(ours.instructions, theirs.instructions),
                grouped(ours.allocations),
                grouped(theirs.allocations),
                ratio(Some(ours.allocations), Some(theirs.allocations)),
                ratio(Some(ours.bytes), Some(theirs.bytes)),
                ratio(Some(ours.peak), Some(theirs.peak)),
                ratio(nanoseconds(ours.time), nanoseconds(theirs.time)),
            );
        }
    }
}

/// The same for scripts.
fn ratios(rows: &[Row], out: &mut String) {
    out.push_str("\n```\n");
    for (work, costs) in rows {
        let Some(((_, ours), peers)) = costs.split_first() else {
            continue;
        };
        for (peer, theirs) in peers {
            let what = [
                ("", ours.instructions, theirs.instructions),
                (
                    "/allocations",
                    Some(ours.allocations),
                    Some(theirs.allocations),
                ),
                ("/bytes", Some(ours.bytes), Some(theirs.bytes)),
                ("/peak", Some(ours.peak), Some(theirs.peak)),
            ];
            for (what, ours, theirs) in what {
                let _ = writeln!(out, "ratio {work}/{peer}{what} {}", ratio(ours, theirs));
            }
        }
    }
    out.push_str("```\n");
}

fn nanoseconds(time: Duration) -> Option<u64> {
    u64::try_from(time.as_nanos()).ok()
}

#[expect(clippy::cast_precision_loss, reason = "for three digits")]
fn ratio(ours: Option<u64>, theirs: Option<u64>) -> String {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if theirs > 0 => format!("{:.3}", ours as f64 / theirs as f64),
        _ => "-".to_owned(),
    }
}

/// With a space between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(" ")
}
