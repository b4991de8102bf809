//! Writes `COVERAGE.md`: what of each document is in the code. `coverage --check` fails if that is not what the file says.

use dyna_examples::{MODELS, Result, printed};
use std::{env, fs};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/COVERAGE.md");

const HEAD: &str = "# What of the documents is in the code

Written by `cargo build --bins && cargo run --bin coverage`, from the declarations and from a run of every access pattern.
Whatever a document has and the code lacks is an error.
";

fn main() -> Result<()> {
    let mut text = HEAD.to_owned();
    for model in MODELS {
        text.push('\n');
        text.push_str(printed(model, &["coverage"])?.trim_end());
        text.push('\n');
    }
    if env::args().nth(1).as_deref() != Some("--check") {
        return Ok(fs::write(FILE, text)?);
    }
    if fs::read_to_string(FILE)? == text {
        Ok(())
    } else {
        Err("COVERAGE.md is not what the code says: run `cargo run --bin coverage`".into())
    }
}
