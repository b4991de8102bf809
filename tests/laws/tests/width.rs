//! The width of lines: rustfmt holds code to its own, and comments keep to that of `.editorconfig`.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// `max_line_length` of Rust files.
fn width() -> usize {
    let settings = fs::read_to_string(root().join(".editorconfig")).expect(".editorconfig");
    let of_rust = settings.split_once("[*.rs]").expect("Rust files").1;
    let line = of_rust
        .lines()
        .find(|line| line.starts_with("max_line_length"));
    let width = line
        .and_then(|line| line.split_once('='))
        .expect("a width")
        .1;
    width.trim().parse().expect("a number")
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            rust_files(&path, out);
        } else if name.ends_with(".rs") {
            out.push(path);
        }
    }
}

/// A table in a comment has rows of any width, and a link cannot be broken.
fn is_breakable(comment: &str) -> bool {
    let text = comment.trim_start_matches(['/', '!']).trim_start();
    !text.starts_with('|') && text.contains(' ')
}

#[test]
fn comments_keep_to_the_width_of_editorconfig() {
    let (width, mut files) = (width(), Vec::new());
    rust_files(root(), &mut files);
    assert!(files.len() > 400, "only {} files", files.len());
    let mut wide = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).expect("a file");
        for (n, line) in source.lines().enumerate() {
            let comment = line.trim_start();
            let is_wide = line.chars().count() > width;
            if is_wide && comment.starts_with("//") && is_breakable(comment) {
                wide.push(format!("{}:{}", file.display(), n + 1));
            }
        }
    }
    assert!(wide.is_empty(), "over {width}:\n{}", wide.join("\n"));
}
