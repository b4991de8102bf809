//! Whatever a document has and the code lacks is told by name.

use super::{Declared, section};
use crate::Answer;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes-{stage}", pk = "pk", ttl = "gone", index(by_tag, pk = "tag")),
    pk = "NOTE#<id>",
    by_tag(as = by_tag, pk = "<tag>")
)]
struct Note {
    id: String,
    tag: String,
    text: String,
}

fn covered(document: &str) -> Result<String, String> {
    let answers = [
        ("Find", json!(null)),
        ("Find: all", json!([1, 2])),
        ("More", json!(3)),
    ];
    let answers = answers.map(|(pattern, answer)| Answer {
        pattern: pattern.to_owned(),
        answer,
    });
    let tables = [Declared::of::<Note>()];
    section("notes", document, &tables, &answers).map_err(|error| error.to_string())
}

const DOCUMENT: &str = "\
table notes-{stage}: pk, ttl = gone
entity Notes = Note: pk id text
index by_tag: tag
pattern Find
";

#[test]
fn what_is_there_is_listed_with_what_the_document_lacks() {
    let text = covered(DOCUMENT).unwrap();
    let (summary, text) = text.split_once('\n').unwrap();
    assert_eq!(summary, "| notes | 1 | 1 | 1 | 1 |");
    for row in [
        "| notes-{stage} | pk | gone |  |",
        "| Notes | `Note` | all 3 | `tag` | by_tag |",
        "| by_tag | tag | `Note` |",
        "| Find | nothing; all: 2 items |",
        "Beyond the document: More.",
    ] {
        assert!(text.lines().any(|line| line == row), "{row}\n{text}");
    }
}

#[test]
fn what_is_missing_is_an_error() {
    for (there, wanted, missing) in [
        ("pk, ttl = gone", "pk sk", "table `notes-{stage}: pk sk`"),
        (", ttl = gone", "", "table `notes-{stage}: pk`"),
        ("= Note:", "= Page:", "entity `Page`"),
        ("id text", "id title", "`title` of `Note`"),
        ("by_tag: tag", "by_tag: text", "index `by_tag: text`"),
        ("pattern Find", "pattern Search", "pattern `Search`"),
    ] {
        assert!(DOCUMENT.contains(there));
        let error = covered(&DOCUMENT.replace(there, wanted)).unwrap_err();
        assert_eq!(error, format!("not in the code: {missing}"));
    }
}
