//! Every form, as it is written down in `tests/schema/expected`, where other tools check it too.
//!
//! After a change: `SCHEMA_UPDATE=1 cargo test -p dyna-tests schema::written`, and read the difference.

use super::{Library, Loan, Odd};
use dyna_cli::{Catalog, Form};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
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
    Catalog::of::<Library>()
        .table::<Loan>()
        .table::<Odd>()
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

/// Nothing of a value is taken for something of the format.
#[test]
fn a_value_of_a_variable_is_only_text() {
    let text = |form| {
        let catalog = Catalog::of::<Odd>();
        catalog.with("stage", "\"$(id)`$x\\").to_text(form)
    };
    for (form, quoted) in [
        (Form::Shell, r#"table="odd-\"\$(id)\`\$x\\""#),
        (Form::Terraform, r#"= "odd-\"$(id)`$x\\""#),
        (Form::CloudFormation, r#"TableName: "odd-\"$(id)`$x\\""#),
        (Form::Markdown, r#"| Name | `` odd-"$(id)`$x\ `` |"#),
    ] {
        let text = text(form);
        assert!(text.contains(&format!("{quoted}\n")), "{text}");
    }
}

macro_rules! encrypted {
    ($($name:ident: $key:literal;)*) => {$(
        #[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
        #[dyna(table(name = "secrets", pk = "id", encryption = kms($key)), pk = "<id>")]
        struct $name {
            id: String,
        }
    )*};
}

encrypted! {
    ByAlias: "alias/secrets";
    ByArn: "arn:aws:kms:eu-west-1:111122223333:key/1234abcd";
}

/// Terraform knows keys by their ARN only.
#[test]
fn terraform_looks_up_an_alias() {
    let alias = Catalog::of::<ByAlias>().to_text(Form::Terraform);
    assert!(
        alias.starts_with(
            "data \"aws_kms_key\" \"by_alias\" {\n  key_id = \"alias/secrets\"\n}\n\nresource "
        ),
        "{alias}"
    );
    assert!(
        alias.contains("kms_key_arn = data.aws_kms_key.by_alias.arn\n"),
        "{alias}"
    );
    let arn = Catalog::of::<ByArn>().to_text(Form::Terraform);
    assert!(arn.starts_with("resource "), "{arn}");
    assert!(
        arn.contains("kms_key_arn = \"arn:aws:kms:eu-west-1:111122223333:key/1234abcd\"\n"),
        "{arn}"
    );
    for catalog in [Catalog::of::<ByAlias>(), Catalog::of::<ByArn>()] {
        let template = catalog.to_text(Form::CloudFormation);
        assert!(
            template.contains("        SSEType: KMS\n        KMSMasterKeyId: a"),
            "{template}"
        );
    }
}

mod other {
    use super::{Deserialize, DynaEntity, DynaTable, Serialize};

    /// A table whose type is called like another one.
    #[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "lent", pk = "id"), pk = "<id>")]
    pub(super) struct Loan {
        id: String,
    }
}

/// Types of two modules may be called alike; their tables are not.
#[test]
fn tables_of_the_same_type_name_stay_apart() {
    let catalog = Catalog::of::<Loan>().table::<other::Loan>();
    for (form, names) in [
        (Form::CloudFormation, ["  LoanTable:", "  LoanTable2:"]),
        (
            Form::Terraform,
            [
                "\"aws_dynamodb_table\" \"loan\"",
                "\"aws_dynamodb_table\" \"loan2\"",
            ],
        ),
        (Form::Mermaid, ["\"Loan (loans)\" {", "\"Loan (lent)\" {"]),
        (Form::Html, ["\"title\": \"loans\"", "\"title\": \"lent\""]),
    ] {
        let text = catalog.to_text(form);
        for name in names {
            assert!(text.contains(name), "{name} in {text}");
        }
    }
}
