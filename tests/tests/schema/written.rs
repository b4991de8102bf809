//! Every form, as it is written down in `tests/schema/expected`, where other tools check it too.
//!
//! After a change: `SCHEMA_UPDATE=1 cargo test -p dyna-tests schema::written`, and read the difference.

use super::{Library, Loan};
use dyna_runtime::schema::{Catalog, Form};
use std::path::Path;

fn file(form: Form) -> &'static str {
    match form {
        Form::CloudFormation => "tables.yaml",
        Form::CloudFormationJson => "tables.json",
        Form::Terraform => "tables.tf",
        Form::Shell => "create-tables.sh",
        Form::Workbench => "model.json",
        Form::Markdown => "reference.md",
        Form::Mermaid => "diagram.mmd",
        Form::Html => "page.html",
        form => panic!("{form} has no file"),
    }
}

pub(super) fn catalog() -> Catalog {
    let ann = Loan {
        isbn: "978-0-00".to_owned(),
        reader: "ann".to_owned(),
        since: "2025-01-31T12:00:00.000Z".to_owned(),
        notes: vec!["\"quoted\" | <b>bold</b> ${x} `code` </script>".to_owned()],
    };
    Catalog::of::<(Library, Loan)>().samples([ann]).unwrap()
}

#[test]
fn every_form_is_as_written_down() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/expected");
    let mut changed = Vec::new();
    for form in Form::ALL {
        let path = directory.join(file(form));
        let text = catalog().to_text(form);
        if std::env::var_os("SCHEMA_UPDATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            changed.push(file(form));
        }
    }
    assert!(changed.is_empty(), "not as written down: {changed:?}");
}

/// The forms say the same each time, and end with one line break.
#[test]
fn forms_are_deterministic() {
    for form in Form::ALL {
        let text = catalog().to_text(form);
        assert_eq!(text, catalog().to_text(form), "{form}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{form}");
    }
}

#[test]
fn access_patterns_are_those_of_the_derive() {
    let patterns = catalog().access_patterns();
    let calls: Vec<_> = patterns
        .iter()
        .map(|pattern| {
            let index = pattern.index.unwrap_or("table");
            format!("{} [{index}] {}", pattern.call, pattern.condition)
        })
        .collect();
    assert_eq!(
        calls,
        [
            "Book::get(isbn, no) [table] pk = :p AND no = :s",
            "Book::query(isbn) [table] pk = :p",
            "Book::query(isbn).no_range(..) [table] pk = :p AND #no BETWEEN :s AND :t",
            "Book::by_title(title) [title-index] title = :p",
            "Book::by_shelf(hall, shelf) [by_shelf] hall = :p AND shelf = :p1",
            "Book::by_shelf(hall, shelf).row_range(..) [by_shelf] hall = :p AND shelf = :p1 AND #row BETWEEN :s AND :t",
            "Book::by_shelf(hall, shelf).row(row) [by_shelf] hall = :p AND shelf = :p1 AND #row = :k0",
            "Book::by_shelf(hall, shelf).row(row).place_starts_with(..) [by_shelf] hall = :p AND shelf = :p1 AND #row = :k0 AND begins_with(place, :s)",
            "Book::by_shelf(hall, shelf).row(row).place(place) [by_shelf] hall = :p AND shelf = :p1 AND #row = :k0 AND place = :s",
            "Book::by_year(isbn) [by_year] pk = :p",
            "Book::by_year(isbn).year_range(..) [by_year] pk = :p AND #year BETWEEN :s AND :t",
            "Book::by_year(isbn).year(year) [by_year] pk = :p AND #year = :s",
            "Loan::get(isbn, since, reader) [table] pk = :p AND sk = :s",
            "Loan::query(isbn) [table] pk = :p AND begins_with(sk, :s)",
            "Loan::query(isbn).since(since) [table] pk = :p AND begins_with(sk, :s)",
            "Loan::query(isbn).since(since).reader_starts_with(..) [table] pk = :p AND begins_with(sk, :s)",
            "Loan::of_reader(reader) [by_reader] reader = :p",
        ]
    );
}

/// The conditions are those that requests really have.
#[test]
fn access_patterns_are_what_requests_ask() {
    use super::Book;
    let patterns = catalog().access_patterns();
    let condition = |call: &str| {
        let found = patterns.iter().find(|pattern| pattern.call == call);
        found.unwrap().condition.clone()
    };
    let asked = [
        ("Book::query(isbn)", Book::query("1").explain()),
        (
            "Book::query(isbn).no_range(..)",
            Book::query("1").no_range(1..=2).explain(),
        ),
        ("Book::by_title(title)", Book::by_title("x").explain()),
        (
            "Book::by_shelf(hall, shelf)",
            Book::by_shelf("a", "b").explain(),
        ),
        (
            "Book::by_shelf(hall, shelf).row(row)",
            Book::by_shelf("a", "b").row(1).explain(),
        ),
        (
            "Book::by_shelf(hall, shelf).row(row).place_starts_with(..)",
            Book::by_shelf("a", "b")
                .row(1)
                .place_starts_with("x")
                .explain(),
        ),
        (
            "Book::by_year(isbn).year_range(..)",
            Book::by_year("1").year_range(1..=2).explain(),
        ),
        ("Loan::query(isbn)", Loan::query("1").explain()),
        (
            "Loan::query(isbn).since(since)",
            Loan::query("1").since("2025-01-31T12:00:00.000Z").explain(),
        ),
        ("Loan::of_reader(reader)", Loan::of_reader("x").explain()),
    ];
    for (call, asked) in asked {
        let asked = asked.get("KeyConditionExpression").unwrap();
        assert_eq!(condition(call), asked, "{call}");
    }
}

#[test]
fn a_variable_with_a_value_is_in_the_names() {
    let catalog = catalog().with("stage", "prod");
    for form in [Form::CloudFormation, Form::Terraform, Form::Shell] {
        let text = catalog.to_text(form);
        assert!(
            text.contains("\"library-prod\"") || text.contains("TableName: library-prod"),
            "{text}"
        );
        assert!(!text.to_lowercase().contains("stage"), "{text}");
    }
}
