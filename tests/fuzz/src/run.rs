//! Replays the corpus of a target and mutates it, from a seed. Panics are caught, and their inputs kept.

use crate::mutate;
use crate::targets::Target;
use fastrand::Rng;
use std::fs;
use std::io;
use std::panic;
use std::path::{Path, PathBuf};

/// What a run has found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Inputs that were tried, those of the corpus among them.
    pub executions: u64,
    /// Inputs that panic, as files to add to the corpus once it is fixed.
    pub found: Vec<PathBuf>,
}

/// The folder of the corpus.
pub fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// The inputs of a target, in the order of their names.
pub fn corpus(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let folder = fs::read_dir(corpus_folder().join(target.name))?;
    let mut files: Vec<PathBuf> = folder
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    files.iter().map(fs::read).collect()
}

/// How many executions of a target a budget pays for: each target has the same share of the time, about.
pub fn share(target: &Target, budget: u64) -> u64 {
    budget / target.cost
}

/// Tries the corpus, and so many other inputs made from it.
pub fn run(target: &Target, executions: u64, seed: u64) -> io::Result<Outcome> {
    let corpus = corpus(target)?;
    let mut outcome = Outcome::default();
    let mut rng = Rng::with_seed(seed);
    let mutate = if target.is_rust {
        mutate::rust
    } else {
        mutate::bytes
    };
    let mutated = (0..executions).map(|_| mutate(&mut rng, &corpus));
    for input in corpus.iter().cloned().chain(mutated) {
        outcome.executions += 1;
        if panic::catch_unwind(|| (target.run)(&input)).is_err() {
            outcome.found.push(kept(target, &input)?);
            if outcome.found.len() >= 10 {
                break;
            }
        }
    }
    Ok(outcome)
}

/// Keeps an input below `target/fuzz`.
fn kept(target: &Target, input: &[u8]) -> io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/fuzz")
        .join(target.name);
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{:08x}", crc32fast::hash(input)));
    fs::write(&file, input)?;
    eprintln!("{}: panics with {}", target.name, file.display());
    Ok(file)
}
