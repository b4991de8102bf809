//! Every format, as it is written down in `tests/schema/expected`, where other tools check it too.
//!
//! After a change: `SCHEMA_UPDATE=1 cargo test -p dyna-tests schema::written`, and read the difference.

use super::{Library, Loan, Odd};
use dyna_cli::{Catalog, Format};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::path::Path;

fn file(format: Format) -> &'static str {
    match format {
        Format::CloudFormation => "tables.yaml",
        Format::CloudFormationJson => "tables.json",
        Format::Terraform => "tables.tf",
        Format::Shell => "create-tables.sh",
        Format::Workbench => "model.json",
        Format::Markdown => "reference.md",
        Format::Mermaid => "diagram.mmd",
        Format::Html => "page.html",
        format => panic!("{format} has no file"),
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
    for format in Format::ALL {
        let path = directory.join(file(format));
        let text = catalog().to_text(format);
        if std::env::var_os("SCHEMA_UPDATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            changed.push(file(format));
        }
    }
    assert!(changed.is_empty(), "not as written down: {changed:?}");
}

/// The forms say the same each time, and end with one line break.
#[test]
fn forms_are_deterministic() {
    for format in Format::ALL {
        let text = catalog().to_text(format);
        assert_eq!(text, catalog().to_text(format), "{format}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{format}");
    }
}

#[test]
fn a_variable_with_a_value_is_in_the_names() {
    let catalog = catalog().with_variable("stage", "prod");
    for format in [Format::CloudFormation, Format::Terraform, Format::Shell] {
        let text = catalog.to_text(format);
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
    let text = |format| {
        let catalog = Catalog::of::<Odd>();
        catalog
            .with_variable("stage", "\"$(id)`$x\\")
            .to_text(format)
    };
    for (format, quoted) in [
        (Format::Shell, r#"table="odd-\"\$(id)\`\$x\\""#),
        (Format::Terraform, r#"= "odd-\"$(id)`$x\\""#),
        (Format::CloudFormation, r#"TableName: "odd-\"$(id)`$x\\""#),
        (Format::Markdown, r#"| Name | `` odd-"$(id)`$x\ `` |"#),
    ] {
        let text = text(format);
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
    let alias = Catalog::of::<ByAlias>().to_text(Format::Terraform);
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
    let arn = Catalog::of::<ByArn>().to_text(Format::Terraform);
    assert!(arn.starts_with("resource "), "{arn}");
    assert!(
        arn.contains("kms_key_arn = \"arn:aws:kms:eu-west-1:111122223333:key/1234abcd\"\n"),
        "{arn}"
    );
    for catalog in [Catalog::of::<ByAlias>(), Catalog::of::<ByArn>()] {
        let template = catalog.to_text(Format::CloudFormation);
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
    for (format, names) in [
        (Format::CloudFormation, ["  LoanTable:", "  LoanTable2:"]),
        (
            Format::Terraform,
            [
                "\"aws_dynamodb_table\" \"loan\"",
                "\"aws_dynamodb_table\" \"loan2\"",
            ],
        ),
        (Format::Mermaid, ["\"Loan (loans)\" {", "\"Loan (lent)\" {"]),
        (
            Format::Html,
            ["\"title\": \"loans\"", "\"title\": \"lent\""],
        ),
    ] {
        let text = catalog.to_text(format);
        for name in names {
            assert!(text.contains(name), "{name} in {text}");
        }
    }
}
