//! Writes `COVERAGE.md`: what of each document is in the code. `coverage --check` fails if that is not what the file says.

use dyna_examples::{MODELS, Result, printed};
use std::fmt::Write;
use std::{env, fs};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/COVERAGE.md");

const HEAD: &str = "# What of the documents is in the code

Written by `cargo build --bins && cargo run --bin coverage`, from the declarations and from a run of every access pattern.
Whatever a document has and the code lacks is an error.

| model | tables | entity types | indexes | access patterns |
|---|---|---|---|---|
";

fn main() -> Result<()> {
    let (mut summary, mut sections) = (HEAD.to_owned(), String::new());
    let mut totals = [0; 4];
    for model in MODELS {
        let text = printed(model, &["coverage"])?;
        let (row, section) = text.split_once('\n').ok_or("the coverage is empty")?;
        for (total, count) in totals.iter_mut().zip(row.split('|').skip(2)) {
            *total += count.trim().parse::<usize>()?;
        }
        writeln!(summary, "{row}")?;
        writeln!(sections, "\n{}", section.trim_end())?;
    }
    let totals = totals.map(|total| format!("**{total}**"));
    let text = format!("{summary}| | {} |\n{sections}", totals.join(" | "));
    if env::args().nth(1).as_deref() != Some("--check") {
        return Ok(fs::write(FILE, text)?);
    }
    if fs::read_to_string(FILE)? == text {
        Ok(())
    } else {
        Err("COVERAGE.md is not what the code says: run `cargo run --bin coverage`".into())
    }
}
