//! Every form, as it is written down in `tests/schema/expected`, where other tools check it too.
//!
//! After a change: `SCHEMA_UPDATE=1 cargo test -p dyna-tests schema::written`, and read the difference.

use super::{Library, Loan, Odd};
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
    Catalog::of::<(Library, Loan, Odd)>()
        .samples([ann])
        .unwrap()
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
