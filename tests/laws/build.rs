//! Writes the entities of the pairwise matrix: see `tests/matrix/mod.rs`.

#[path = "tests/matrix/generator/mod.rs"]
mod generator;

use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=tests/matrix/generator");
    let out = std::env::var_os("OUT_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    std::fs::write(Path::new(&out).join("matrix.rs"), generator::source())
}
