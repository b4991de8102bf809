//! The modules of each crate depend on each other as ARCHITECTURE.md says, in its order, and in no other way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A row of a table in ARCHITECTURE.md: a module, and the modules that it uses.
type Row = (String, BTreeSet<String>);

/// The rows `| module | what it holds | uses |` of the section that begins with this line, the lowest layer first.
fn declared(architecture: &str, section: &str) -> Vec<Row> {
    let heading = format!("\n{section}\n");
    let text = architecture.split_once(&heading).expect("the section").1;
    let text = text.split("\n## ").next().unwrap_or(text);
    let names = |cell: &str| -> Vec<String> {
        let quoted = cell.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    };
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let rows = cells.map(|cells| {
        let uses = names(cells[3]).into_iter().collect();
        (names(cells[1]).remove(0), uses)
    });
    rows.collect()
}

/// The modules that a file names as `crate::module`. Comments, unit tests and paths in messages do not count.
fn named(source: &str) -> BTreeSet<String> {
    let tests = ["\n#[cfg(test)]\nmod tests {", "\n#[cfg(all(test, "];
    let ends = tests.iter().filter_map(|tests| source.find(tests));
    let code = &source[..ends.min().unwrap_or(source.len())];
    let lines = code.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    // Paths in the texts of messages.
    let messages = ["|crate::", "`crate::", "with = crate::"];
    let lines = lines.map(|line| {
        messages
            .iter()
            .fold(line.to_owned(), |line, path| line.replace(path, ""))
    });
    let lines: Vec<String> = lines.collect();
    let paths = lines.iter().flat_map(|line| line.split("crate::").skip(1));
    let modules = paths.map(|path| {
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
        path[..end.unwrap_or(path.len())].to_owned()
    });
    modules.collect()
}

/// The Rust files below a folder, without those of unit tests.
fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && name != "tests" {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|it| it == "rs") && name != "tests.rs" {
            out.push(path);
        }
    }
}

/// What the modules of a crate use, each with a file that does.
fn found(src: &Path) -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let (mut files, mut found) = (Vec::new(), BTreeMap::new());
    rust_files(src, &mut files);
    for file in files {
        let path = file.strip_prefix(src).expect("below src").to_owned();
        let first = path.iter().next().expect("a component").to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if module == "lib" {
            continue;
        }
        let uses: &mut BTreeMap<_, _> = found.entry(module.clone()).or_default();
        for used in named(&fs::read_to_string(&file).expect("a file")) {
            if used != module {
                uses.entry(used).or_insert_with(|| path.clone());
            }
        }
    }
    found
}

/// Every rule that is broken, as a sentence.
fn broken(rows: &[Row], mut found: BTreeMap<String, BTreeMap<String, PathBuf>>) -> Vec<String> {
    let mut broken = Vec::new();
    for (at, (module, uses)) in rows.iter().enumerate() {
        let is_below = |name: &String| rows[..at].iter().any(|(lower, _)| lower == name);
        for name in uses.iter().filter(|name| !is_below(name)) {
            broken.push(format!(
                "row `{module}` uses `{name}`, which is not above it in the table"
            ));
        }
        let real = found.remove(module).unwrap_or_default();
        for (name, file) in real.iter().filter(|(name, _)| !uses.contains(*name)) {
            let file = file.display();
            broken.push(format!(
                "`{module}` uses `{name}` in {file}, and its row does not say so"
            ));
        }
        for name in uses.iter().filter(|name| !real.contains_key(*name)) {
            broken.push(format!(
                "row `{module}` says `{name}`, which no file of it uses"
            ));
        }
    }
    broken.extend(
        found
            .keys()
            .map(|name| format!("module `{name}` has no row")),
    );
    broken
}

fn check(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let architecture = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let rows = declared(&architecture, &format!("## {name}"));
    assert!(!rows.is_empty(), "no rows for {name}");
    let broken = broken(&rows, found(&root.join(name).join("src")));
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn runtime_modules_depend_on_each_other_as_written_down() {
    check("dyna-runtime");
}

#[test]
fn derive_modules_depend_on_each_other_as_written_down() {
    check("dyna-derive");
}

#[test]
fn cli_modules_depend_on_each_other_as_written_down() {
    check("dyna-cli");
}

#[test]
fn reports_stray_edge_cycle_stale_and_missing_row() {
    let row = |name: &str, uses: &[&str]| -> Row {
        let uses = uses.iter().map(|name| (*name).to_owned());
        (name.to_owned(), uses.collect())
    };
    let file = |uses: &[&str]| -> BTreeMap<String, PathBuf> {
        let uses = uses.iter().map(|name| ((*name).to_owned(), "x.rs".into()));
        uses.collect()
    };
    let rows = [row("shape", &["key"]), row("key", &["shape", "codec"])];
    let found = BTreeMap::from([
        ("shape".to_owned(), file(&["key", "error"])),
        ("key".to_owned(), file(&["shape"])),
        ("stray".to_owned(), file(&[])),
    ]);
    assert_eq!(
        broken(&rows, found),
        [
            "row `shape` uses `key`, which is not above it in the table",
            "`shape` uses `error` in x.rs, and its row does not say so",
            "row `key` uses `codec`, which is not above it in the table",
            "row `key` says `codec`, which no file of it uses",
            "module `stray` has no row",
        ]
    );
}

#[test]
fn comments_and_unit_tests_do_not_count_and_grouped_paths_do() {
    let source = "use crate::key::Key;\n// use crate::comment::X;\nfn f() { crate::read::g() }\n\n#[cfg(test)]\nmod tests {\n    use crate::request::R;\n}\n";
    let names: Vec<String> = named(source).into_iter().collect();
    assert_eq!(names, ["key", "read"]);
    assert!(named("const HELP: &str = \"write `|crate::keys::bucket`\";").is_empty());
    // A root re-export shows up as a module that no row names.
    assert!(named("use crate::{Error, Key};").contains(""));
}
