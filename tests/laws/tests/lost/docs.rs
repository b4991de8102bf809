//! Every request type shows its rows of the table of lost responses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn source(path: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../../dyna-runtime/src").join(path)
}

/// The rows of the first table of a page.
fn rows(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("|---"));
    let rows = rows.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(str::to_owned).collect()
}

#[test]
fn rows_of_the_request_types_are_those_of_the_whole_table() {
    let whole: BTreeSet<String> = rows(&source("guide/lost_responses.md"))
        .into_iter()
        .collect();
    let mut shown = BTreeSet::new();
    for file in std::fs::read_dir(source("guide/lost")).unwrap() {
        let path = file.unwrap().path();
        let rows = rows(&path);
        assert!(!rows.is_empty(), "{}", path.display());
        shown.extend(rows);
    }
    assert_eq!(whole, shown);
}

#[test]
fn every_request_type_shows_its_rows() {
    let types = [
        ("request/get.rs", "pub struct Get<", "read"),
        ("request/query/mod.rs", "pub struct Query<", "read"),
        ("request/scan/mod.rs", "pub struct Scan<", "read"),
        ("request/batch_get.rs", "pub struct BatchGet<", "read"),
        ("request/transact_get.rs", "pub fn transact_get<", "read"),
        ("request/put.rs", "pub struct Put<", "put"),
        ("request/update.rs", "pub struct Update<", "update"),
        ("request/delete.rs", "pub struct Delete<", "delete"),
        (
            "request/batch_write/mod.rs",
            "pub struct BatchWrite<",
            "batch_write",
        ),
        (
            "request/transact_write/mod.rs",
            "pub struct TransactWrite<",
            "transact",
        ),
        ("request/rekey.rs", "pub struct Rekey<", "transact"),
        ("request/check.rs", "pub struct ConditionCheck<", "transact"),
    ];
    for (file, item, page) in types {
        let text = std::fs::read_to_string(source(file)).unwrap();
        let before = text.split(item).next().unwrap();
        let shown = before.rfind("guide/lost/").map(|at| &before[at..]);
        let shown = shown.unwrap_or_default();
        assert!(
            shown.starts_with(&format!("guide/lost/{page}.md")),
            "{file}"
        );
        // Nothing but attributes between the page and the type.
        assert!(!shown.contains('}'), "{file}");
    }
}
